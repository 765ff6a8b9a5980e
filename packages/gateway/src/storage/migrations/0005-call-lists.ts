import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Lists of calls by what the console filters, sums of how long answers let wait, and the content of calls where it is kept. */
export const callLists: Migration = {
  async up(database: Kysely<unknown>) {
    for (const first of ["model", "channel"] as const) {
      await database.schema.createIndex(`call_by_${first}`).on("call").columns([first, "started_at", "id"]).execute();
    }
    // The rare ones, so that they are found among a million without a walk. A list must repeat the condition in these words.
    for (const [name, columns, condition] of [
      ["failed_by_time", "started_at, id", failed],
      ["failed_by_account", "account_id, started_at, id", failed],
      ["by_error_kind", "error_kind, started_at, id", "error_kind is not null"],
      ["by_status", "status, started_at, id", "status >= 400"],
      ["by_outcome", "outcome, started_at, id", "outcome <> 'succeeded'"],
      ["costly_by_time", "started_at, id", "charge >= 1000000000"],
      ["with_notices_by_time", "started_at, id", "notices <> '[]'"],
    ] as const) {
      const columnList = sql.raw(columns);
      await sql`
        create index ${sql.id(`call_${name}`)} on ${call} (${columnList}) where ${sql.raw(condition)}`.execute(
        database,
      );
    }
    await countWaiting(database);
    await createTotals(database);
    await createContent(database);
  },
};

const call = sql.table("call");
const failed = "(outcome <> 'succeeded' or status >= 400 or error_kind is not null)";

function isPostgres(database: Kysely<unknown>): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

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

/** Sums of `usage_hour` by one thing alone, of hours that have ended. */
async function createTotals(database: Kysely<unknown>): Promise<void> {
  const { text, integer, endOfTable } = columnTypes(database);
  let totals = database.schema
    .createTable("usage_total")
    .addColumn("dimension", text, (column) =>
      column.notNull().check(sql`dimension in ('all', 'account', 'model', 'channel', 'client_protocol')`),
    )
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("value", text, (column) => column.notNull());
  for (const sum of [...sums, ...buckets.map((bucket) => `first_token_${bucket}`)]) {
    totals = totals.addColumn(sum, integer, (column) => column.notNull());
  }
  await totals
    .addPrimaryKeyConstraint("usage_total_key", ["dimension", "hour", "value"])
    // Read in the order of its key, thousands of rows at once.
    .modifyEnd(isPostgres(database) ? endOfTable : sql`strict, without rowid`)
    .execute();
  await database.schema.createIndex("usage_total_by_time").on("usage_total").column("hour").execute();
  await database.schema
    .createIndex("usage_total_by_value")
    .on("usage_total")
    .columns(["dimension", "value", "hour"])
    .execute();

  await database.schema
    .createTable("usage_total_state")
    .addColumn("id", integer, (column) => column.primaryKey().check(sql`id = 1`))
    // Hours before this are in the totals.
    .addColumn("closed_until", integer, (column) => column.notNull())
    // Hours before this were summed up once more, some time after they were closed.
    .addColumn("checked_until", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await sql`insert into usage_total_state (id, closed_until, checked_until) values (1, 0, 0)`.execute(database);

  // Calls that were recorded after their hour was closed: its totals are summed up again.
  await database.schema
    .createTable("usage_late")
    .addColumn("call_id", text, (column) => column.primaryKey().notNull())
    .addColumn("hour", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
}

const sums = [
  "calls",
  "succeeded",
  "input_uncached",
  "input_cache_read",
  "input_cache_write",
  "output_total",
  "output_reasoning",
  "charge",
  "overrun",
  "duration_ms",
] as const;

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
