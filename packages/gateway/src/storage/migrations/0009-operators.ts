import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Settings that are changed while the gateway runs, links by which users set their password, and what lists of operators are ordered by. */
export const operators: Migration = {
  async up(database: Kysely<unknown>) {
    const { text, integer, blob, endOfTable } = columnTypes(database);
    await database.schema
      .createTable("setting")
      .addColumn("name", text, (column) => column.primaryKey().notNull())
      // JSON, as the configuration file spells it: "30d", 600, true.
      .addColumn("value", text, (column) => column.notNull())
      .addColumn("version", integer, (column) => column.notNull().check(sql`version >= 1`))
      .addColumn("updated_at", integer, (column) => column.notNull())
      .addColumn("updated_by", text, (column) => column.notNull())
      .modifyEnd(endOfTable)
      .execute();
    await database.schema
      .createTable("invitation")
      .addColumn("digest", blob, (column) => column.primaryKey().check(sql`length(digest) = 32`))
      .addColumn("user_id", text, (column) => column.notNull().references("user.id").onDelete("cascade"))
      .addColumn("purpose", text, (column) => column.notNull().check(sql`purpose in ('welcome', 'reset')`))
      .addColumn("created_at", integer, (column) => column.notNull())
      .addColumn("expires_at", integer, (column) => column.notNull())
      .addColumn("created_by", text)
      .modifyEnd(endOfTable)
      .execute();
    for (const [table, columns] of [
      ["invitation", ["user_id"]],
      ["invitation", ["expires_at"]],
      ["account", ["created_at", "id"]],
      ["audit_event", ["actor_id", "sequence"]],
      ["audit_event", ["action", "sequence"]],
      ["audit_event", ["target_id", "sequence"]],
      ["audit_event", ["at"]],
      ["price_version", ["source", "created_at"]],
    ] as const) {
      await database.schema
        .createIndex(`${table}_by_${columns[0]}`)
        .on(table)
        .columns([...columns])
        .execute();
    }
    // Names are looked for by their first letters, in either case.
    await sql`create index account_by_lower_name on account (lower(name), id)`.execute(database);
  },
};
