import { expect, test } from "vitest";
import { describeEngines, type MakeDatabase } from "../../testing/database-engines.ts";
import { insertKey } from "../../testing/example-rows.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const keys = "/api/v1/accounts/acct_default/keys";

/** A console with a member of the default account, who has signed in. */
async function stage(make: MakeDatabase, role: "member" | "viewer" | "owner" = "member") {
  const place = await startTestConsole(await make());
  await place.users.create({ email: "ada@example.com", name: "Ada", password }, { operator: false }, system);
  await place.users.setRole("ada@example.com", "acct_default", role, system);
  const browser = place.browser();
  await browser.signIn("ada@example.com", password);
  return {
    ...place,
    browser,
    entry: async () => {
      const entry = await place.database.read
        .selectFrom("audit_event")
        .selectAll()
        .orderBy("sequence", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      return { ...entry, detail: JSON.parse(entry.detail) };
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

describeEngines((make) => {
  test("S16 a key is made, changed, switched, rotated and ended, each with its entry; its secret is told twice, never again", async () => {
    await using scene = await stage(make);
    const made = await scene.browser.post(keys, {
      name: "ci",
      quota: { amount: "25000000000", period: "month" },
      models: ["gpt-*"],
      limits: { concurrency: 3 },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        secret: expect.stringMatching(/^ilk_/),
        key: {
          name: "ci",
          state: "enabled",
          models: ["gpt-*"],
          limits: { concurrency: 3, requests_per_minute: null },
          quota: { amount: "25000000000", period: "month", used: "0" },
          declared: false,
        },
      },
    });
    const { id } = made.body.key;
    expect(await scene.entry()).toMatchObject({
      action: "access_key.created",
      target_id: id,
      account_id: "acct_default",
    });
    expect((await scene.entry()).actor_name).toBe("ada@example.com");

    const changed = await scene.browser.send("PATCH", `${keys}/${id}`, {
      name: "build",
      quota: null,
      expires_at: null,
    });
    expect(changed).toMatchObject({ status: 200, body: { name: "build", quota: null, models: ["gpt-*"] } });
    expect((await scene.entry()).detail).toMatchObject({ name_before: "ci", name_after: "build" });
    const entries = (await scene.actions()).length;
    expect((await scene.browser.send("PATCH", `${keys}/${id}`, { name: "build" })).status).toBe(200);
    expect((await scene.browser.post(`${keys}/${id}/enable`, undefined)).status).toBe(200);
    expect(await scene.actions()).toHaveLength(entries);

    expect((await scene.browser.post(`${keys}/${id}/disable`, {})).body.state).toBe("disabled");
    expect((await scene.browser.post(`${keys}/${id}/enable`, undefined)).body.state).toBe("enabled");
    const rotated = await scene.browser.post(`${keys}/${id}/rotate`, { grace_ms: 3_600_000 });
    expect(rotated.body.key.former_secrets).toHaveLength(1);
    expect(rotated.body.secret).not.toBe(made.body.secret);
    expect(await scene.browser.post(`${keys}/${id}/revoke`, { name: "ci" })).toMatchObject({
      status: 400,
      body: { error: { code: "wrong_name", field: "name" } },
    });
    expect((await scene.browser.post(`${keys}/${id}/revoke`, { name: "build" })).body.state).toBe("revoked");
    expect((await scene.actions()).slice(-5)).toEqual([
      "access_key.changed",
      "access_key.disabled",
      "access_key.enabled",
      "access_key.rotated",
      "access_key.revoked",
    ]);
    const listed = JSON.stringify((await scene.browser.get(keys)).body);
    for (const { body } of [made, rotated]) expect(listed).not.toContain(body.secret.slice(15));
    expect((await scene.browser.post(`${keys}/${id}/enable`, undefined)).body.error.code).toBe("revoked");
  });

  test("A8 what is not for the caller to set is refused by its name, and so is what is out of bounds", async () => {
    await using scene = await stage(make);
    for (const field of ["account_id", "state", "origin", "purpose", "digest", "user_id", "id"]) {
      expect(await scene.browser.post(keys, { name: "x", [field]: "x" })).toMatchObject({
        status: 400,
        body: { error: { code: "unknown_field", field } },
      });
    }
    for (const [field, body] of [
      ["name", { name: " " }],
      ["models", { name: "x", models: ["no model"] }],
      ["addresses", { name: "x", addresses: ["somewhere"] }],
      ["expires_at", { name: "x", expires_at: 1 }],
      ["quota", { name: "x", quota: { amount: "9000000000000001", period: "day" } }],
      ["quota.amount", { name: "x", quota: { amount: "-1", period: "day" } }],
      ["limits.concurrency", { name: "x", limits: { concurrency: 0 } }],
    ] as const) {
      expect(await scene.browser.post(keys, body)).toMatchObject({ status: 400, body: { error: { field } } });
    }
    expect((await scene.browser.get(keys)).body.items).toEqual([]);
    await scene.browser.post(keys, { name: "x" });
    expect(await scene.browser.post(keys, { name: "x" })).toMatchObject({
      status: 409,
      body: { error: { code: "name_taken", field: "name" } },
    });
  });

  test("A7 keys of another account are not there; a viewer reads and changes nothing", async () => {
    await using scene = await stage(make, "viewer");
    const { build, write } = scene.database;
    await write([
      build
        .insertInto("account")
        .values({
          ...{ id: "acct_other", name: "other", state: "active", billing: "prepaid", balance: 0n, reserved: 0n },
          ...{ credit_limit: null, markup_ppm: 1_000_000, created_at: 1 },
          ...{ requests_per_minute: null, tokens_per_minute: null, concurrency: null },
        })
        .compile(),
      insertKey(scene.database, "key_ours"),
      insertKey(scene.database, "key_theirs", { account_id: "acct_other" }),
    ]);
    expect((await scene.browser.get(keys)).body.items.map(({ id }: { id: string }) => id)).toEqual(["key_ours"]);
    expect((await scene.browser.get(`${keys}/key_ours`)).status).toBe(200);
    expect((await scene.browser.get(`${keys}/key_theirs`)).status).toBe(404);
    expect((await scene.browser.get("/api/v1/accounts/acct_other/keys")).status).toBe(404);
    expect((await scene.browser.post(keys, { name: "x" })).status).toBe(403);
    expect((await scene.browser.post(`${keys}/key_ours/disable`, {})).status).toBe(403);
    expect((await scene.browser.post("/api/v1/accounts/acct_default/playground-key", undefined)).status).toBe(403);

    await scene.users.setRole("ada@example.com", "acct_default", "member", system);
    await scene.browser.signIn("ada@example.com", password);
    for (const [way, body] of [
      ["disable", {}],
      ["enable", undefined],
      ["rotate", { grace_ms: 0 }],
      ["revoke", { name: "key_theirs" }],
    ] as const) {
      expect((await scene.browser.post(`${keys}/key_theirs/${way}`, body)).status).toBe(404);
    }
    const all = { ids: ["key_ours", "key_theirs"] };
    expect((await scene.browser.post(`${keys}/disable`, all)).status).toBe(404);
    expect((await scene.browser.get(`${keys}/key_ours`)).body.state).toBe("enabled");
  });

  test("keys of the configuration file are switched, but not changed", async () => {
    await using scene = await stage(make);
    await scene.database.write([insertKey(scene.database, "key_file", { origin: "configuration" })]);
    expect((await scene.browser.get(`${keys}/key_file`)).body.declared).toBe(true);
    const refused = { status: 409, body: { error: { code: "declared_in_configuration" } } };
    expect(await scene.browser.send("PATCH", `${keys}/key_file`, { name: "x" })).toMatchObject(refused);
    expect(await scene.browser.post(`${keys}/key_file/rotate`, { grace_ms: 0 })).toMatchObject(refused);
    expect(await scene.browser.post(`${keys}/key_file/revoke`, { name: "key_file" })).toMatchObject(refused);
    expect((await scene.browser.post(`${keys}/key_file/disable`, {})).status).toBe(200);
  });

  test("S16 many keys are disabled together, each with an entry of its own; those that are not enabled stay as they are", async () => {
    await using scene = await stage(make);
    await scene.database.write([
      insertKey(scene.database, "k1"),
      insertKey(scene.database, "k2", { state: "disabled" }),
      insertKey(scene.database, "k3"),
      insertKey(scene.database, "k4"),
    ]);
    const before = (await scene.actions()).length;
    const answer = await scene.browser.post(`${keys}/disable`, { ids: ["k1", "k2", "k3", "k1"], terminate: true });
    expect(answer.status).toBe(200);
    const states = answer.body.items.map(({ id, state }: { id: string; state: string }) => [id, state]);
    expect(new Map(states)).toEqual(new Map(["k1", "k2", "k3"].map((id) => [id, "disabled"])));
    expect((await scene.actions()).slice(before)).toEqual(["access_key.disabled", "access_key.disabled"]);
    expect((await scene.browser.get(`${keys}/k4`)).body.state).toBe("enabled");
    const changes = await scene.database.read
      .selectFrom("change_sequence")
      .select(["entity", "entity_id"])
      // Keys that are disabled together end in no order.
      .orderBy("entity_id")
      .execute();
    expect(changes.filter(({ entity }) => entity === "termination").map(({ entity_id }) => entity_id)).toEqual([
      "k1",
      "k3",
    ]);
    const again = await scene.browser.post(`${keys}/disable`, { ids: ["k1"] });
    expect(again.status).toBe(200);
  });

  test("a list goes on by its cursor, which is good for lists of its order alone", async () => {
    await using scene = await stage(make);
    await scene.database.write(["a", "b", "c"].map((id, at) => insertKey(scene.database, id, { created_at: at })));
    const first = await scene.browser.get(`${keys}?limit=2&sort=name`);
    expect(first.body.items.map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
    const second = await scene.browser.get(`${keys}?limit=2&sort=name&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ items: [{ name: "c" }], next: null });
    for (const query of [`sort=newest&cursor=${first.body.next}`, "cursor=x", "sort=oldest", "limit=0", "page=2"]) {
      expect((await scene.browser.get(`${keys}?${query}`)).status).toBe(400);
    }
    expect((await scene.browser.get(`${keys}?search=B`)).body.items).toMatchObject([{ id: "b" }]);
    expect((await scene.browser.get(`${keys}?state=disabled`)).body).toEqual({ items: [], next: null });
  });

  test("the playground's key is its user's own, and in no list unless asked for", async () => {
    await using scene = await stage(make);
    const path = "/api/v1/accounts/acct_default/playground-key";
    const given = await scene.browser.post(path, undefined);
    expect(given).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^ilk_/) } });
    expect((await scene.entry()).action).toBe("access_key.playground_given");
    expect((await scene.browser.post(path, undefined)).body.id).toBe(given.body.id);
    expect((await scene.browser.get(keys)).body.items).toEqual([]);
    expect((await scene.browser.get(`${keys}?purpose=playground`)).body.items).toMatchObject([
      { id: given.body.id, name: "Playground · Ada", purpose: "playground" },
    ]);
  });
});
