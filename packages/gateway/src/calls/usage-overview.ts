import type { Database } from "../storage/database.ts";
import { waitQuantile } from "./first-token-buckets.ts";
import { firstTokenCounts, type UsageFilter, usageTable } from "./usage.ts";
import { hourMs, hourOf } from "./usage-hour.ts";

/** What calls did in a time. */
export interface PeriodFigures {
  /** Unix milliseconds, whole hours of UTC. */
  from: number;
  to: number;
  calls: number;
  succeeded: number;
  /** Nano-dollars. */
  charge: bigint;
  tokens: number;
  /** Milliseconds in which 95 of a hundred calls had their first token; null where none had one. */
  firstTokenP95: number | null;
}

/** The state of things now, beside that of a day ago. */
export interface UsageOverview {
  /** Since the begin of the day. */
  today: PeriodFigures;
  /** The hours of the day that are over, and the same ones of the day before; null while the first one runs. */
  compared: { today: PeriodFigures; yesterday: PeriodFigures } | null;
  /** The last 24 hours, the earliest first; the last one is still running. */
  hours: PeriodFigures[];
}

const dayMs = 24 * hourMs;

/**
 * What calls did today. A day begins at midnight of the zone (minutes ahead of UTC), or where that lies within an hour of UTC
 * at the begin of that hour: sums are kept by the hour.
 */
export async function usageOverview(
  database: Pick<Database, "read" | "engine">,
  { accountId, now, zoneMinutes }: { accountId?: string; now: number; zoneMinutes: number },
): Promise<UsageOverview> {
  const hour = hourOf(now);
  const end = hour + hourMs;
  const begin = hourOf(now - ((now + zoneMinutes * 60_000) % dayMs));
  const range: UsageFilter = { from: begin - dayMs, to: end, ...(accountId === undefined ? {} : { accountId }) };
  const [table, waits] = await Promise.all([
    usageTable(database, { ...range, by: ["hour"] }),
    firstTokenCounts(database, { ...range, by: "hour" }),
  ]);
  const figures = (from: number, to: number): PeriodFigures => {
    const rows = table.rows.filter(({ time = 0 }) => time >= from && time < to);
    const counts: number[] = [];
    for (const { time, counts: ofHour } of waits) {
      if (time < from || time >= to) continue;
      for (const [place, count] of ofHour.entries()) counts[place] = (counts[place] ?? 0) + count;
    }
    return {
      from,
      to,
      calls: rows.reduce((sum, row) => sum + row.calls, 0),
      succeeded: rows.reduce((sum, row) => sum + row.succeeded, 0),
      charge: rows.reduce((sum, row) => sum + row.charge, 0n),
      tokens: rows.reduce(
        (sum, row) => sum + row.inputUncached + row.inputCacheRead + row.inputCacheWrite + row.outputTotal,
        0,
      ),
      firstTokenP95: waitQuantile(counts, 0.95),
    };
  };
  return {
    today: figures(begin, end),
    compared: hour > begin ? { today: figures(begin, hour), yesterday: figures(begin - dayMs, hour - dayMs) } : null,
    hours: Array.from({ length: 24 }, (_, index) => figures(end - (24 - index) * hourMs, end - (23 - index) * hourMs)),
  };
}
