import { expect, test } from "vitest";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { insertKey } from "../testing/example-rows.ts";
import { type KeyPlace, type ListAccessKeysOptions, listAccessKeys } from "./list-access-keys.ts";

const now = 10_000;
const ours = { accountId: "acct_default", purpose: "calls", order: "newest", limit: 50, now } as const;

async function open(make: MakeDatabase, keys: readonly Partial<AccessKeyTable>[]) {
  const made = await make();
  const database = await openDatabase(made.config);
  await database.write([
    database.build
      .insertInto("account")
      .values({
        ...{ id: "acct_other", name: "other", state: "active", billing: "prepaid", balance: 0n, reserved: 0n },
        ...{ credit_limit: null, markup_ppm: 1_000_000, created_at: 1 },
        ...{ requests_per_minute: null, tokens_per_minute: null, concurrency: null },
      })
      .compile(),
    ...keys.map((values, at) => insertKey(database, values.id ?? `k${String(at).padStart(3, "0")}`, values)),
  ]);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      made[Symbol.dispose]();
    },
  };
}

async function ids(database: Database, options: Partial<ListAccessKeysOptions> = {}): Promise<string[]> {
  return (await listAccessKeys(database, { ...ours, ...options })).keys.map(({ id }) => id);
}

describeEngines((make) => {
  const some: Partial<AccessKeyTable>[] = [
    { id: "ci", name: "CI", created_at: 5, last_used_at: 50 },
    { id: "web", name: "web", created_at: 4, last_used_at: null, state: "disabled" },
    { id: "old", name: "Old", created_at: 3, last_used_at: 70, expires_at: now },
    { id: "new", name: "new", created_at: 6, last_used_at: null, expires_at: now + 1 },
    { id: "gone", name: "gone", created_at: 7, state: "revoked" },
    { id: "try", name: "Playground", created_at: 8, purpose: "playground", user_id: "usr_1" },
    { id: "foreign", name: "ci", created_at: 9, account_id: "acct_other" },
  ];

  test("A7 the keys of one account that can be used or be made so again, in each order; never the playground's", async () => {
    await using scene = await open(make, some);
    expect(await ids(scene.database)).toEqual(["new", "ci", "web", "old"]);
    expect(await ids(scene.database, { order: "name" })).toEqual(["ci", "new", "old", "web"]);
    expect(await ids(scene.database, { order: "used" })).toEqual(["old", "ci", "web", "new"]);
    expect(await ids(scene.database, { purpose: "playground" })).toEqual(["try"]);
    expect(await ids(scene.database, { accountId: "acct_other" })).toEqual(["foreign"]);
    expect(await ids(scene.database, { accountId: "acct_none" })).toEqual([]);
  });

  test("a state is the one that calls meet: a key that has expired by the clock is no enabled one", async () => {
    await using scene = await open(make, some);
    expect(await ids(scene.database, { state: "enabled" })).toEqual(["new", "ci"]);
    expect(await ids(scene.database, { state: "expired" })).toEqual(["old"]);
    expect(await ids(scene.database, { state: "disabled" })).toEqual(["web"]);
    expect(await ids(scene.database, { state: "revoked" })).toEqual(["gone"]);
    const { keys } = await listAccessKeys(scene.database, { ...ours, state: "expired" });
    expect(keys[0]).toMatchObject({ state: "expired", expiresAt: now, purpose: "calls" });
  });

  test("A7 a search finds names by their begin in any case and public ids as they are, in one account", async () => {
    await using scene = await open(make, [
      { id: "a", name: "Build one", public_id: "Qx7aaaaaaa" },
      { id: "b", name: "build TWO", public_id: "buildbbbbb" },
      { id: "c", name: "other%", public_id: "buiccccccc" },
      { id: "d", name: "构建", public_id: "dddddddddd", state: "disabled" },
      { id: "e", name: "Build", account_id: "acct_other", public_id: "Qx7eeeeeee" },
      { id: "f", name: "Build", state: "revoked", public_id: "Qx7fffffff" },
    ]);
    const search = (text: string, more: Partial<ListAccessKeysOptions> = {}) =>
      ids(scene.database, { search: text, ...more });
    expect(await search("BUILD")).toEqual(["a", "b"]);
    // By its name and by its public id, and still once.
    expect(await search("build")).toEqual(["a", "b"]);
    expect(await search("bui")).toEqual(["a", "b", "c"]);
    expect(await search("bu")).toEqual(["a", "b"]);
    expect(await search("Qx7")).toEqual(["a"]);
    expect(await search("qx7")).toEqual([]);
    expect(await search("ilk_Qx7")).toEqual(["a"]);
    expect(await search("ilk_Qx7aaaaaaa_whatever")).toEqual(["a"]);
    expect(await search("Qx7", { state: "revoked" })).toEqual(["f"]);
    expect(await search("构")).toEqual(["d"]);
    expect(await search("%")).toEqual([]);
    expect(await search("other%")).toEqual(["c"]);
    expect(await search("_uild")).toEqual([]);
  });

  test.each(["newest", "name", "used"] as const)(
    "pages by %s hold each key once, also where many stand at one place",
    async (order) => {
      const many = Array.from({ length: 60 }, (_, at) => ({
        name: `key ${at % 7}`,
        created_at: at % 5,
        last_used_at: at % 4 === 0 ? null : at % 6,
        state: (["enabled", "disabled", "enabled"] as const)[at % 3] ?? "enabled",
      }));
      await using scene = await open(make, many);
      const whole = await ids(scene.database, { order, limit: 200 });
      expect(new Set(whole).size).toBe(60);
      const paged: string[] = [];
      let after: KeyPlace | undefined;
      let pages = 0;
      do {
        const page = await listAccessKeys(scene.database, { ...ours, order, limit: 7, after });
        paged.push(...page.keys.map(({ id }) => id));
        after = page.next ?? undefined;
        pages += 1;
      } while (after);
      expect(paged).toEqual(whole);
      expect(pages).toBe(9);
    },
  );

  test("former secrets are those of the key, as long as they are good", async () => {
    await using scene = await open(make, some);
    const { build } = scene.database;
    const former = (public_id: string, access_key_id: string, expires_at: number) =>
      build
        .insertInto("former_secret")
        .values({ public_id, access_key_id, digest: new Uint8Array(32), pepper_version: 1, expires_at })
        .compile();
    await scene.database.write([former("f1", "ci", now + 2), former("f2", "ci", now), former("f3", "new", now + 1)]);
    const { keys } = await listAccessKeys(scene.database, ours);
    expect(keys.map(({ id, formerSecrets }) => [id, formerSecrets])).toEqual([
      ["new", [{ publicId: "f3", expiresAt: now + 1 }]],
      ["ci", [{ publicId: "f1", expiresAt: now + 2 }]],
      ["web", []],
      ["old", []],
    ]);
  });
});
