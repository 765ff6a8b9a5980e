import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { insertKey } from "../testing/example-rows.ts";
import { openDatabase } from "./open-database.ts";
import { openSnapshot } from "./open-snapshot.ts";

describeEngines((make) => {
  test("M14 a snapshot shows one moment, whatever is written meanwhile, and cannot write", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    try {
      await database.write([insertKey(database, "key_1")]);
      await using snapshot = await openSnapshot(made.config);
      const count = async () => {
        const [row] = await snapshot.rows(sql<{ count: number }>`select count(*) as count from access_key`);
        return row?.count;
      };
      expect(await count()).toBe(1);
      await database.write([insertKey(database, "key_2")]);
      expect(await count()).toBe(1);
      expect(await snapshot.read.selectFrom("access_key").select("id").execute()).toEqual([{ id: "key_1" }]);
      await using later = await openSnapshot(made.config);
      expect(await later.read.selectFrom("access_key").select("id").execute()).toHaveLength(2);
      await expect(later.rows(sql`delete from access_key`)).rejects.toMatchObject({ name: "StorageError" });
    } finally {
      await database.close();
    }
  });
});
