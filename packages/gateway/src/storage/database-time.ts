import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { QuotaPeriod } from "./schema.ts";

/**
 * The database's own time, for statements: leases and quota windows go by it, whatever the clocks of the replicas say
 * (M15, M16, D8). It stands still within a unit.
 */
export interface DatabaseTime {
  /** Unix milliseconds, in statements that write. */
  now: RawBuilder<number>;
  /** Unix milliseconds, in reads. */
  readNow: RawBuilder<number>;
  /** The window of a quota, in UTC; weeks as ISO 8601 counts them. In statements that write. */
  window(period: QuotaPeriod): RawBuilder<string>;
  /** The same in reads. */
  readWindow(period: QuotaPeriod): RawBuilder<string>;
}

export function databaseTime(engine: Database["engine"]): DatabaseTime {
  return engine === "sqlite" ? sqlite : postgres;
}

function sqliteWindow(seconds: RawBuilder<number>, period: QuotaPeriod): RawBuilder<string> {
  const form = { day: "%Y-%m-%d", week: "%G-W%V", month: "%Y-%m" };
  return period === "total" ? sql`'total'` : sql`strftime(${sql.lit(form[period])}, ${seconds}, 'unixepoch')`;
}

const sqlite: DatabaseTime = {
  // `transaction_ms` is the writer's (storage/sqlite/connection.ts).
  now: sql`cast(transaction_ms() as integer)`,
  readNow: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  window: (period) => sqliteWindow(sql`cast(transaction_ms() / 1000 as integer)`, period),
  readWindow: (period) => sqliteWindow(sql`unixepoch()`, period),
};

function postgresWindow(period: QuotaPeriod): RawBuilder<string> {
  const form = { day: "YYYY-MM-DD", week: 'IYYY"-W"IW', month: "YYYY-MM" };
  return period === "total" ? sql`'total'` : sql`to_char(now() at time zone 'UTC', ${sql.lit(form[period])})`;
}

const postgresNow = sql<number>`cast(extract(epoch from now()) * 1000 as bigint)`;

const postgres: DatabaseTime = {
  now: postgresNow,
  readNow: postgresNow,
  window: postgresWindow,
  readWindow: postgresWindow,
};
