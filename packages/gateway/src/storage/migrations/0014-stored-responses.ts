import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Answers of the responses protocol that callers want to come back to, and where their items are found by id. */
export const storedResponses: Migration = {
  async up(database: Kysely<unknown>) {
    const { text, integer, blob, endOfTable } = columnTypes(database);
    await database.schema
      .createTable("stored_response")
      .addColumn("id", text, (column) => column.primaryKey().notNull())
      .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
      .addColumn("stored_at", integer, (column) => column.notNull())
      .addColumn("expires_at", integer, (column) => column.notNull())
      // Answer and input, compressed and sealed (storage/sealed-value.ts).
      .addColumn("bytes", blob, (column) => column.notNull())
      .modifyEnd(endOfTable)
      .execute();
    await database.schema.createIndex("stored_response_by_expiry").on("stored_response").column("expires_at").execute();

    await database.schema
      .createTable("stored_response_item")
      .addColumn("account_id", text, (column) => column.notNull())
      .addColumn("item_id", text, (column) => column.notNull())
      // The newest answer that the item stands in.
      .addColumn("response_id", text, (column) => column.notNull().references("stored_response.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("stored_response_item_key", ["account_id", "item_id"])
      .modifyEnd(endOfTable)
      .execute();
    await database.schema
      .createIndex("stored_response_item_by_response")
      .on("stored_response_item")
      .column("response_id")
      .execute();
  },
};
