import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { hourMs, sumColumns } from "./usage-hour.ts";
import { type TotalDimension, totalColumns } from "./usage-totals.ts";

/** Columns of `usage_hour` by which calls are told apart. */
export type UsageColumn = "account_id" | "access_key_id" | "model" | "channel" | "client_protocol";

/** Rows of sums to be summed up further: those of whole hours, that have the given values. */
export interface UsageSource {
  /** Unix milliseconds, the begin of an hour. */
  from: number;
  /** Likewise; the hour itself is no part of it. */
  to: number;
  equal: ReadonlyMap<UsageColumn, string>;
  /** Columns that the reader needs. */
  columns: readonly UsageColumn[];
}

/**
 * A table of sums for a query to read from: it has the columns asked for, `hour`, and the sums. Where one column at most is
 * asked for, hours that are closed come from the totals, which are few; all else comes from the sums by account, key, model,
 * channel and protocol, of which there may be as many as calls.
 */
export async function usageSource(
  database: Pick<Database, "read" | "engine">,
  source: UsageSource,
): Promise<RawBuilder<unknown>> {
  const { from, to } = source;
  const dimension = dimensionOf(source);
  if (dimension === undefined) return hourly(source, between(from, to));
  // Read before: what is closed or comes late after this is in the sums by the hour all the same.
  const [state, late] = await Promise.all([
    database.read.selectFrom("usage_total_state").select("closed_until").where("id", "=", 1).executeTakeFirst(),
    database.read
      .selectFrom("usage_late")
      .select("hour")
      .distinct()
      .where("hour", ">=", from)
      .where("hour", "<", to)
      .limit(manyLate)
      .execute(),
  ]);
  const closed = Math.max(from, Math.min(state?.closed_until ?? 0, to));
  if (late.length === manyLate) return hourly(source, between(from, to));
  const hours = late.map(({ hour }) => hour).filter((hour) => hour < closed);
  const by = to - closed <= fewHours ? "time" : "value";
  const parts = [totals(database.engine, source, dimension, closed, hours), hourly(source, between(closed, to), by)];
  if (hours.length > 0) parts.push(hourly(source, sql`hour in (${sql.join(hours)})`, "time"));
  return sql.join(parts, sql` union all `);
}

/** As long as this, less is to be read of all accounts than of a large one since its begin. */
const fewHours = 48 * hourMs;

/** More hours with a late call than this are not told apart. */
const manyLate = 1000;

/** The one dimension of the query; undefined where it has several, or one for which there are no totals. */
function dimensionOf({ equal, columns }: UsageSource): TotalDimension | undefined {
  const [first, ...others] = new Set([...equal.keys(), ...columns]);
  if (first === undefined) return "all";
  if (others.length > 0) return undefined;
  // The table is typed by these very keys.
  return (Object.keys(totalColumns) as TotalDimension[]).find((dimension) => totalColumns[dimension] === first);
}

const sums = sql.join(sumColumns.map((column) => sql.ref(column)));

function between(from: number, to: number): RawBuilder<unknown> {
  return sql`hour >= ${from} and hour < ${to}`;
}

/** `time`: spelt so that the index over the hours serves it, and none other. */
function hourly(
  { equal, columns }: UsageSource,
  time: RawBuilder<unknown>,
  by: "time" | "value" = "value",
): RawBuilder<unknown> {
  const column = (name: UsageColumn) => (by === "time" ? sql`${sql.ref(name)} || ''` : sql.ref(name));
  const conditions = [time, ...[...equal].map(([name, value]) => sql`${column(name)} = ${value}`)];
  return sql`select hour, ${selected(columns)} ${sums} from usage_hour where ${sql.join(conditions, sql` and `)}`;
}

/**
 * The hours of one value, by the index over values. By the plainer words SQLite, which knows no numbers of rows, would go by
 * the hours through all values; by the other ones PostgreSQL, which does, takes them for many.
 */
function hoursOf(engine: Database["engine"], value: string, from: number, to: number): RawBuilder<unknown> {
  switch (engine) {
    case "sqlite":
      return sql`(value, hour) >= (${value}, ${from}) and (value, hour) < (${value}, ${to})`;
    case "postgres":
      return sql`value = ${value} and ${between(from, to)}`;
  }
}

function totals(
  engine: Database["engine"],
  { from, equal, columns }: UsageSource,
  dimension: TotalDimension,
  closed: number,
  late: readonly number[],
): RawBuilder<unknown> {
  const [value] = equal.values();
  const conditions = [sql`dimension = ${sql.lit(dimension)}`];
  if (value === undefined) conditions.push(between(from, closed));
  else conditions.push(hoursOf(engine, value, from, closed));
  if (late.length > 0) conditions.push(sql`hour not in (${sql.join(late)})`);
  const named = columns.map((column) => sql`value as ${sql.ref(column)},`);
  return sql`select hour, ${sql.join(named, sql` `)} ${sums} from usage_total where ${sql.join(conditions, sql` and `)}`;
}

function selected(columns: readonly UsageColumn[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => sql`${sql.ref(column)},`),
    sql` `,
  );
}
