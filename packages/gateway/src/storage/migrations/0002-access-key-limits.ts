import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** What a key may use, where it is not what the configuration gives to all keys. */
export const accessKeyLimits: Migration = {
  async up(database: Kysely<unknown>) {
    const { integer } = columnTypes(database);
    for (const limit of ["requests_per_minute", "tokens_per_minute", "concurrency"] as const) {
      await database.schema
        .alterTable("access_key")
        .addColumn(limit, integer, (column) => column.check(sql`${sql.ref(limit)} is null or ${sql.ref(limit)} >= 1`))
        .execute();
    }
  },
};
