import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Access keys, the sequence of their changes, the check value of the secret, and the record of every call. */
export const accessKeysAndCalls: Migration = {
  async up(database: Kysely<unknown>) {
    const { text, integer, real, blob, endOfTable, changeSequence } = columnTypes(database);
    await database.schema
      .createTable("access_key")
      .addColumn("id", text, (column) => column.primaryKey().notNull())
      .addColumn("public_id", text, (column) => column.notNull().unique())
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("digest", blob, (column) => column.notNull().check(sql`length(digest) = 32`))
      .addColumn("pepper_version", integer, (column) => column.notNull())
      .addColumn("state", text, (column) =>
        column.notNull().check(sql`state in ('enabled', 'disabled', 'expired', 'revoked')`),
      )
      .addColumn("origin", text, (column) => column.notNull().check(sql`origin in ('command', 'configuration')`))
      .addColumn("lossy", text, (column) => column.notNull().check(sql`lossy in ('allow', 'refuse')`))
      .addColumn("created_at", integer, (column) => column.notNull())
      .addColumn("expires_at", integer)
      .addColumn("last_used_at", integer)
      .modifyEnd(endOfTable)
      .execute();

    await changeSequence.before(database);
    await database.schema
      .createTable("change_sequence")
      .addColumn("sequence", integer, changeSequence.column)
      .addColumn("entity", text, (column) => column.notNull())
      .addColumn("entity_id", text, (column) => column.notNull())
      .addColumn("changed_at", integer, (column) => column.notNull())
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("secret_check")
      .addColumn("pepper_version", integer, (column) => column.primaryKey())
      .addColumn("digest", blob, (column) => column.notNull())
      .modifyEnd(endOfTable)
      .execute();

    const count = (name: string) => sql`${sql.ref(name)} is null or ${sql.ref(name)} >= 0`;
    let call = database.schema
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
          .check(sql`outcome in ('succeeded', 'failed', 'refused', 'client_closed', 'upstream_incomplete', 'drained')`),
      )
      .addColumn("error_kind", text);
    for (const counter of counters) call = call.addColumn(counter, integer, (column) => column.check(count(counter)));
    call = call
      .addColumn("server_tools", text)
      .addColumn("usage_estimated", integer, (column) => column.notNull().check(sql`usage_estimated in (0, 1)`))
      .addColumn("notices", text, (column) => column.notNull());
    for (const timing of timings) call = call.addColumn(timing, real);
    await call.modifyEnd(endOfTable).execute();

    await database.schema
      .createIndex("call_by_access_key")
      .on("call")
      .columns(["access_key_id", "started_at", "id"])
      .execute();
  },
};

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

/** Fractional milliseconds of the monotonic clock. */
const timings = ["admission_ms", "connect_ms", "first_byte_ms", "first_token_ms", "end_ms"] as const;
