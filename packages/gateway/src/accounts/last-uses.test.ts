import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { insertKey } from "../testing/example-rows.ts";
import { createLastUses } from "./last-uses.ts";

describeEngines((make) => {
  async function stage() {
    const made = await make();
    const database = await openDatabase(made.config);
    await database.write([insertKey(database, "k1"), insertKey(database, "k2")]);
    return {
      database,
      gateway: (bound = 10) => createLastUses(database, bound),
      async times() {
        const rows = await database.read.selectFrom("access_key").select("last_used_at").orderBy("id").execute();
        return rows.map((row) => row.last_used_at);
      },
      async [Symbol.asyncDispose]() {
        await database.close();
        made[Symbol.dispose]();
      },
    };
  }

  test("several gateways write a key's last use at most once a minute together, and none writes an earlier one", async () => {
    await using scene = await stage();
    const [one, two, late] = [scene.gateway(), scene.gateway(), scene.gateway()];
    const use = async (gateway: typeof one, at: number) => {
      // Each has read the key before anybody had used it.
      gateway.note("k1", at, null);
      await gateway.write();
      return (await scene.times())[0];
    };
    expect(await use(one, 100_000)).toBe(100_000);
    expect(await use(two, 110_000)).toBe(100_000);
    expect(await use(two, 170_000)).toBe(170_000);
    expect(await use(late, 50_000)).toBe(170_000);
  });

  test("what was not written stays due; beyond the bound the key that came first is given up", async () => {
    await using scene = await stage();
    const uses = scene.gateway(1);
    uses.note("k1", 100_000, null);
    uses.note("k2", 100_001, 99_000);
    await uses.write();
    expect(await scene.times()).toEqual([null, null]);
    uses.note("k2", 159_000, 99_000);
    await uses.write();
    expect(await scene.times()).toEqual([null, 159_000]);
  });
});
