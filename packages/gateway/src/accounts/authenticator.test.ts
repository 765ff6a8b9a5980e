import { expect, test } from "vitest";
import type { AccessKeyConfig } from "../config/config.ts";
import { accessScene, actor, address, limits } from "../testing/access-scene.ts";
import { describeEngines, sqliteDatabase } from "../testing/database-engines.ts";
import { createKeyText } from "./access-key-form.ts";

test.each([
  ["nothing", () => ""],
  ["a space before", (key: string) => ` ${key}`],
  ["a space behind", (key: string) => `${key} `],
  ["a space within", (key: string) => `${key.slice(0, 20)} ${key.slice(20)}`],
  ["a tab", (key: string) => `\t${key}`],
  ["a key that is cut", (key: string) => key.slice(0, -1)],
  ["another case", (key: string) => key.toUpperCase()],
  ["something else", () => "sk-0123456789abcdef0123456789abcdef"],
])("4 %s is refused without a read", async (_name, change) => {
  await using scene = await accessScene(sqliteDatabase);
  const { key } = await scene.keys.create({ name: "ci" }, actor);
  const before = scene.reads();
  expect(scene.authenticator.authenticate(change(key), address)).toEqual({ ok: false, reason: "malformed" });
  expect(scene.reads()).toBe(before);
});

describeEngines((make) => {
  const stage = (declared?: AccessKeyConfig[]) => accessScene(make, declared);

  test("a good key gives its id, name and setting, and from then on no read and no promise", async () => {
    await using scene = await stage();
    const { key, info } = await scene.keys.create({ name: "ci", lossy: "refuse" }, actor);
    const expected = {
      ok: true,
      key: {
        id: info.id,
        name: "ci",
        accountId: "acct_default",
        account: { id: "acct_default", name: "default", billing: "postpaid", markupPpm: 1_000_000, limits: {} },
        lossy: "refuse",
        limits,
        models: null,
        addresses: null,
        quota: null,
        contentLogging: false,
      },
    };
    expect(await scene.authenticator.authenticate(key, address)).toEqual(expected);
    const before = scene.reads();
    expect(scene.authenticator.authenticate(key, address)).toEqual(expected);
    expect(scene.reads()).toBe(before);
  });

  test("what is stored is a digest: the key stands nowhere in the database", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const rows = await scene.database.read.selectFrom("access_key").selectAll().execute();
    const text = JSON.stringify(rows.map((row) => ({ ...row, digest: Buffer.from(row.digest).toString("latin1") })));
    expect(text).not.toContain(key.slice(15, 58));
    expect(rows[0]?.digest).toHaveLength(32);
  });

  test("a well-formed key that nobody made is unknown, and so is one with another's public id", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const foreign = createKeyText(scene.platform.randomBytes).key;
    expect(await scene.authenticator.authenticate(foreign, address)).toEqual({ ok: false, reason: "unknown" });
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    await scene.database.write([
      scene.database.build
        .updateTable("access_key")
        .set({ digest: new Uint8Array(32) })
        .compile(),
      scene.database.build
        .insertInto("change_sequence")
        .values({ entity: "access_key", entity_id: (await scene.keys.list())[0]?.id ?? "", changed_at: 0 })
        .compile(),
    ]);
    await scene.poll();
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "unknown" });
  });

  test("A6 an unknown key costs one read in five seconds", async () => {
    await using scene = await stage();
    const foreign = createKeyText(scene.platform.randomBytes).key;
    await scene.authenticator.authenticate(foreign, address);
    const before = scene.reads();
    expect(scene.authenticator.authenticate(foreign, address)).toEqual({ ok: false, reason: "unknown" });
    expect(scene.reads()).toBe(before);
    for (let poll = 0; poll < 10; poll++) await scene.poll();
    const again = scene.authenticator.authenticate(foreign, address);
    expect(again).toBeInstanceOf(Promise);
    await again;
  });

  test("A1 a key that another process disables or enables is refused or accepted after the next poll", async () => {
    await using scene = await stage();
    const { key, info } = await scene.keys.create({ name: "ci" }, actor);
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    await scene.keys.setState("ci", "disabled", actor);
    expect(scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    await scene.poll();
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "disabled" });
    await scene.keys.setState(info.publicId, "enabled", actor);
    await scene.poll();
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
  });

  test("A1 without a successful look for a second nothing in memory is believed", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    await scene.authenticator.authenticate(key, address);
    await scene.keys.setState("ci", "disabled", actor);
    scene.platform.stall(1001);
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "disabled" });
  });

  test("A2 what was read before a change is not kept after it", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const early = scene.authenticator.authenticate(key, address);
    await scene.keys.setState("ci", "disabled", actor);
    await scene.poll();
    await early;
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "disabled" });
  });

  test("a key expires by itself, also from memory", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci", expiresAt: scene.platform.now() + 400 }, actor);
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    scene.platform.advance(399);
    expect(scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    scene.platform.advance(1);
    expect(scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "expired" });
  });

  test("the last use is written at most once a minute, and is no change of the key", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const lastUse = async () => (await scene.keys.list())[0]?.lastUsedAt;
    await scene.authenticator.authenticate(key, address);
    const first = scene.platform.now();
    await scene.poll();
    await scene.database.write([]);
    expect(await lastUse()).toBe(first);
    scene.authenticator.authenticate(key, address);
    await scene.poll();
    await scene.database.write([]);
    expect(await lastUse()).toBe(first);
    const changes = await scene.database.read.selectFrom("change_sequence").select("sequence").execute();
    expect(changes).toHaveLength(1);
  });

  test("the last use is written at most once a minute over all gateways, and never goes back", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const second = await scene.start([]);
    const lastUse = async () => {
      await scene.database.write([]);
      return (await scene.keys.show("ci")).lastUsedAt;
    };
    await scene.authenticator.authenticate(key, address);
    const first = scene.platform.now();
    await scene.poll();
    scene.platform.advance(59_000);
    // For this gateway it is the first use.
    await second.authenticate(key, address);
    await scene.poll();
    expect(await lastUse()).toBe(first);
    scene.platform.advance(1000);
    await second.authenticate(key, address);
    const later = scene.platform.now();
    await scene.poll();
    expect(await lastUse()).toBe(later);
    scene.platform.jumpWallClock(-200_000);
    await scene.authenticator.authenticate(key, address);
    await scene.poll();
    expect(await lastUse()).toBe(later);
    await second.close();
  });

  test("A1 a hint makes a change be seen before the next poll; one that fails does no harm", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    await scene.authenticator.authenticate(key, address);
    await scene.keys.setState("ci", "disabled", actor);
    await scene.authenticator.lookNow();
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "disabled" });
    await scene.keys.setState("ci", "enabled", actor);
    scene.fail(true);
    await scene.authenticator.lookNow();
    scene.fail(false);
    await scene.poll();
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
  });

  test("A1 a hint during a look is looked after, since the look may have read before the change", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    await scene.authenticator.authenticate(key, address);
    await scene.poll();
    const underWay = scene.authenticator.lookNow();
    const before = scene.reads();
    await scene.authenticator.lookNow();
    await underWay;
    expect(scene.reads()).toBe(before + 1);
  });

  test("A2 whoever keeps keys, accounts or prices in memory is told what changed, once", async () => {
    await using scene = await stage();
    const told: unknown[] = [];
    scene.authenticator.onChanges((changes) => told.push(changes));
    const { id: account } = await scene.accounts.create({ name: "a" }, actor);
    const { info } = await scene.keys.create({ name: "ci" }, actor);
    const price = { entity: "price", entity_id: "price_1", changed_at: 1 } as const;
    await scene.database.write([scene.database.build.insertInto("change_sequence").values(price).compile()]);
    await scene.poll();
    await scene.poll();
    expect(told).toEqual([
      {
        access_key: new Set([info.id]),
        account: new Set([account]),
        price: new Set(["price_1"]),
        channel: new Set(),
        setting: new Set(),
        termination: new Set(),
      },
    ]);
  });

  test("D1 while the database cannot be asked nothing in memory is believed; when it can, all is as before", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    await scene.authenticator.authenticate(key, address);
    scene.fail(true);
    expect(scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    await scene.poll();
    await expect(scene.authenticator.authenticate(key, address)).rejects.toMatchObject({ kind: "unavailable" });
    scene.fail(false);
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    await scene.poll();
    expect(scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
  });

  test("A1 a key's own limits hold after the next poll, beside the configuration's; null takes one back", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci", limits: { concurrency: 3 } }, actor);
    const held = async () => {
      const result = await scene.authenticator.authenticate(key, address);
      return result.ok ? result.key.limits : result;
    };
    expect(await held()).toEqual({ ...limits, concurrency: 3 });
    expect((await scene.keys.set("ci", { limits: { requestsPerMinute: 7 } }, actor)).limits).toEqual({
      requestsPerMinute: 7,
      concurrency: 3,
    });
    expect(await held()).toEqual({ ...limits, concurrency: 3 });
    await scene.poll();
    expect(await held()).toEqual({ ...limits, requestsPerMinute: 7, concurrency: 3 });
    await scene.keys.set("ci", { limits: { concurrency: null } }, actor);
    await scene.poll();
    expect(await held()).toEqual({ ...limits, requestsPerMinute: 7 });
  });

  test("a change needs exactly one key; a revoked one stays revoked; a name is used once", async () => {
    await using scene = await stage([{ name: "file", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" }]);
    await scene.keys.create({ name: "ci" }, actor);
    await expect(scene.keys.create({ name: "ci" }, actor)).rejects.toThrow('An access key named "ci" exists already');
    await expect(scene.keys.setState("nobody", "disabled", actor)).rejects.toThrow('no access key "nobody"');
    await (await scene.start([])).close();
    await expect(scene.keys.setState("file", "enabled", actor)).rejects.toThrow("revoked, which is final");
  });
});
