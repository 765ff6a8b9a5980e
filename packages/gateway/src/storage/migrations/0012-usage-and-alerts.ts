import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Sums by account for dashboards, lists of the ledger by what they are filtered, and alerts about money that runs low. */
export const usageAndAlerts: Migration = {
  async up(database: Kysely<unknown>) {
    await createAccountSums(database);
    await createTopKeys(database);
    await createLists(database);
    await createAlerts(database);
    // All ended hours are summed up again, into the new tables, too. Until then readers take them from `usage_hour`.
    await sql`update usage_total_state set closed_until = 0, checked_until = 0`.execute(database);
  },
};

/** Read in the order of their keys, thousands of rows at once. */
function clustered(database: Kysely<unknown>) {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  return isPostgres ? sql`` : sql`strict, without rowid`;
}

/** Sums of ended hours, of one account by one thing, and by all things but the key. */
async function createAccountSums(database: Kysely<unknown>): Promise<void> {
  const { text, integer } = columnTypes(database);
  let totals = database.schema
    .createTable("usage_account_total")
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("dimension", text, (column) =>
      column.notNull().check(sql`dimension in ('model', 'channel', 'client_protocol')`),
    )
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("value", text, (column) => column.notNull());
  for (const sum of sums) totals = totals.addColumn(sum, integer, (column) => column.notNull());
  await totals
    .addPrimaryKeyConstraint("usage_account_total_key", ["account_id", "dimension", "hour", "value"])
    .modifyEnd(clustered(database))
    .execute();
  await database.schema
    .createIndex("usage_account_total_by_value")
    .on("usage_account_total")
    .columns(["dimension", "value", "hour"])
    .execute();
  await database.schema.createIndex("usage_account_total_by_time").on("usage_account_total").column("hour").execute();

  let hours = database.schema
    .createTable("usage_account_hour")
    // Empty: all accounts together.
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("model", text, (column) => column.notNull())
    .addColumn("channel", text, (column) => column.notNull())
    .addColumn("client_protocol", text, (column) => column.notNull());
  for (const sum of sums) hours = hours.addColumn(sum, integer, (column) => column.notNull());
  await hours
    .addPrimaryKeyConstraint("usage_account_hour_key", ["account_id", "hour", "model", "channel", "client_protocol"])
    .modifyEnd(clustered(database))
    .execute();
  await database.schema.createIndex("usage_account_hour_by_time").on("usage_account_hour").column("hour").execute();
}

/** The keys that cost most in an hour: who cost most in a month is among them. */
async function createTopKeys(database: Kysely<unknown>): Promise<void> {
  const { text, integer } = columnTypes(database);
  await database.schema
    .createTable("usage_key_top")
    // Empty: of all accounts together.
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("access_key_id", text, (column) => column.notNull())
    .addColumn("calls", integer, (column) => column.notNull())
    .addColumn("charge", integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key_top_key", ["account_id", "hour", "access_key_id"])
    .modifyEnd(clustered(database))
    .execute();
  await database.schema.createIndex("usage_key_top_by_time").on("usage_key_top").column("hour").execute();
}

async function createLists(database: Kysely<unknown>): Promise<void> {
  // Calls make most lines of a ledger: all others are found without a walk past them.
  await sql`
    create index ledger_entry_credits on ledger_entry (account_id, at, id) where kind <> 'charge'`.execute(database);
  await database.schema
    .createIndex("payment_order_by_account")
    .on("payment_order")
    .columns(["account_id", "created_at", "id"])
    .execute();
  await sql`
    create index access_key_with_quota on access_key (account_id, last_used_at) where quota is not null`.execute(
    database,
  );
}

async function createAlerts(database: Kysely<unknown>): Promise<void> {
  const { text, integer, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("alert_setting")
    .addColumn("account_id", text, (column) => column.primaryKey().notNull().references("account.id"))
    // JSON list of whole percents of what was there that are used up.
    .addColumn("thresholds", text, (column) => column.notNull())
    .addColumn("balance", integer, (column) => column.notNull().check(sql`balance in (0, 1)`))
    .addColumn("quotas", integer, (column) => column.notNull().check(sql`quotas in (0, 1)`))
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createTable("alert_acknowledgement")
    .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
    .addColumn("subject", text, (column) =>
      column.notNull().check(sql`subject in ('balance', 'credit_limit', 'key_quota')`),
    )
    // The access key; empty where it is about the account.
    .addColumn("subject_id", text, (column) => column.notNull())
    // Of what the percents are: another top-up, limit, quota or window is another crossing.
    .addColumn("basis", text, (column) => column.notNull())
    .addColumn("threshold", integer, (column) => column.notNull())
    .addColumn("acknowledged_at", integer, (column) => column.notNull())
    .addColumn("acknowledged_by", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("alert_acknowledgement_key", ["account_id", "subject", "subject_id", "basis", "threshold"])
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
  "first_token_100",
  "first_token_200",
  "first_token_400",
  "first_token_800",
  "first_token_1600",
  "first_token_3200",
  "first_token_6400",
  "first_token_12800",
  "first_token_25600",
  "first_token_51200",
  "first_token_beyond",
] as const;
