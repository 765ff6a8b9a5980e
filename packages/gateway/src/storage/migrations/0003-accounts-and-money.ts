import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { appendOnly } from "./append-only.ts";
import { type ColumnTypes, columnTypes } from "./column-types.ts";

/**
 * Accounts, the money they hold and reserve, quotas of keys, price versions, the ledger, payments, and what a call tells
 * of its price. Money is whole nano-dollars.
 */
export const accountsAndMoney: Migration = {
  async up(database: Kysely<unknown>) {
    const types = columnTypes(database);
    await createAccounts(database, types);
    await extendAccessKeys(database, types);
    await createMoney(database, types);
    await createPayments(database, types);
    await remakeCalls(database, types);
    await createUsage(database, types);
  },
};

/** The account that owns everything where an operator has made no other. May owe without bound: it is the operator's own. */
const defaultAccount = "acct_default";

async function createAccounts(database: Kysely<unknown>, { text, integer, endOfTable }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("account")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("name", text, (column) => column.notNull().unique())
    .addColumn("state", text, (column) => column.notNull().check(sql`state in ('active', 'suspended')`))
    .addColumn("billing", text, (column) => column.notNull().check(sql`billing in ('prepaid', 'postpaid')`))
    .addColumn("balance", integer, (column) => column.notNull())
    .addColumn("reserved", integer, (column) => column.notNull().check(sql`reserved >= 0`))
    .addColumn("credit_limit", integer, (column) => column.check(sql`credit_limit is null or credit_limit >= 0`))
    .addColumn("markup_ppm", integer, (column) => column.notNull().check(sql`markup_ppm between 0 and 1000000000`))
    .addColumn("requests_per_minute", integer, (column) => column.check(sql`requests_per_minute >= 1`))
    .addColumn("tokens_per_minute", integer, (column) => column.check(sql`tokens_per_minute >= 1`))
    .addColumn("concurrency", integer, (column) => column.check(sql`concurrency >= 1`))
    .addColumn("created_at", integer, (column) => column.notNull())
    // What is reserved is covered, whatever a program does (M6).
    .addCheckConstraint("account_covered", sql`billing = 'postpaid' or balance >= reserved`)
    .modifyEnd(endOfTable)
    .execute();
  await sql`
    insert into account (id, name, state, billing, balance, reserved, markup_ppm, created_at)
    values (${defaultAccount}, 'default', 'active', 'postpaid', 0, 0, 1000000, 0)`.execute(database);
}

async function extendAccessKeys(
  database: Kysely<unknown>,
  { text, integer, blob, endOfTable }: ColumnTypes,
): Promise<void> {
  const add = (name: string, type: ColumnTypes["text"] | ColumnTypes["integer"], rule?: ReturnType<typeof sql>) =>
    database.schema
      .alterTable("access_key")
      .addColumn(name, type, (column) => (rule ? column.check(rule) : column))
      .execute();
  await database.schema
    .alterTable("access_key")
    .addColumn("account_id", text, (column) => column.notNull().defaultTo(defaultAccount))
    .execute();
  // JSON lists; null means all, an empty list means none.
  await add("models", text);
  await add("addresses", text);
  await add("quota", integer, sql`quota is null or quota >= 0`);
  await add("quota_period", text, sql`quota_period in ('total', 'day', 'week', 'month')`);
  await database.schema
    .alterTable("access_key")
    .addColumn("content_logging", integer, (column) =>
      column.notNull().defaultTo(0).check(sql`content_logging in (0, 1)`),
    )
    .execute();
  await database.schema.createIndex("access_key_by_account").on("access_key").columns(["account_id", "id"]).execute();

  // Secrets that a rotation has replaced and that are still good for a while.
  await database.schema
    .createTable("former_secret")
    .addColumn("public_id", text, (column) => column.primaryKey().notNull())
    .addColumn("access_key_id", text, (column) => column.notNull().references("access_key.id"))
    .addColumn("digest", blob, (column) => column.notNull().check(sql`length(digest) = 32`))
    .addColumn("pepper_version", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await database.schema.createIndex("former_secret_by_key").on("former_secret").column("access_key_id").execute();
}

async function createMoney(database: Kysely<unknown>, { text, integer, blob, endOfTable }: ColumnTypes): Promise<void> {
  await database.schema
    .createTable("price_version")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("model", text, (column) => column.notNull())
    .addColumn("channel", text)
    .addColumn("valid_from", integer, (column) => column.notNull())
    .addColumn("source", text, (column) => column.notNull().check(sql`source in ('seed', 'configuration', 'operator')`))
    .addColumn("prices", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await appendOnly(database, "price_version");

  // A gateway process that holds reservations; it lives as long as its heartbeat is young (M15).
  await database.schema
    .createTable("instance")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("heartbeat_at", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();

  await database.schema
    .createTable("reservation")
    .addColumn("call_id", text, (column) => column.primaryKey().notNull())
    .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
    .addColumn("access_key_id", text, (column) => column.notNull().references("access_key.id"))
    .addColumn("quota_window", text)
    .addColumn("amount", integer, (column) => column.notNull().check(sql`amount >= 0`))
    .addColumn("state", text, (column) =>
      column.notNull().check(sql`state in ('open', 'settled', 'voided', 'recovered')`),
    )
    .addColumn("instance_id", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("price_version", text)
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("client_protocol", text, (column) => column.notNull())
    .addColumn("model", text)
    .addColumn("stream", integer, (column) => column.notNull())
    // What was produced so far, for the case that this process dies (M3).
    .addColumn("checkpoint", text)
    .addColumn("checkpoint_charge", integer, (column) => column.notNull())
    .addCheckConstraint("reservation_checkpoint", sql`checkpoint_charge between 0 and amount`)
    .modifyEnd(endOfTable)
    .execute();
  await sql`create index reservation_open on reservation (instance_id, created_at) where state = 'open'`.execute(
    database,
  );
  await database.schema.createIndex("reservation_by_age").on("reservation").column("created_at").execute();

  await database.schema
    .createTable("quota_usage")
    .addColumn("access_key_id", text, (column) => column.notNull().references("access_key.id"))
    .addColumn("quota_window", text, (column) => column.notNull())
    .addColumn("used", integer, (column) => column.notNull().check(sql`used >= 0`))
    .addColumn("reserved", integer, (column) => column.notNull().check(sql`reserved >= 0`))
    .addPrimaryKeyConstraint("quota_usage_key", ["access_key_id", "quota_window"])
    .modifyEnd(endOfTable)
    .execute();

  await database.schema
    .createTable("ledger_entry")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("kind", text, (column) =>
      column.notNull().check(sql`kind in ('charge', 'top_up', 'payment', 'redemption', 'adjustment', 'refund')`),
    )
    // Signed: what it adds to the balance.
    .addColumn("amount", integer, (column) => column.notNull())
    .addColumn("balance_after", integer, (column) => column.notNull())
    .addColumn("access_key_id", text)
    .addColumn("quota_window", text)
    .addColumn("call_id", text)
    .addColumn("reference", text)
    .addColumn("note", text)
    .addColumn("actor", text, (column) => column.notNull())
    .addCheckConstraint(
      "ledger_entry_sign",
      sql`case kind when 'charge' then amount <= 0 when 'adjustment' then true else amount >= 0 end`,
    )
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createIndex("ledger_entry_by_account")
    .on("ledger_entry")
    .columns(["account_id", "at", "id"])
    .execute();
  // A call is charged once (M3, M7), an outside event is credited once (M13).
  await sql`create unique index ledger_entry_once_a_call on ledger_entry (call_id, kind) where call_id is not null`.execute(
    database,
  );
  await sql`create unique index ledger_entry_once_a_reference on ledger_entry (kind, reference) where reference is not null`.execute(
    database,
  );
  await appendOnly(database, "ledger_entry");

  await database.schema
    .createTable("idempotency_key")
    .addColumn("access_key_id", text, (column) => column.notNull().references("access_key.id"))
    .addColumn("digest", blob, (column) => column.notNull())
    .addColumn("body_digest", blob, (column) => column.notNull())
    .addColumn("call_id", text, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("idempotency_key_key", ["access_key_id", "digest"])
    .modifyEnd(endOfTable)
    .execute();
  await database.schema.createIndex("idempotency_key_by_age").on("idempotency_key").column("created_at").execute();
}

async function createPayments(
  database: Kysely<unknown>,
  { text, integer, blob, endOfTable }: ColumnTypes,
): Promise<void> {
  await database.schema
    .createTable("redemption_code")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("digest", blob, (column) => column.notNull().unique().check(sql`length(digest) = 32`))
    .addColumn("amount", integer, (column) => column.notNull().check(sql`amount > 0`))
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer)
    .addColumn("note", text)
    .addColumn("redeemed_at", integer)
    .addColumn("redeemed_by", text, (column) => column.references("account.id"))
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createTable("payment_order")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
    // In the currency's smallest unit, as payment providers write it.
    .addColumn("amount_minor", integer, (column) => column.notNull().check(sql`amount_minor > 0`))
    .addColumn("currency", text, (column) => column.notNull())
    // What the account is credited with, in nano-dollars.
    .addColumn("credit", integer, (column) => column.notNull().check(sql`credit > 0`))
    .addColumn("state", text, (column) => column.notNull().check(sql`state in ('open', 'paid', 'cancelled')`))
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("paid_at", integer)
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createTable("payment_event")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("received_at", integer, (column) => column.notNull())
    .addColumn("order_id", text)
    .addColumn("outcome", text, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
}

/** Calls get an owner, a price and an outcome more; a check of a column cannot be changed in SQLite, so the table is made anew. */
async function remakeCalls(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, integer, endOfTable } = types;
  await database.schema.dropIndex("call_by_access_key").execute();
  await database.schema.alterTable("call").renameTo("call_before_money").execute();
  await callTable(database, types)
    .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
    .addColumn("reserved", integer, (column) => column.notNull().check(sql`reserved >= 0`))
    .addColumn("charge", integer, (column) => column.notNull().check(sql`charge >= 0`))
    .addColumn("overrun", integer, (column) => column.notNull().check(sql`overrun >= 0`))
    .addColumn("price_version", text)
    .addColumn("price_lines", text, (column) => column.notNull())
    .addColumn("usage_disputed", integer, (column) => column.notNull().check(sql`usage_disputed in (0, 1)`))
    .addColumn("abort_reason", text)
    .addCheckConstraint("call_charge_reserved", sql`charge <= reserved`)
    .modifyEnd(endOfTable)
    .execute();
  const columns = sql.join(callColumns.map((name) => sql.ref(name)));
  await sql`
    insert into ${sql.table("call")}
      (${columns}, account_id, reserved, charge, overrun, price_lines, usage_disputed)
    select ${columns}, ${sql.lit(defaultAccount)}, 0, 0, 0, '[]', 0 from call_before_money`.execute(database);
  await database.schema.dropTable("call_before_money").execute();
  for (const [index, first] of [
    ["call_by_access_key", ["access_key_id"]],
    ["call_by_account", ["account_id"]],
    ["call_by_time", []],
  ] as const) {
    await database.schema
      .createIndex(index)
      .on("call")
      .columns([...first, "started_at", "id"])
      .execute();
  }
  await database.schema
    .createTable("attempt")
    .addColumn("call_id", text, (column) => column.notNull().references("call.id"))
    .addColumn("number", integer, (column) => column.notNull())
    .addColumn("channel", text, (column) => column.notNull())
    .addColumn("upstream_protocol", text, (column) => column.notNull())
    .addColumn("upstream_model", text, (column) => column.notNull())
    .addColumn("lane", text, (column) => column.notNull())
    .addColumn("started_ms", types.real, (column) => column.notNull())
    .addColumn("connect_ms", types.real)
    .addColumn("first_byte_ms", types.real)
    .addColumn("end_ms", types.real)
    .addColumn("status", integer)
    // Null: this attempt gave the answer.
    .addColumn("error_kind", text)
    .addColumn("error_code", text)
    .addColumn("possibly_billed", integer, (column) => column.notNull().check(sql`possibly_billed in (0, 1)`))
    .addPrimaryKeyConstraint("attempt_key", ["call_id", "number"])
    .modifyEnd(endOfTable)
    .execute();
}

/** What calls had before they had a price. */
function callTable(database: Kysely<unknown>, { text, integer, real }: ColumnTypes): CreateTableBuilder<string> {
  let call: CreateTableBuilder<string> = database.schema
    .createTable("call")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("request_id", text, (column) => column.notNull())
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("access_key_id", text, (column) => column.notNull().references("access_key.id"))
    .addColumn("client_protocol", text, (column) => column.notNull())
    .addColumn("upstream_protocol", text)
    .addColumn("lane", text, (column) => column.check(sql`lane in ('direct', 'converted')`))
    .addColumn("channel", text)
    .addColumn("model", text)
    .addColumn("upstream_model", text)
    .addColumn("stream", integer, (column) => column.notNull().check(sql`stream in (0, 1)`))
    .addColumn("status", integer, (column) => column.notNull())
    .addColumn("outcome", text, (column) =>
      column
        .notNull()
        .check(
          sql`outcome in ('succeeded', 'failed', 'refused', 'client_closed', 'upstream_incomplete', 'drained', 'interrupted')`,
        ),
    )
    .addColumn("error_kind", text);
  for (const counter of counters) {
    call = call.addColumn(counter, integer, (column) => column.check(sql`${sql.ref(counter)} >= 0`));
  }
  call = call
    .addColumn("server_tools", text)
    .addColumn("usage_estimated", integer, (column) => column.notNull().check(sql`usage_estimated in (0, 1)`))
    .addColumn("notices", text, (column) => column.notNull());
  for (const timing of timings) call = call.addColumn(timing, real);
  return call;
}

async function createUsage(database: Kysely<unknown>, { text, integer, endOfTable }: ColumnTypes): Promise<void> {
  let usage = database.schema
    .createTable("usage_hour")
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("access_key_id", text, (column) => column.notNull())
    // Unix milliseconds of the hour's begin.
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("model", text, (column) => column.notNull())
    .addColumn("channel", text, (column) => column.notNull())
    .addColumn("client_protocol", text, (column) => column.notNull());
  for (const sum of sums) usage = usage.addColumn(sum, integer, (column) => column.notNull());
  await usage
    .addPrimaryKeyConstraint("usage_hour_key", [
      "account_id",
      "access_key_id",
      "hour",
      "model",
      "channel",
      "client_protocol",
    ])
    .modifyEnd(endOfTable)
    .execute();
  await database.schema.createIndex("usage_hour_by_time").on("usage_hour").columns(["hour"]).execute();
}

const counters = [
  "input_uncached",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_5m",
  "input_cache_write_1h",
  "input_tool_prompt",
  "input_audio",
  "output_total",
  "output_reasoning",
  "output_audio",
  "output_image",
] as const;

const timings = ["admission_ms", "connect_ms", "first_byte_ms", "first_token_ms", "end_ms"] as const;

const callColumns = [
  "id",
  "request_id",
  "started_at",
  "access_key_id",
  "client_protocol",
  "upstream_protocol",
  "lane",
  "channel",
  "model",
  "upstream_model",
  "stream",
  "status",
  "outcome",
  "error_kind",
  ...counters,
  "server_tools",
  "usage_estimated",
  "notices",
  ...timings,
] as const;

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
