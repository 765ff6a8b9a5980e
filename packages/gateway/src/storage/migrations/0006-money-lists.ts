import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Lists of ledger entries, codes and orders, and codes that are taken back before anyone used them. */
export const moneyLists: Migration = {
  async up(database: Kysely<unknown>) {
    const { integer } = columnTypes(database);
    await database.schema.alterTable("redemption_code").addColumn("revoked_at", integer).execute();
    for (const [table, column] of [
      ["ledger_entry", "at"],
      ["redemption_code", "created_at"],
      ["payment_order", "created_at"],
    ] as const) {
      await database.schema.createIndex(`${table}_by_time`).on(table).columns([column, "id"]).execute();
    }
  },
};
