import { expect, test } from "vitest";
import type { AccountConfig } from "../config/config.ts";
import { accessScene, actor, address } from "../testing/access-scene.ts";
import { describeEngines } from "../testing/database-engines.ts";

const dollar = 1_000_000_000n;
const listPrice = 1_000_000;

describeEngines((make) => {
  const stage = (accounts: AccountConfig[] = []) => accessScene(make, [], accounts);
  type Scene = Awaited<ReturnType<typeof stage>>;

  /** What the ledger does: moves money by a delta. */
  const move = (scene: Scene, id: string, balance: bigint, reserved = 0n) =>
    scene.database.write([
      {
        sql: `UPDATE account SET balance = balance + ${balance}, reserved = reserved + ${reserved} WHERE id = '${id}'`,
        parameters: [],
      },
    ]);

  test("a new account is prepaid, active, without money and without limits of its own", async () => {
    await using scene = await stage();
    const info = await scene.accounts.create({ name: "Acme Inc." }, actor);
    expect(info).toEqual({
      id: expect.stringMatching(/^acct_\w{26}$/),
      name: "Acme Inc.",
      state: "active",
      billing: "prepaid",
      balance: 0n,
      reserved: 0n,
      available: 0n,
      creditLimit: null,
      markupPpm: listPrice,
      limits: {},
      createdAt: scene.platform.now(),
    });
    expect(await scene.accounts.show("Acme Inc.")).toEqual(info);
    expect(await scene.accounts.show(info.id)).toEqual(info);
    expect((await scene.accounts.list()).map(({ name }) => name)).toEqual(["Acme Inc.", "default"]);
  });

  test("what is available follows from billing, balance, reservations and credit, exact beyond 2^53", async () => {
    await using scene = await stage();
    const { id } = await scene.accounts.create({ name: "a" }, actor);
    await move(scene, id, 9_007_199_254_740_993n, 1n);
    const money = { balance: 9_007_199_254_740_993n, reserved: 1n };
    expect(await scene.accounts.show(id)).toMatchObject({ ...money, available: 9_007_199_254_740_992n });
    expect(await scene.accounts.set(id, { billing: "postpaid" }, actor)).toMatchObject({ ...money, available: null });
    const creditLimit = 9_000_000_000_000_000_000n;
    expect(await scene.accounts.set(id, { creditLimit: dollar }, actor)).toMatchObject({
      ...money,
      available: 9_007_200_254_740_992n,
    });
    expect(await scene.accounts.set(id, { creditLimit }, actor)).toMatchObject({ creditLimit });
  });

  test("M10 no setting writes a balance: money that moved between reading and writing stays moved", async () => {
    await using scene = await stage();
    const { id } = await scene.accounts.create({ name: "a" }, actor);
    await Promise.all([
      scene.accounts.set(id, { name: "b", markupPpm: 0 }, actor),
      move(scene, id, 5n * dollar, dollar),
      scene.accounts.setState(id, "suspended", actor),
    ]);
    const settings = { name: "b", markupPpm: 0, state: "suspended" };
    expect(await scene.accounts.show(id)).toMatchObject({ ...settings, balance: 5n * dollar, reserved: dollar });
  });

  test("M6 an account that owes money cannot be prepaid until it is topped up", async () => {
    await using scene = await stage();
    const { id } = await scene.accounts.create({ name: "a", billing: "postpaid" }, actor);
    await move(scene, id, -1n);
    await expect(scene.accounts.set(id, { billing: "prepaid" }, actor)).rejects.toMatchObject({
      code: "refused",
      field: "billing",
    });
    await move(scene, id, 1n);
    expect((await scene.accounts.set(id, { billing: "prepaid" }, actor)).billing).toBe("prepaid");
  });

  test("A2 a change of an account holds for all its keys from the next poll on, suspension too", async () => {
    await using scene = await stage();
    await scene.accounts.create({ name: "a", billing: "postpaid" }, actor);
    const keys = [
      (await scene.keys.create({ name: "one", account: "a" }, actor)).key,
      (await scene.keys.create({ name: "two", account: "a" }, actor)).key,
    ];
    const { key: foreign } = await scene.keys.create({ name: "three" }, actor);
    await scene.poll();
    const judged = () => Promise.all(keys.map((key) => scene.authenticator.authenticate(key, address)));
    for (const result of await judged()) expect(result).toMatchObject({ key: { account: { limits: {} } } });
    expect(await scene.authenticator.authenticate(foreign, address)).toMatchObject({ ok: true });

    await scene.accounts.set("a", { limits: { concurrency: 7 }, markupPpm: 950_000, name: "b" }, actor);
    await scene.poll();
    const account = { name: "b", billing: "postpaid", markupPpm: 950_000, limits: { concurrency: 7 } };
    for (const result of await judged()) expect(result).toMatchObject({ ok: true, key: { account } });

    await scene.accounts.setState("b", "suspended", actor);
    await scene.poll();
    for (const result of await judged()) expect(result).toEqual({ ok: false, reason: "suspended" });
    expect(scene.authenticator.authenticate(foreign, address)).toMatchObject({ ok: true });

    await scene.accounts.setState("b", "active", actor);
    await scene.poll();
    for (const result of await judged()) expect(result).toMatchObject({ ok: true });
  });

  test("a key that is no longer good tells nothing of its account: 401 goes before suspension", async () => {
    await using scene = await stage();
    await scene.accounts.create({ name: "a" }, actor);
    const { key } = await scene.keys.create({ name: "ci", account: "a", addresses: [] }, actor);
    await scene.accounts.setState("a", "suspended", actor);
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "suspended" });
    await scene.keys.setState("ci", "disabled", actor);
    await scene.poll();
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "disabled" });
  });

  test.each([
    ["name", { name: "" }],
    ["creditLimit", { creditLimit: -1n }],
    ["creditLimit", { creditLimit: 9_000_000_000_000_000_001n }],
    ["markupPpm", { markupPpm: -1 }],
    ["markupPpm", { markupPpm: 0.5 }],
    ["markupPpm", { markupPpm: 1_000_000_001 }],
    ["tokensPerMinute", { limits: { tokensPerMinute: 1_000_000_001 } }],
  ] as const)("a wrong %s is refused and named, case %#", async (field, settings) => {
    await using scene = await stage();
    const { id } = await scene.accounts.create({ name: "a" }, actor);
    const create = scene.accounts.create({ name: "b", ...settings }, actor);
    await expect(create).rejects.toMatchObject({ code: "invalid", field });
    await expect(scene.accounts.set(id, settings, actor)).rejects.toMatchObject({ code: "invalid", field });
  });

  test("a name is used once; what is not there is told", async () => {
    await using scene = await stage();
    const { id } = await scene.accounts.create({ name: "a" }, actor);
    const taken = { code: "taken", message: 'An account named "default" exists already' };
    await expect(scene.accounts.create({ name: "default" }, actor)).rejects.toMatchObject(taken);
    await expect(scene.accounts.set(id, { name: "default" }, actor)).rejects.toMatchObject(taken);
    await expect(scene.accounts.show("nobody")).rejects.toMatchObject({ code: "unknown" });
  });

  test("S16 every change leaves an entry that the account may read; nothing changed, no entry", async () => {
    await using scene = await stage();
    const { id } = await scene.accounts.create({ name: "a", billing: "postpaid", creditLimit: dollar }, actor);
    await scene.accounts.set(id, { creditLimit: null }, actor);
    await scene.accounts.set(id, { creditLimit: null }, actor);
    await scene.accounts.setState(id, "active", actor);
    await scene.accounts.setState(id, "suspended", actor);
    const entries = await scene.database.read.selectFrom("audit_event").selectAll().orderBy("sequence").execute();
    expect(entries.map(({ action }) => action)).toEqual(["account.created", "account.changed", "account.suspended"]);
    for (const entry of entries) expect(entry).toMatchObject({ actor_id: actor.id, target_id: id, account_id: id });
    expect(JSON.parse(entries[1]?.detail ?? "")).toEqual({
      credit_limit_before: "1000000000",
      credit_limit_after: null,
    });
    expect(scene.published.times).toBe(3);
  });

  test("a declared account is made once, follows the file at every start, and stays when it leaves it", async () => {
    const declared: AccountConfig = {
      name: "team",
      billing: "postpaid",
      creditLimit: 5n * dollar,
      markupPpm: 1_100_000,
      limits: { concurrency: 9 },
    };
    await using scene = await stage([declared]);
    const made = await scene.accounts.show("team");
    expect(made).toMatchObject({ ...declared, state: "active" });
    await expect(scene.accounts.set("team", { markupPpm: 0 }, actor)).rejects.toMatchObject({ code: "declared" });
    await scene.accounts.setState("team", "suspended", actor);

    const both = await Promise.all([
      scene.start(
        [],
        [
          { ...declared, limits: {} },
          { ...declared, name: "new" },
        ],
      ),
      scene.start(
        [],
        [
          { ...declared, limits: {} },
          { ...declared, name: "new" },
        ],
      ),
    ]);
    expect(await scene.accounts.show("team")).toEqual({ ...made, state: "suspended", limits: {} });
    expect((await scene.accounts.list()).map(({ name }) => name)).toEqual(["default", "new", "team"]);
    for (const gateway of both) await gateway.close();
    await (await scene.start([], [])).close();
    expect((await scene.accounts.list()).map(({ name }) => name)).toEqual(["default", "new", "team"]);

    await move(scene, made.id, -1n);
    const prepaid: AccountConfig = { ...declared, billing: "prepaid", creditLimit: null };
    await expect(scene.start([], [prepaid])).rejects.toMatchObject({ code: "refused" });
  });
});
