import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Lists of an account's keys in any order, and keys that the playground uses on behalf of a user. */
export const accessKeyLists: Migration = {
  async up(database: Kysely<unknown>) {
    const { text } = columnTypes(database);
    await database.schema
      .alterTable("access_key")
      .addColumn("purpose", text, (column) =>
        column.notNull().defaultTo("calls").check(sql`purpose in ('calls', 'playground')`),
      )
      .execute();
    // The user whom a playground key serves.
    await database.schema.alterTable("access_key").addColumn("user_id", text).execute();

    // One for each order of the list. The expiry at the end lets expired keys be told from others without a look at the rows.
    for (const [name, place] of [
      ["age", "created_at"],
      ["name", "lower(name)"],
      ["use", "coalesce(last_used_at, 0)"],
    ] as const) {
      await sql`
        create index ${sql.id(`access_key_list_by_${name}`)}
        on access_key (account_id, purpose, state, ${sql.raw(place)}, id, expires_at)`.execute(database);
    }
    await database.schema
      .createIndex("access_key_by_account_and_name")
      .on("access_key")
      .columns(["account_id", "name"])
      .execute();
    await sql`
      create unique index access_key_playground_once on access_key (account_id, user_id)
      where purpose = 'playground' and state <> 'revoked'`.execute(database);
  },
};
