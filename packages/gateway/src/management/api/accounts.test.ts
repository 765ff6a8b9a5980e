import { expect, test } from "vitest";
import { describeEngines } from "../../testing/database-engines.ts";
import { signInAs } from "../../testing/sign-in-as.ts";
import { startTestConsole, type TestConsole } from "../../testing/test-console.ts";

const path = "/api/v1/accounts";

/** The entries of the audit log from the one of this number on. */
async function entriesFrom(place: TestConsole, sequence: number) {
  const rows = await place.database.read
    .selectFrom("audit_event")
    .select(["action", "target_id", "actor_name", "account_id", "detail"])
    .where("sequence", ">=", sequence)
    .orderBy("sequence")
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
}

describeEngines((make) => {
  test("S16 an account is made, changed, suspended and credited, each with its entry", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const before = (await place.actions()).length;
    const made = await root.post(path, { name: "Acme", limits: { concurrency: 5 }, markup_ppm: 1_100_000 });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "Acme",
        state: "active",
        billing: "prepaid",
        balance: "0",
        available: "0",
        declared: false,
        markup_ppm: 1_100_000,
        limits: { concurrency: 5, requests_per_minute: null },
        spent_today: "0",
        keys: 0,
      },
    });
    const one = `${path}/${made.body.id}`;
    expect(await root.send("PATCH", one, { name: "Acme Ltd", limits: { concurrency: null } })).toMatchObject({
      status: 200,
      body: { name: "Acme Ltd", limits: { concurrency: null }, markup_ppm: 1_100_000 },
    });
    expect((await root.send("PATCH", one, { state: "suspended" })).body.state).toBe("suspended");
    // As it is already: nothing is written.
    expect((await root.send("PATCH", one, { state: "suspended" })).body.state).toBe("suspended");
    const credited = await root.post(`${one}/credits`, { amount: "1250000001", note: "invoice 7", reference: "inv-7" });
    expect(credited).toMatchObject({ status: 201, body: { outcome: "credited", balance: "1250000001" } });
    const again = await root.post(`${one}/credits`, { amount: "1250000001", reference: "inv-7" });
    expect(again).toMatchObject({ status: 201, body: { outcome: "repeated", balance: "1250000001" } });
    const less = await root.post(`${one}/credits`, { kind: "adjustment", amount: "-2000000000" });
    expect(less).toMatchObject({ status: 409, body: { error: { code: "refused", field: "amount" } } });
    expect((await root.get(`${one}/operation`)).body.balance).toBe("1250000001");
    expect(await entriesFrom(place, before + 1)).toMatchObject([
      { action: "account.created", target_id: made.body.id, actor_name: "root@example.com" },
      { action: "account.changed", detail: { name_before: "Acme", name_after: "Acme Ltd", concurrency_before: 5 } },
      { action: "account.suspended" },
      { action: "account.topped_up", account_id: made.body.id, detail: { amount: "$1.250000001", note: "invoice 7" } },
    ]);
  });

  test("what is wrong with an account is told with its field, and nothing of it is written", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    await root.post(path, { name: "Acme" });
    for (const [body, status, field] of [
      [{ name: "Acme" }, 409, "name"],
      [{ name: "" }, 400, "name"],
      [{ name: "B", limits: { concurrency: 0 } }, 400, "limits.concurrency"],
      [{ name: "B", markup_ppm: -1 }, 400, "markup_ppm"],
      [{ name: "B", credit_limit: "1.5" }, 400, "credit_limit"],
      [{ name: "B", balance: "5" }, 400, "balance"],
    ] as const) {
      expect(await root.post(path, body)).toMatchObject({ status, body: { error: { field } } });
    }
    expect((await root.get(path)).body.items.map(({ name }: { name: string }) => name)).toEqual(["Acme", "default"]);
    expect((await root.send("PATCH", `${path}/acct_none`, { name: "C" })).status).toBe(404);
  });

  test("a list of accounts is walked page by page in each order, each account once; a search finds names by their begin", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const names = ["alpha", "Beta", "beta two", "Gamma", "delta"];
    for (const name of names) {
      const { id } = (await root.post(path, { name })).body;
      if (name !== "Gamma") await root.post(`${path}/${id}/credits`, { amount: String(name.length * 1000) });
    }
    const walk = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      let next: string | null = null;
      do {
        const page = await root.get(`${path}?limit=2&${query}${next === null ? "" : `&cursor=${next}`}`);
        expect(page.status).toBe(200);
        found.push(...page.body.items.map(({ name }: { name: string }) => name));
        next = page.body.next;
      } while (next !== null);
      return found;
    };
    expect(await walk("sort=name")).toEqual(["alpha", "Beta", "beta two", "default", "delta", "Gamma"]);
    expect(await walk("sort=newest")).toEqual(["delta", "Gamma", "beta two", "Beta", "alpha", "default"]);
    const byBalance = await walk("sort=balance");
    expect(byBalance.slice(0, 2).toSorted()).toEqual(["Gamma", "default"]);
    expect(byBalance.slice(2)).toEqual(["Beta", ...byBalance.slice(3, 5), "beta two"]);
    expect(await walk("search=BETA")).toEqual(["Beta", "beta two"]);
    expect(await walk("search=acct_default")).toEqual(["default"]);
    // Characters that stand for others elsewhere stand for themselves.
    expect(await walk("search=%25")).toEqual([]);
    expect(await walk("billing=postpaid")).toEqual(["default"]);
    const cursor = (await root.get(`${path}?limit=1&sort=name`)).body.next;
    expect(await root.get(`${path}?sort=newest&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { error: { field: "cursor" } },
    });
  });

  test("M8 many accounts are changed at once, each with its result; a credit that is sent again is given once", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await root.post(path, { name })).body.id);
    const change = { action: "credit", accounts: [...ids, "acct_none"], amount: "5000", reference: "request-0001" };
    for (const _ of [1, 2]) {
      const answer = await root.post("/api/v1/account-changes", change);
      expect(answer.body.items).toEqual([
        ...ids.map((account) => ({ account, done: true, error: null })),
        { account: "acct_none", done: false, error: expect.stringContaining("no account") },
      ]);
    }
    await root.post("/api/v1/account-changes", { action: "suspend", accounts: ids.slice(0, 2) });
    await root.post("/api/v1/account-changes", { action: "set_limits", accounts: ids, limits: { concurrency: 7 } });
    const shown = await Promise.all(ids.map((id) => root.get(`${path}/${id}/operation`)));
    expect(shown.map(({ body }) => [body.balance, body.state, body.limits.concurrency])).toEqual([
      ["5000", "suspended", 7],
      ["5000", "suspended", 7],
      ["5000", "active", 7],
    ]);
    const many = { action: "suspend", accounts: Array.from({ length: 501 }, (_, at) => `acct_${at}`) };
    expect((await root.post("/api/v1/account-changes", many)).status).toBe(400);
  });

  test("what accounts have spent today and this month comes from the sums by the hour, open and closed ones", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const date = new Date(place.platform.now());
    const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    const hour = { model: "m", channel: "c", client_protocol: "messages", calls: 1, succeeded: 1 } as const;
    const sums = {
      input_uncached: 0,
      input_cache_read: 0,
      input_cache_write: 0,
      output_total: 0,
      output_reasoning: 0,
      overrun: 0n,
      duration_ms: 1,
    };
    const row = (at: number, charge: bigint, accessKey = "key_1") => ({
      ...{ ...hour, ...sums, account_id: "acct_default", access_key_id: accessKey, hour: at, charge },
    });
    const rows = [row(month - 3_600_000, 1n), row(month, 10n), row(today, 100n), row(today, 1000n, "key_2")];
    await place.database.write([place.database.build.insertInto("usage_hour").values(rows).compile()]);
    const first = month === today ? "1110" : "1100";
    const shown = async () => (await root.get(`${path}/acct_default/operation`)).body;
    expect(await shown()).toMatchObject({ spent_today: first, spent_this_month: "1110" });
    const { createUsageTotals } = await import("../../calls/usage-totals.ts");
    const { database, platform } = place;
    const log = { warn: () => undefined };
    await createUsageTotals({ database, platform, every: () => () => undefined, log }).run();
    expect(await shown()).toMatchObject({ spent_today: first, spent_this_month: "1110" });
  });

  test("codes are made by operators, shown once, listed by state and revoked", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const codes = "/api/v1/redemption-codes";
    const made = await root.post(codes, { amount: "20000000000", count: 3, note: "conference" });
    expect(made.status).toBe(201);
    const [first] = made.body.items;
    const listed = await root.get(`${codes}?limit=2`);
    expect(listed.body.items).toHaveLength(2);
    expect((await root.get(`${codes}?limit=2&cursor=${listed.body.next}`)).body).toMatchObject({
      items: [{ state: "open", amount: "20000000000", note: "conference" }],
      next: null,
    });
    expect(JSON.stringify(listed.body)).not.toContain(first.code);
    expect((await root.post(`${codes}/${first.id}/revoke`, {})).body.state).toBe("revoked");
    expect((await root.post(`${codes}/${first.id}/revoke`, {})).status).toBe(409);
    expect((await root.get(`${codes}?state=revoked`)).body.items.map(({ id }: { id: string }) => id)).toEqual([
      first.id,
    ]);
  });

  test("A7 A8 owners see their own account, and neither change it nor see others or what is the operators'", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const { id } = (await root.post(path, { name: "Other" })).body;
    const owner = await signInAs(place, "ada@example.com", { account: "acct_default", role: "owner" });
    expect((await owner.get(`${path}/acct_default`)).body).not.toHaveProperty("markup_ppm");
    expect((await owner.get(`${path}/${id}`)).status).toBe(404);
    expect((await owner.get(`${path}/default`)).status).toBe(404);
    for (const [method, target, body] of [
      ["GET", path, undefined],
      ["PATCH", `${path}/acct_default`, { limits: { concurrency: 9 } }],
      ["POST", `${path}/acct_default/credits`, { amount: "1" }],
      ["POST", "/api/v1/account-changes", { action: "activate", accounts: [id] }],
      ["GET", "/api/v1/redemption-codes", undefined],
      ["GET", "/api/v1/price-versions", undefined],
    ] as const) {
      expect([method, target, (await owner.send(method, target, body)).status]).toEqual([method, target, 403]);
    }
    expect((await owner.send("PATCH", `${path}/${id}`, { name: "Mine" })).status).toBe(404);
  });

  test("M18 operators set prices; what was set before stays, and another one is a version of its own", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const set = (prices: object, more: object = {}) =>
      root.post("/api/v1/price-versions", { model: "gpt-*", prices, ...more });
    expect(await set({ input: "1000000000", output: "8000000000", cache_write_5m: "1" })).toMatchObject({
      status: 201,
      body: {
        source: "operator",
        channel: null,
        tiers: [{ prices: { input: "1000000000", output: "8000000000", cache_write_5m: "1" } }],
      },
    });
    expect((await set({ input: "2000000000", output: "8000000000" })).status).toBe(201);
    expect(await set({ input: "-1", output: "1" })).toMatchObject({ status: 400 });
    expect(await set({ input: "1", output: "1" }, { valid_from: 5 })).toMatchObject({
      status: 400,
      body: { error: { field: "from" } },
    });
    const { items } = (await root.get("/api/v1/price-versions")).body;
    expect(items.map((item: { tiers: { prices: { input: string } }[] }) => item.tiers[0]?.prices.input)).toEqual([
      "2000000000",
      "1000000000",
    ]);
    const current = (await root.get("/api/v1/prices")).body;
    expect(current.items.length).toBeGreaterThan(0);
    expect(current.cut).toBe(false);
  });
});
