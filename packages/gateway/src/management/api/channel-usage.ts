import { firstTokenWaits, usageTable } from "../../calls/usage.ts";
import { hourMs, hourOf } from "../../calls/usage-hour.ts";
import type { Database } from "../../storage/database.ts";

/** Sums of a channel's calls. Charge in nano-dollars. */
export interface ChannelSums {
  calls: number;
  failed: number;
  charge: bigint;
}

/** What a channel did lately. */
export interface ChannelUsage {
  /** The last 24 hours. */
  day: ChannelSums;
  /** The last 30 days. */
  month: ChannelSums;
  /** The last 24 hours one by one, the earliest first; those without a call, too. */
  hours: { hour: number; calls: number; failed: number }[];
}

type Reading = Pick<Database, "read" | "engine">;

const hoursShown = 24;
const none: ChannelSums = { calls: 0, failed: 0, charge: 0n };

/** The usage of all channels, or of one, from the sums. The answer is asked by a channel's name. */
export async function channelUsage(
  database: Reading,
  now: number,
  channel?: string,
): Promise<(name: string) => ChannelUsage> {
  const to = hourOf(now) + hourMs;
  const dayFrom = to - hoursShown * hourMs;
  const one = channel === undefined ? {} : { channel };
  const [hourly, monthly] = await Promise.all([
    usageTable(database, { ...one, from: dayFrom, to, by: ["hour", "channel"], limit: 20_000 }),
    usageTable(database, { ...one, from: to - 30 * 24 * hourMs, to, by: ["channel"], limit: 20_000 }),
  ]);
  const months = new Map(monthly.rows.map((row) => [row.channel ?? "", sumsOf(row)]));
  const byChannel = Map.groupBy(hourly.rows, (row) => row.channel ?? "");
  return (name) => {
    const rows = byChannel.get(name) ?? [];
    const hours = Array.from({ length: hoursShown }, (_, index) => {
      const hour = dayFrom + index * hourMs;
      const row = rows.find(({ time }) => time === hour);
      return row ? { hour, calls: row.calls, failed: row.calls - row.succeeded } : { hour, calls: 0, failed: 0 };
    });
    const day = rows.reduce((sum, row) => added(sum, sumsOf(row)), none);
    return { day, month: months.get(name) ?? none, hours };
  };
}

/** How long the first token of a channel's calls let wait in the last 24 hours. Milliseconds. */
export async function channelWaits(
  database: Reading,
  now: number,
  channel: string,
): Promise<{ p50: number | null; p95: number | null; counted: number }> {
  const to = hourOf(now) + hourMs;
  // One row: the range is shorter than a day of this zone, which begins with it.
  const from = to - hoursShown * hourMs;
  const zoneMinutes = zoneWhere(from);
  const [row] = await firstTokenWaits(database, { channel, from, to, by: "day", zoneMinutes });
  return row ?? { p50: null, p95: null, counted: 0 };
}

/** A time zone, in minutes from UTC, in which a day begins at this hour. */
function zoneWhere(hour: number): number {
  const minutes = Math.floor(hour / 60_000) % (24 * 60);
  return minutes <= 12 * 60 ? -minutes : 24 * 60 - minutes;
}

function sumsOf(row: { calls: number; succeeded: number; charge: bigint }): ChannelSums {
  return { calls: row.calls, failed: row.calls - row.succeeded, charge: row.charge };
}

function added(a: ChannelSums, b: ChannelSums): ChannelSums {
  return { calls: a.calls + b.calls, failed: a.failed + b.failed, charge: a.charge + b.charge };
}
