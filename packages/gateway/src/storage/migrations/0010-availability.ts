import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** How well channels and models answered, by hour and day, and what operators tell of disturbances. */
export const availability: Migration = {
  async up(database: Kysely<unknown>) {
    await createAvailability(database);
    await createIncidents(database);
  },
};

async function createAvailability(database: Kysely<unknown>): Promise<void> {
  const { text, integer, endOfTable } = columnTypes(database);
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  let table = database.schema
    .createTable("availability")
    .addColumn("span", text, (column) => column.notNull().check(sql`span in ('hour', 'day')`))
    .addColumn("time", integer, (column) => column.notNull())
    .addColumn("channel", text, (column) => column.notNull())
    .addColumn("model", text, (column) => column.notNull());
  for (const sum of sums) table = table.addColumn(sum, integer, (column) => column.notNull().defaultTo(0));
  await table
    .addPrimaryKeyConstraint("availability_key", ["span", "time", "channel", "model"])
    // Read in the order of its key.
    .modifyEnd(isPostgres ? endOfTable : sql`strict, without rowid`)
    .execute();
  await database.schema
    .createTable("availability_state")
    .addColumn("id", integer, (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("closed_until", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await sql`insert into availability_state (id, closed_until) values (1, 0)`.execute(database);
}

const sums = [
  "attempts",
  "faults",
  "slow",
  "output_tokens",
  "output_ms",
  ...["100", "200", "400", "800", "1600", "3200", "6400", "12800", "25600", "51200", "beyond"].map(
    (bucket) => `first_token_${bucket}`,
  ),
];

async function createIncidents(database: Kysely<unknown>): Promise<void> {
  const { text, integer, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("incident")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .addColumn("severity", text, (column) =>
      column.notNull().check(sql`severity in ('maintenance', 'minor', 'major', 'critical')`),
    )
    // JSON lists of names.
    .addColumn("channels", text, (column) => column.notNull())
    .addColumn("models", text, (column) => column.notNull())
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("resolved_at", integer, (column) => column.check(sql`resolved_at >= started_at`))
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await database.schema.createIndex("incident_by_time").on("incident").columns(["started_at", "id"]).execute();
  // A list must repeat the condition in these words.
  await sql`create index incident_open on incident (started_at, id) where resolved_at is null`.execute(database);
  await database.schema
    .createTable("incident_update")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("incident_id", text, (column) => column.notNull().references("incident.id").onDelete("cascade"))
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .addColumn("resolves", integer, (column) => column.notNull().check(sql`resolves in (0, 1)`))
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createIndex("incident_update_by_incident")
    .on("incident_update")
    .columns(["incident_id", "at", "id"])
    .execute();
}
