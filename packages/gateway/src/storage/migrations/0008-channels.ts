import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Channels and routing rules that operators make while the gateway runs, tests of channels, and a channel's last errors. */
export const channels: Migration = {
  async up(database: Kysely<unknown>) {
    await createChannel(database);
    await createRoutingRule(database);
    await createChannelTest(database);
    // A list must repeat the condition in these words.
    await sql`create index attempt_failed_by_channel on attempt (channel, call_id) where error_kind is not null`.execute(
      database,
    );
  },
};

async function createChannel(database: Kysely<unknown>): Promise<void> {
  const { text, integer, blob, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("channel")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("name", text, (column) => column.notNull().unique())
    // JSON lists, as in the configuration.
    .addColumn("protocols", text, (column) => column.notNull())
    .addColumn("models", text, (column) => column.notNull())
    .addColumn("base_url", text, (column) => column.notNull())
    // Sealed (storage/sealed-value.ts).
    .addColumn("credential", blob)
    .addColumn("credential_header", text)
    .addColumn("headers", blob)
    .addColumn("setting", text, (column) =>
      column.notNull().check(sql`setting in ('operational', 'under_observation', 'disabled')`),
    )
    .addColumn("priority", integer, (column) => column.notNull())
    .addColumn("weight", integer, (column) => column.check(sql`weight is null or weight >= 0`))
    .addColumn("on_disconnect", text, (column) =>
      column.check(sql`on_disconnect is null or on_disconnect in ('received', 'drain', 'free')`),
    )
    .addColumn("note", text)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .addColumn("version", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
}

async function createRoutingRule(database: Kysely<unknown>): Promise<void> {
  const { text, integer, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("routing_rule")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("position", integer, (column) => column.notNull())
    // Null: whatever it is.
    .addColumn("model", text)
    .addColumn("client_protocol", text)
    .addColumn("account_id", text)
    .addColumn("access_key_id", text)
    // JSON.
    .addColumn("action", text, (column) => column.notNull())
    .addColumn("enabled", integer, (column) => column.notNull().check(sql`enabled in (0, 1)`))
    .addColumn("note", text)
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .addColumn("version", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
}

async function createChannelTest(database: Kysely<unknown>): Promise<void> {
  const { text, integer, real, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("channel_test")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    // By name: the configuration's channels are tested, too.
    .addColumn("channel", text, (column) => column.notNull())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("model", text, (column) => column.notNull())
    .addColumn("upstream_model", text, (column) => column.notNull())
    .addColumn("protocol", text, (column) => column.notNull())
    .addColumn("succeeded", integer, (column) => column.notNull().check(sql`succeeded in (0, 1)`))
    .addColumn("status", integer)
    .addColumn("first_byte_ms", real)
    .addColumn("total_ms", real, (column) => column.notNull())
    .addColumn("text", text, (column) => column.notNull())
    .addColumn("problem", text)
    .addColumn("message", text)
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createIndex("channel_test_by_time")
    .on("channel_test")
    .columns(["channel", "at", "id"])
    .execute();
}
