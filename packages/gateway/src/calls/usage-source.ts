import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { hourMs, sumColumns } from "./usage-hour.ts";
import { type AccountDimension, accountDimensions, type TotalDimension, totalColumns } from "./usage-summing.ts";

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
 * A table of sums for a query to read from: it has the columns asked for, `hour`, and the sums. Unless keys are told apart,
 * hours that are closed come from the table of totals that has the fewest rows; all else comes from the sums by account,
 * key, model, channel and protocol, of which there may be as many as calls.
 */
export async function usageSource(
  database: Pick<Database, "read" | "engine">,
  source: UsageSource,
): Promise<RawBuilder<unknown>> {
  const { from, to } = source;
  const rollUp = rollUpOf(source);
  if (rollUp === undefined) return hourly(source, between(from, to));
  const { closed, late } = await closedHours(database, from, to);
  if (late === undefined) return hourly(source, between(from, to));
  const by = to - closed <= fewHours ? "time" : "value";
  const parts = [summedUp(database.engine, source, rollUp, closed, late), hourly(source, between(closed, to), by)];
  if (late.length > 0) parts.push(hourly(source, sql`hour in (${sql.join(late)})`, "time"));
  return sql.join(parts, sql` union all `);
}

/**
 * Up to when the hours of a range are summed up (`closed`, within the range), but for those with a late call; `late` is
 * undefined where they are too many. Ask before the sums are read: what is closed or comes late after this is in the sums
 * by the hour all the same.
 */
export async function closedHours(
  { read }: Pick<Database, "read">,
  from: number,
  to: number,
): Promise<{ closed: number; late: number[] | undefined }> {
  const [state, late] = await Promise.all([
    read.selectFrom("usage_total_state").select("closed_until").where("id", "=", 1).executeTakeFirst(),
    read
      .selectFrom("usage_late")
      .select("hour")
      .distinct()
      .where("hour", ">=", from)
      .where("hour", "<", to)
      .limit(manyLate)
      .execute(),
  ]);
  const closed = Math.max(from, Math.min(state?.closed_until ?? 0, to));
  if (late.length === manyLate) return { closed, late: undefined };
  return { closed, late: late.map(({ hour }) => hour).filter((hour) => hour < closed) };
}

/** As long as this, less is to be read of all accounts than of a large one since its begin. */
const fewHours = 48 * hourMs;

/** More hours with a late call than this are not told apart. */
const manyLate = 1000;

/** Which table of ended hours serves a query. */
type RollUp =
  | { table: "usage_total"; dimension: TotalDimension }
  /** Of one account, or of each by one value (undefined). */
  | { table: "usage_account_total"; dimension: AccountDimension; account: string | undefined }
  /** Of one account, of all together (empty), or of each (undefined). */
  | { table: "usage_account_hour"; account: string | undefined };

/** The one of fewest rows; undefined where the keys are told apart. */
function rollUpOf({ equal, columns }: UsageSource): RollUp | undefined {
  const names = new Set([...equal.keys(), ...columns]);
  if (names.has("access_key_id")) return undefined;
  const [first, ...others] = names;
  if (first === undefined) return { table: "usage_total", dimension: "all" };
  if (others.length === 0) {
    // The table is typed by these very keys.
    const dimension = (Object.keys(totalColumns) as TotalDimension[]).find((name) => totalColumns[name] === first);
    return dimension && { table: "usage_total", dimension };
  }
  const account = equal.get("account_id");
  const dimension = accountDimensions.find((name) => names.has(name));
  if (account !== undefined && names.size === 2 && dimension)
    return { table: "usage_account_total", dimension, account };
  return { table: "usage_account_hour", account: account ?? (names.has("account_id") ? undefined : "") };
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
  // Hidden where they are selected, too: a condition of the reader's own reaches through to here.
  const named = columns.map((name) => sql`${column(name)} as ${sql.ref(name)},`);
  const where = sql.join(conditions, sql` and `);
  return sql`select hour, ${sql.join(named, sql` `)} ${sums} from usage_hour where ${where}`;
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

/** The rows of ended hours, but for the late ones. */
function summedUp(
  engine: Database["engine"],
  source: UsageSource,
  rollUp: RollUp,
  closed: number,
  late: readonly number[],
): RawBuilder<unknown> {
  const { from, equal, columns } = source;
  const conditions = late.length > 0 ? [sql`hour not in (${sql.join(late)})`] : [];
  switch (rollUp.table) {
    case "usage_total": {
      const [value] = equal.values();
      conditions.unshift(
        sql`dimension = ${sql.lit(rollUp.dimension)}`,
        value === undefined ? between(from, closed) : hoursOf(engine, value, from, closed),
      );
      return rowsOf(rollUp.table, () => sql.ref("value"), columns, conditions);
    }
    case "usage_account_total": {
      const { account, dimension } = rollUp;
      conditions.unshift(
        sql`dimension = ${sql.lit(dimension)}`,
        ...(account === undefined ? [] : [sql`account_id = ${account}`]),
        between(from, closed),
        ...[...equal].filter(([name]) => name === dimension).map(([, value]) => sql`value = ${value}`),
      );
      return rowsOf(rollUp.table, (name) => sql.ref(name === dimension ? "value" : name), columns, conditions);
    }
    case "usage_account_hour": {
      const { account } = rollUp;
      conditions.unshift(
        account === undefined ? sql`account_id <> ''` : sql`account_id = ${account}`,
        between(from, closed),
        ...[...equal]
          .filter(([name]) => name !== "account_id")
          .map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
      );
      return rowsOf(rollUp.table, (name) => sql.ref(name), columns, conditions);
    }
  }
}

function rowsOf(
  table: RollUp["table"],
  column: (name: UsageColumn) => RawBuilder<unknown>,
  columns: readonly UsageColumn[],
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const named = columns.map((name) => sql`${column(name)} as ${sql.ref(name)},`);
  const where = sql.join(conditions, sql` and `);
  return sql`select hour, ${sql.join(named, sql` `)} ${sums} from ${sql.table(table)} where ${where}`;
}
