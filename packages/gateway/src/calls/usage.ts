import type { ProtocolName } from "@interlingua/protocols";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { moneySum } from "../storage/money-column.ts";
import { CallsError } from "./calls-error.ts";
import { type FirstTokenColumn, firstTokenBuckets, waitQuantile } from "./first-token-buckets.ts";
import { hourMs, hourOf } from "./usage-hour.ts";
import { type UsageColumn, usageSource } from "./usage-source.ts";

/** By what calls are summed up. `hour` and `day` are times, of which there can be one. */
export type UsageDimension = "hour" | "day" | "account" | "accessKey" | "model" | "channel" | "clientProtocol";

/** Which calls are summed up: those that began in the range and have all that is named. */
export interface UsageFilter {
  /** Unix milliseconds. Sums are kept by the hour of UTC: the hour in which this lies counts whole. */
  from: number;
  /** The range ends before this time; the hour in which it lies counts whole, unless the hour begins with it. */
  to: number;
  accountId?: string;
  accessKeyId?: string;
  model?: string;
  channel?: string;
  clientProtocol?: ProtocolName;
}

export interface UsageQuery extends UsageFilter {
  by: readonly UsageDimension[];
  /**
   * Minutes by which the days' time zone is ahead of UTC (behind: negative). Of an hour of UTC in which a day ends, as in zones
   * that are half an hour off, the whole counts to the day in which it begins.
   */
  zoneMinutes?: number;
  /** Most rows; 1000 unless told otherwise, at most 20,000. */
  limit?: number;
  /** Only rows of these values, of one of the dimensions. */
  only?: { dimension: ValueDimension; values: readonly string[] };
}

/** The dimensions that are no times. */
export type ValueDimension = Exclude<UsageDimension, "hour" | "day">;

/** Sums over calls. Tokens are those that were reported or estimated. */
export interface UsageSums {
  calls: number;
  succeeded: number;
  inputUncached: number;
  inputCacheRead: number;
  inputCacheWrite: number;
  outputTotal: number;
  outputReasoning: number;
  /** Nano-dollars. */
  charge: bigint;
  /** Nano-dollars that nobody paid (M6). */
  overrun: bigint;
  /** Milliseconds that the calls took together. */
  durationMs: number;
}

/** The sums of the calls that have these values in common. Where a call had no model or channel, the text is empty. */
export interface UsageRow extends UsageSums {
  /** The begin of the hour or day, unix milliseconds; absent where it was not asked by time. */
  time?: number;
  account?: string;
  accessKey?: string;
  model?: string;
  channel?: string;
  clientProtocol?: string;
}

/** What was asked for, and whether there was more. */
export interface UsageTable {
  /** Earliest first, then by what was paid and by the number of calls, the highest first. */
  rows: UsageRow[];
  /** More rows than the limit: the lowest or latest are missing. */
  cut: boolean;
}

const columns = {
  account: "account_id",
  accessKey: "access_key_id",
  model: "model",
  channel: "channel",
  clientProtocol: "client_protocol",
} as const satisfies Record<ValueDimension, UsageColumn>;

const dayMs = 24 * hourMs;
const largestTable = 20_000;

/** Sums of calls by any of the dimensions. They are written with each call, and so are those of its record exactly (M14). */
export async function usageTable(database: Pick<Database, "read" | "engine">, query: UsageQuery): Promise<UsageTable> {
  const limit = Math.max(1, Math.min(query.limit ?? 1000, largestTable));
  const time = timeOf(query);
  const names = query.by.filter((name) => name !== "hour" && name !== "day");
  const source = await sourceOf(
    database,
    query,
    names.map((name) => columns[name]),
  );
  let select = database.read.selectFrom(source).select(sumSelection);
  if (query.only) {
    // In a form that no index has: SQLite would else look for the account in `usage_hour`, and walk through all of its hours.
    const column = sql<string>`coalesce(${sql.ref(columns[query.only.dimension])}, '')`;
    select = select.where(column, "in", query.only.values);
  }
  if (time) select = select.select(time.as("time")).groupBy(time).orderBy(time);
  for (const name of names) {
    const column = sql.ref<string>(columns[name]);
    select = select.select(column.as(name)).groupBy(column);
  }
  const rows = await select
    .orderBy(sql`sum(charge)`, "desc")
    .orderBy(sql`sum(calls)`, "desc")
    .limit(limit + 1)
    .execute();
  // Without a dimension there is one row, also where there was no call.
  return { rows: rows.slice(0, limit).map(withMoney), cut: rows.length > limit };
}

/** The sums of all calls of the filter. */
export async function usageTotal(database: Pick<Database, "read" | "engine">, filter: UsageFilter): Promise<UsageSums> {
  const { rows } = await usageTable(database, { ...filter, by: [] });
  const [total] = rows;
  if (!total) throw new Error("A sum without dimensions is one row");
  return total;
}

/** The sums of the range, and those of the range of the same length before it. */
export async function compareUsage(
  database: Pick<Database, "read" | "engine">,
  filter: UsageFilter,
): Promise<{ now: UsageSums; before: UsageSums }> {
  const { from, to } = wholeHours(filter);
  const [now, before] = await Promise.all([
    usageTotal(database, { ...filter, from, to }),
    usageTotal(database, { ...filter, from: from - (to - from), to: from }),
  ]);
  return { now, before };
}

/** How long the first token let callers wait, in one hour or day. */
export interface WaitRow {
  /** The begin of the hour or day, unix milliseconds. */
  time: number;
  /** Calls that had a first token. */
  counted: number;
  /** Milliseconds that half of them did not exceed; an estimate within the bounds of `firstTokenBuckets`. */
  p50: number | null;
  /** Likewise, of 95 in a hundred. */
  p95: number | null;
}

/** Of each hour or day how many calls had their first token within the bounds of `firstTokenBuckets`, in their order. */
export async function firstTokenCounts(
  database: Pick<Database, "read" | "engine">,
  query: UsageFilter & { by: "hour" | "day"; zoneMinutes?: number },
): Promise<{ time: number; counts: number[] }[]> {
  const time = timeOf({ ...query, by: [query.by] }) ?? sql<number>`hour`;
  const rows = await database.read
    .selectFrom(await sourceOf(database, query, []))
    .select(time.as("time"))
    .select(firstTokenBuckets.map(({ column }) => total(column).as(column)))
    .groupBy(time)
    .orderBy(time)
    .execute();
  return rows.map((row) => {
    // The selection above has them all.
    const counters = row as Record<FirstTokenColumn, number>;
    return { time: row.time, counts: firstTokenBuckets.map(({ column }) => counters[column]) };
  });
}

/** How long the first token let callers wait, by hour or day, the earliest first. */
export async function firstTokenWaits(
  database: Pick<Database, "read" | "engine">,
  query: UsageFilter & { by: "hour" | "day"; zoneMinutes?: number },
): Promise<WaitRow[]> {
  const rows = await firstTokenCounts(database, query);
  return rows.map(({ time, counts }) => ({
    time,
    counted: counts.reduce((sum, count) => sum + count, 0),
    p50: waitQuantile(counts, 0.5),
    p95: waitQuantile(counts, 0.95),
  }));
}

/** The range in whole hours. Throws a CallsError where it is none. */
export function wholeHours({ from, to }: Pick<UsageFilter, "from" | "to">): { from: number; to: number } {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to <= from) {
    throw new CallsError("A range of time needs a begin, and an end after it");
  }
  return { from: hourOf(from), to: hourOf(to + hourMs - 1) };
}

/** Where the sums are read from. */
async function sourceOf(
  database: Pick<Database, "read" | "engine">,
  filter: UsageFilter,
  wanted: readonly UsageColumn[],
) {
  const equal = new Map<UsageColumn, string>();
  for (const [name, value] of [
    ["account_id", filter.accountId],
    ["access_key_id", filter.accessKeyId],
    ["model", filter.model],
    ["channel", filter.channel],
    ["client_protocol", filter.clientProtocol],
  ] as const) {
    if (value !== undefined) equal.set(name, value);
  }
  const source = await usageSource(database, { ...wholeHours(filter), equal, columns: wanted });
  return sql<Record<never, never>>`(${source})`.as("usage");
}

/** The begin of the hour or day, where it is asked by time. A literal, since both engines must see the same text twice. */
export function timeOf({
  by,
  zoneMinutes = 0,
}: Pick<UsageQuery, "by" | "zoneMinutes">): RawBuilder<number> | undefined {
  if (by.includes("day")) {
    if (by.includes("hour")) throw new CallsError("Sums are made by hour or by day, not by both");
    if (!Number.isInteger(zoneMinutes) || Math.abs(zoneMinutes) > 14 * 60) {
      throw new CallsError("A time zone is a whole number of minutes, at most 14 hours from UTC");
    }
    const local = sql`(hour + ${sql.lit(zoneMinutes * 60_000)})`;
    return sql<number>`(hour - ${local} % ${sql.lit(dayMs)})`;
  }
  return by.includes("hour") ? sql<number>`hour` : undefined;
}

/** What selects `UsageSums`; `withMoney` reads their money. */
export const sumSelection = [
  total("calls").as("calls"),
  total("succeeded").as("succeeded"),
  total("input_uncached").as("inputUncached"),
  total("input_cache_read").as("inputCacheRead"),
  total("input_cache_write").as("inputCacheWrite"),
  total("output_total").as("outputTotal"),
  total("output_reasoning").as("outputReasoning"),
  moneySum("charge").as("charge"),
  moneySum("overrun").as("overrun"),
  total("duration_ms").as("durationMs"),
] as const;

/** A selected row with its money as amounts. */
export function withMoney<Row extends { charge: string; overrun: string }>(row: Row) {
  return { ...row, charge: BigInt(row.charge), overrun: BigInt(row.overrun) };
}

/** PostgreSQL sums 64-bit integers to a decimal. */
function total(column: string): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;
}
