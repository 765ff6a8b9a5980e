import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Filters of the call log that a user has kept under a name. */
export const savedViews: Migration = {
  async up(database: Kysely<unknown>) {
    const { text, integer, endOfTable } = columnTypes(database);
    await database.schema
      .createTable("saved_view")
      .addColumn("id", text, (column) => column.primaryKey().notNull())
      .addColumn("user_id", text, (column) => column.notNull().references("user.id").onDelete("cascade"))
      // Null: a view of the whole installation, for operators.
      .addColumn("account_id", text, (column) => column.references("account.id").onDelete("cascade"))
      .addColumn("name", text, (column) => column.notNull())
      // JSON object of search parameters.
      .addColumn("search", text, (column) => column.notNull())
      .addColumn("created_at", integer, (column) => column.notNull())
      .modifyEnd(endOfTable)
      .execute();
    await sql`
      create unique index saved_view_by_name on saved_view (user_id, coalesce(account_id, ''), name)`.execute(database);
  },
};
