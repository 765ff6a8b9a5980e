import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** The make of the server that a channel leads to; null: as its address or the model's name tells. */
export const channelDialects: Migration = {
  async up(database: Kysely<unknown>) {
    const { text } = columnTypes(database);
    await database.schema.alterTable("channel").addColumn("dialect", text).execute();
  },
};
