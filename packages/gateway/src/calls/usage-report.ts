import type { Database } from "../storage/database.ts";
import { CallsError } from "./calls-error.ts";
import {
  type UsageFilter,
  type UsageRow,
  type UsageSums,
  usageTable,
  usageTotal,
  type ValueDimension,
  wholeHours,
} from "./usage.ts";
import { hourMs } from "./usage-hour.ts";
import { keySums, topKeysOf } from "./usage-keys.ts";

/** What a page of usage shows: sums over a time, by one dimension, beside those of the time before. */
export interface UsageReportQuery extends UsageFilter {
  /** The steps of the series. */
  by: "hour" | "day";
  dimension: ValueDimension;
  /** Values that are told apart: those that cost most. All others are one. */
  top: number;
  /** As in `UsageQuery`. */
  zoneMinutes?: number;
}

/** The sums of one value. */
interface UsageGroup {
  /** Empty: calls that had none, such as those that were refused before a channel was chosen. */
  value: string;
  sums: UsageSums;
  before: UsageSums;
}

/** One step of the series. */
interface UsagePoint {
  /** The begin of the hour or day, unix milliseconds. */
  time: number;
  total: UsageSums;
  /** In the order of the groups. */
  values: UsageSums[];
  /** All other values; null where there are none. */
  other: UsageSums | null;
}

export interface UsageReport {
  /** The whole hours that were summed up. */
  from: number;
  to: number;
  /** The range of the same length before it. */
  before: { from: number; to: number; total: UsageSums };
  total: UsageSums;
  /** Those that cost most first. */
  groups: UsageGroup[];
  /** All other values; null where there are none. */
  other: { sums: UsageSums; before: UsageSums } | null;
  /** Every step of the range, also those without a call; the earliest first. */
  series: UsagePoint[];
  /** False where a key that is not among the groups may have cost more than one that is: there were too many to look at all. */
  ranked: boolean;
}

const dayMs = 24 * hourMs;
/** Most steps of a series: a month of hours. */
const mostSteps = 31 * 24;

/** The report of the calls that the filter wants. Rejects with a CallsError where the range is none, or too long. */
export async function usageReport(
  database: Pick<Database, "read" | "engine">,
  query: UsageReportQuery,
): Promise<UsageReport> {
  const { by, dimension, top, zoneMinutes = 0, ...rest } = query;
  const range = wholeHours(rest);
  const times = stepsOf(range, by, zoneMinutes);
  const filter = { ...rest, ...range };
  const earlier = { ...rest, from: range.from - (range.to - range.from), to: range.from };
  const [steps, groups, totalBefore] = await Promise.all([
    usageTable(database, { ...filter, by: [by], zoneMinutes, limit: mostSteps + 2 }),
    groupsOf(database, filter, dimension, top),
    usageTotal(database, earlier),
  ]);
  const values = groups.rows.map((row) => row[dimension] ?? "");
  const [before, points] = await Promise.all([
    valuesOf(database, earlier, dimension, values),
    valuesOf(database, { ...filter, by, zoneMinutes }, dimension, values),
  ]);
  const total = steps.rows.reduce(plus, nothing());
  const sumsBefore = new Map(before.map((row) => [row[dimension] ?? "", sumsOf(row)]));
  const told = groups.rows.map((row) => ({
    value: row[dimension] ?? "",
    sums: sumsOf(row),
    before: sumsBefore.get(row[dimension] ?? "") ?? nothing(),
  }));
  const others = {
    sums: told.reduce((left, { sums }) => minus(left, sums), total),
    before: told.reduce((left, { before: sums }) => minus(left, sums), totalBefore),
  };
  const other = others.sums.calls > 0 || others.before.calls > 0 ? others : null;
  const totals = new Map(steps.rows.map((row) => [row.time, sumsOf(row)]));
  const atTime = Map.groupBy(points, ({ time }) => time);
  const series = times.map((time): UsagePoint => {
    const here = new Map(atTime.get(time)?.map((row) => [row[dimension] ?? "", sumsOf(row)]));
    const ofAll = totals.get(time) ?? nothing();
    const ofValues = values.map((value) => here.get(value) ?? nothing());
    return { time, total: ofAll, values: ofValues, other: other && ofValues.reduce(minus, ofAll) };
  });
  return {
    ...range,
    before: { from: earlier.from, to: earlier.to, total: totalBefore },
    total,
    groups: told,
    other,
    series,
    ranked: groups.ranked,
  };
}

/** The begins of the hours or days of a range. */
function stepsOf({ from, to }: { from: number; to: number }, by: "hour" | "day", zoneMinutes: number): number[] {
  const step = by === "hour" ? hourMs : dayMs;
  const first = by === "hour" ? from : from - modulo(from + zoneMinutes * 60_000, dayMs);
  const count = Math.ceil((to - first) / step);
  if (count > mostSteps) throw new CallsError(`A range has at most ${mostSteps} hours or days: ask for fewer`);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

async function groupsOf(
  database: Pick<Database, "read" | "engine">,
  filter: UsageFilter,
  dimension: ValueDimension,
  top: number,
): Promise<{ rows: UsageRow[]; ranked: boolean }> {
  if (dimension === "accessKey") {
    const { rows, complete } = await topKeysOf(database, filter, top);
    return { rows, ranked: complete };
  }
  const { rows } = await usageTable(database, { ...filter, by: [dimension], limit: top });
  return { rows, ranked: true };
}

/** The sums of some values, by time where it is given. */
async function valuesOf(
  database: Pick<Database, "read" | "engine">,
  filter: UsageFilter & { by?: "hour" | "day"; zoneMinutes?: number },
  dimension: ValueDimension,
  values: readonly string[],
): Promise<UsageRow[]> {
  if (values.length === 0) return [];
  if (dimension === "accessKey") return keySums(database, filter, values);
  const by = filter.by === undefined ? [dimension] : [filter.by, dimension];
  const table = await usageTable(database, { ...filter, by, only: { dimension, values }, limit: 20_000 });
  return table.rows;
}

function nothing(): UsageSums {
  return {
    calls: 0,
    succeeded: 0,
    inputUncached: 0,
    inputCacheRead: 0,
    inputCacheWrite: 0,
    outputTotal: 0,
    outputReasoning: 0,
    charge: 0n,
    overrun: 0n,
    durationMs: 0,
  };
}

function sumsOf(row: UsageSums): UsageSums {
  return plus(nothing(), row);
}

function plus(a: UsageSums, b: UsageSums): UsageSums {
  return combined(a, b, 1);
}

function minus(a: UsageSums, b: UsageSums): UsageSums {
  return combined(a, b, -1);
}

function combined(a: UsageSums, b: UsageSums, sign: 1 | -1): UsageSums {
  return {
    calls: a.calls + sign * b.calls,
    succeeded: a.succeeded + sign * b.succeeded,
    inputUncached: a.inputUncached + sign * b.inputUncached,
    inputCacheRead: a.inputCacheRead + sign * b.inputCacheRead,
    inputCacheWrite: a.inputCacheWrite + sign * b.inputCacheWrite,
    outputTotal: a.outputTotal + sign * b.outputTotal,
    outputReasoning: a.outputReasoning + sign * b.outputReasoning,
    charge: a.charge + BigInt(sign) * b.charge,
    overrun: a.overrun + BigInt(sign) * b.overrun,
    durationMs: a.durationMs + sign * b.durationMs,
  };
}
