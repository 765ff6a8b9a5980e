import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Lists of calls by what the console filters, sums of how long answers let wait, and the content of calls where it is kept. */
export const callLists: Migration = {
  async up(database: Kysely<unknown>) {
    for (const first of ["model", "channel"] as const) {
      await database.schema.createIndex(`call_by_${first}`).on("call").columns([first, "started_at", "id"]).execute();
    }
    // The rare ones, so that they are found among a million without a walk. A list must repeat the condition in these words.
    await sql`create index call_failed_by_time on ${call} (started_at, id) where ${failed}`.execute(database);
    await sql`create index call_failed_by_account on ${call} (account_id, started_at, id) where ${failed}`.execute(
      database,
    );
    await sql`create index call_with_notices_by_time on ${call} (started_at, id) where notices <> '[]'`.execute(
      database,
    );
    await countWaiting(database);
    await createContent(database);
  },
};

const call = sql.table("call");
const failed = sql.raw("(outcome <> 'succeeded' or status >= 400)");

/** How many calls of an hour had their first token within so many milliseconds, each counted once. */
async function countWaiting(database: Kysely<unknown>): Promise<void> {
  const { integer } = columnTypes(database);
  for (const bucket of buckets) {
    await database.schema
      .alterTable("usage_hour")
      .addColumn(`first_token_${bucket}`, integer, (column) => column.notNull().defaultTo(0))
      .execute();
  }
}

async function createContent(database: Kysely<unknown>): Promise<void> {
  const { text, integer, blob, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("call_content")
    .addColumn("call_id", text, (column) => column.notNull().references("call.id"))
    .addColumn("part", text, (column) =>
      column.notNull().check(sql`part in ('client_request', 'upstream_request', 'upstream_answer', 'client_answer')`),
    )
    .addColumn("stored_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    // Bytes that went over the wire; more than are kept where it was cut.
    .addColumn("size", integer, (column) => column.notNull().check(sql`size >= 0`))
    .addColumn("cut", integer, (column) => column.notNull().check(sql`cut in (0, 1)`))
    // Sealed (storage/sealed-value.ts).
    .addColumn("bytes", blob, (column) => column.notNull())
    .addPrimaryKeyConstraint("call_content_key", ["call_id", "part"])
    .modifyEnd(endOfTable)
    .execute();
  await database.schema.createIndex("call_content_by_expiry").on("call_content").column("expires_at").execute();
}

const buckets = ["100", "200", "400", "800", "1600", "3200", "6400", "12800", "25600", "51200", "beyond"] as const;
