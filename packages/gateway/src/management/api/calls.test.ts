import { expect, test } from "vitest";
import type { CallRecord } from "../../calls/call-record.ts";
import { createCallRecorder } from "../../calls/call-recorder.ts";
import { createContentCapture } from "../../calls/content-capture.ts";
import { createContentStore } from "../../calls/content-store.ts";
import type { Config } from "../../config/config.ts";
import { describeEngines, type MakeDatabase } from "../../testing/database-engines.ts";
import { exampleCall, insertKey } from "../../testing/example-rows.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const day = 86_400_000;
const contentLogging: Config["contentLogging"] = { enabled: true, retentionMs: 7 * day, maxBytes: 4096 };
const secret = Buffer.from("a secret of the tests, long enough to be one");

/** A console with two accounts, a member and a viewer of the default one, and an operator. */
async function scene(make: MakeDatabase, settings = contentLogging) {
  const place = await startTestConsole(await make(), { contentLogging: settings });
  const { database, platform, users } = place;
  const account = database.build.insertInto("account").values({
    id: "acct_2",
    name: "second",
    state: "active",
    billing: "postpaid",
    balance: 0n,
    reserved: 0n,
    credit_limit: null,
    markup_ppm: 1_000_000,
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    created_at: 0,
  });
  await database.write([
    account.compile(),
    insertKey(database, "key_1", { name: "laptop", content_logging: 1 }),
    insertKey(database, "key_2", { account_id: "acct_2" }),
  ]);
  const recorder = createCallRecorder(database);
  const store = createContentStore({ database, secret, platform, settings: contentLogging });
  const signedIn = async (email: string, role?: "viewer" | "member") => {
    await users.create({ email, name: "Somebody", password }, { operator: role === undefined }, system);
    if (role) await users.setRole(email, "acct_default", role, system);
    const browser = place.browser();
    await browser.signIn(email, password);
    return browser;
  };
  return {
    ...place,
    signedIn,
    async record(...calls: Partial<CallRecord>[]) {
      for (const values of calls) await database.write(recorder.statements(exampleCall(values)));
    },
    async recordWithContent(values: Partial<CallRecord>) {
      const capture = createContentCapture(4096);
      capture.push("client_request", '{"model":"fast","messages":[]}');
      capture.push("upstream_request", '{"model":"gpt"}');
      const call = exampleCall(values);
      await database.write([...recorder.statements(call), ...(await store.statements(call.id, capture))]);
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

describeEngines((make) => {
  test("A7 the list of an account tells of its own calls alone, by name, page by page; operators see all", async () => {
    await using place = await scene(make);
    const now = place.platform.now();
    await place.record(...[1, 2, 3].map((number) => ({ id: `call_000${number}`, startedAt: now - 10_000 + number })), {
      id: "call_other",
      startedAt: now,
      accessKeyId: "key_2",
      accountId: "acct_2",
      notices: [],
    });
    const viewer = await place.signedIn("eve@example.com", "viewer");
    const first = await viewer.get("/api/v1/accounts/acct_default/calls?limit=2");
    expect(first.body.items.map(({ id }: { id: string }) => id)).toEqual(["call_0003", "call_0002"]);
    expect(first.body.items[0]).toMatchObject({ access_key_name: "laptop", losses: 1, charge: "751" });
    expect(first.body.items[0].price_lines).toBeUndefined();
    const second = await viewer.get(`/api/v1/accounts/acct_default/calls?limit=2&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ items: [{ id: "call_0001" }], next: null, searched_to: null });

    // Whatever it asks for, nothing of another account comes.
    for (const path of [
      "/api/v1/accounts/acct_2/calls",
      "/api/v1/accounts/acct_default/calls/call_other",
      "/api/v1/accounts/acct_default/calls/call_other/content",
      "/api/v1/accounts/acct_2/calls/export",
    ]) {
      expect((await viewer.get(path)).status, path).toBeGreaterThanOrEqual(403);
      expect((await viewer.get(path)).body.items, path).toBeUndefined();
    }
    expect((await viewer.get("/api/v1/accounts/acct_default/calls/call_other")).status).toBe(404);
    expect((await viewer.get("/api/v1/accounts/acct_default/calls?access_key=key_2")).body.items).toEqual([]);
    expect((await viewer.get("/api/v1/accounts/acct_default/calls?account=acct_2")).status).toBe(400);
    expect((await viewer.get("/api/v1/calls")).status).toBe(403);

    const operator = await place.signedIn("root@example.com");
    const all = await operator.get("/api/v1/calls");
    expect(all.body.items[0]).toMatchObject({ id: "call_other", account_name: "second", losses: 0 });
    expect(all.body.items).toHaveLength(4);
    expect((await operator.get("/api/v1/calls?account=acct_2")).body.items).toHaveLength(1);
  });

  test("every filter of the list is heard, and what is none is refused with its name", async () => {
    await using place = await scene(make);
    const startedAt = place.platform.now() - 1000;
    await place.record(
      { id: "call_0001", startedAt },
      {
        id: "call_0002",
        startedAt,
        clientProtocol: "responses",
        upstreamProtocol: null,
        channel: "spare",
        model: "slow",
        stream: false,
        status: 429,
        outcome: "refused",
        errorKind: "rate_limit",
        notices: [],
        charge: 0n,
        reserved: 0n,
        priceLines: [],
        usage: null,
      },
    );
    const viewer = await place.signedIn("eve@example.com", "viewer");
    const found = async (search: string) => {
      const { body } = await viewer.get(`/api/v1/accounts/acct_default/calls?${search}`);
      return body.items?.map(({ id }: { id: string }) => id) ?? body.error.field;
    };
    for (const search of [
      "client_protocol=responses",
      "channel=spare",
      "model=slow",
      "stream=false",
      "status=429",
      "status=4xx",
      "outcome=refused",
      "failed=true",
      "error_kind=rate_limit",
    ]) {
      expect(await found(search), search).toEqual(["call_0002"]);
    }
    for (const search of ["upstream_protocol=responses", "losses=true", "min_charge=751", "status=200"]) {
      expect(await found(search), search).toEqual(["call_0001"]);
    }
    expect(await found("id=call_000")).toHaveLength(2);
    expect(await found(`from=${startedAt + 1}`)).toEqual([]);
    expect(await found(`to=${startedAt}`)).toEqual([]);
    expect(await found("order=oldest")).toEqual(["call_0001", "call_0002"]);
    expect(await found("status=nine")).toBe("status");
    expect(await found("colour=red")).toBe("colour");
    expect(await found("cursor=none")).toBe("cursor");
  });

  test("who follows the log is told of every call that has ended since, however long ago it began", async () => {
    await using place = await scene(make);
    const viewer = await place.signedIn("eve@example.com", "viewer");
    const path = "/api/v1/accounts/acct_default/calls";
    const began = place.platform.now();
    await place.record({ id: "call_early", startedAt: began - 60_000 });
    const { body } = await viewer.get(path);
    place.platform.shift(30_000);
    await place.record(
      { id: "call_long", startedAt: began - 120_000, timings: { ...exampleCall().timings, end: 145_000 } },
      { id: "call_short", startedAt: began + 29_000 },
    );
    const next = await viewer.get(`${path}?after=${body.live}`);
    expect(next.body.items.map(({ id }: { id: string }) => id)).toEqual(["call_short", "call_long"]);
    place.platform.shift(30_000);
    const last = await viewer.get(`${path}?after=${next.body.live}`);
    const quiet = await viewer.get(`${path}?after=${last.body.live}`);
    expect(quiet.body.items).toEqual([]);
    expect((await viewer.get(`${path}?after=nonsense`)).status).toBe(400);
  });

  test("one call is told with its price lines, attempts, ledger entries and reservation", async () => {
    await using place = await scene(make);
    const { database } = place;
    await place.record({
      id: "call_0001",
      startedAt: place.platform.now(),
      attempts: [
        {
          channel: "openai",
          upstreamProtocol: "responses",
          upstreamModel: "gpt-5-mini",
          lane: "converted",
          started: 1,
          connect: 2,
          firstByte: null,
          end: 3,
          status: 503,
          errorKind: "overloaded",
          errorCode: "upstream_overloaded",
          possiblyBilled: false,
        },
      ],
    });
    const entry = database.build.insertInto("ledger_entry").values({
      id: "led_1",
      account_id: "acct_default",
      at: 5,
      kind: "charge",
      amount: -751n,
      balance_after: 9_249n,
      access_key_id: "key_1",
      quota_window: null,
      call_id: "call_0001",
      reference: null,
      note: null,
      actor: "call",
    });
    const reservation = database.build.insertInto("reservation").values({
      call_id: "call_0001",
      account_id: "acct_default",
      access_key_id: "key_1",
      quota_window: null,
      amount: 900n,
      state: "settled",
      instance_id: "ins_1",
      created_at: 4,
      price_version: "price_1",
      started_at: 4,
      client_protocol: "messages",
      model: "fast",
      stream: 1,
      checkpoint: null,
      checkpoint_charge: 0n,
    });
    await database.write([entry.compile(), reservation.compile()]);
    const viewer = await place.signedIn("eve@example.com", "viewer");
    const { body } = await viewer.get("/api/v1/accounts/acct_default/calls/call_0001");
    expect(body).toMatchObject({
      access_key_name: "laptop",
      attempts: [{ channel: "openai", status: 503, error_code: "upstream_overloaded" }],
      price_lines: [
        { class: "input", quantity: 201, price: "1000000", amount: "201" },
        { class: "output", quantity: 5, price: "110000000", amount: "550" },
      ],
      ledger: [{ id: "led_1", kind: "charge", amount: "-751", balance_after: "9249" }],
      reservation: { state: "settled", amount: "900" },
      content: { state: "not_kept", readable: false, parts: [] },
    });
    expect((await viewer.get("/api/v1/accounts/acct_default/calls/call_none")).status).toBe(404);
  });

  test("S2 kept content is read by members alone, and that it was stands in the audit log", async () => {
    await using place = await scene(make);
    await place.recordWithContent({ id: "call_0001", startedAt: place.platform.now() });
    const path = "/api/v1/accounts/acct_default/calls/call_0001";
    const viewer = await place.signedIn("eve@example.com", "viewer");
    expect((await viewer.get(path)).body.content).toMatchObject({
      state: "kept",
      readable: false,
      parts: [{ part: "client_request", cut: false }, { part: "upstream_request" }],
    });
    expect((await viewer.get(`${path}/content`)).status).toBe(403);
    const before = await place.actions();
    expect(before).not.toContain("call_content.read");

    const member = await place.signedIn("ada@example.com", "member");
    expect((await member.get(path)).body.content.readable).toBe(true);
    const { body } = await member.get(`${path}/content`);
    expect(body).toMatchObject({ state: "kept", parts: [{ part: "client_request" }, { part: "upstream_request" }] });
    expect(body.parts[0].text).toContain('"model":"fast"');
    expect((await place.actions()).filter((action) => action === "call_content.read")).toHaveLength(1);
    const operator = await place.signedIn("root@example.com");
    expect((await operator.get("/api/v1/calls/call_0001/content")).body.parts).toHaveLength(2);

    place.platform.shift(8 * day);
    const again = place.browser();
    await again.signIn("ada@example.com", password);
    expect((await again.get(`${path}/content`)).body).toEqual({ state: "expired", parts: [] });
  });

  test("S2 where no content is kept, the answer says why", async () => {
    await using on = await scene(make);
    await on.record({ id: "call_0001", startedAt: on.platform.now() });
    const member = await on.signedIn("ada@example.com", "member");
    const state = async () => (await member.get("/api/v1/accounts/acct_default/calls/call_0001")).body.content.state;
    expect(await state()).toBe("not_kept");
    const { build } = on.database;
    await on.database.write([build.updateTable("access_key").set({ content_logging: 0 }).compile()]);
    expect(await state()).toBe("key_off");

    await using off = await scene(make, { ...contentLogging, enabled: false });
    await off.record({ id: "call_0001", startedAt: off.platform.now() });
    const other = await off.signedIn("ada@example.com", "member");
    const { body } = await other.get("/api/v1/accounts/acct_default/calls/call_0001/content");
    expect(body).toEqual({ state: "installation_off", parts: [] });
    // What operators change holds at once.
    await off.settings.change({ "content_logging.enabled": true }, system);
    const after = await other.get("/api/v1/accounts/acct_default/calls/call_0001/content");
    expect(after.body).toEqual({ state: "not_kept", parts: [] });
  });

  test("S6 S16 an export comes as a file of its own, and is recorded", async () => {
    await using place = await scene(make);
    const startedAt = place.platform.now();
    await place.record({ id: "call_0001", startedAt }, { id: "call_0002", startedAt, model: "=HYPERLINK()" });
    const viewer = await place.signedIn("eve@example.com", "viewer");
    const csv = await viewer.get("/api/v1/accounts/acct_default/calls/export?model=fast");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="calls-\d{4}-\d\d-\d\d\.csv"$/);
    expect(csv.headers.get("x-content-type-options")).toBe("nosniff");
    expect(csv.body.trimEnd().split("\r\n")).toHaveLength(2);
    expect(csv.body).not.toContain("account_name");
    const all = await viewer.get("/api/v1/accounts/acct_default/calls/export");
    expect(all.body).toContain(",'=HYPERLINK(),");

    const operator = await place.signedIn("root@example.com");
    const lines = await operator.get("/api/v1/calls/export?format=ndjson&model=fast");
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(lines.body).toMatchObject({ id: "call_0001", account_name: expect.any(String) });
    expect((await place.actions()).filter((action) => action === "calls.exported")).toHaveLength(3);
  });
});
