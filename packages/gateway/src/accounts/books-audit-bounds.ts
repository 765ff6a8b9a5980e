import { sql } from "kysely";
import { databaseTime } from "../storage/database-time.ts";
import type { Snapshot } from "../storage/snapshot.ts";
import { leaseMs } from "./instance.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Migrations that ran within this time of each other were a first start, not an upgrade. */
const firstStartMs = 10 * 60_000;
/** A reservation may be without a live owner for so long (M15). */
export const ownerlessMs = 60_000;

/** From when on what must be there. Unix milliseconds by the database's clock. */
export interface CheckBounds {
  now: number;
  /** Calls since then are all kept. */
  callsFrom: number;
  /** Reservations since then are all kept. */
  reservationsFrom: number;
  /** Calls before were recorded by a version that knew neither attempts nor sums; 0: there was none. */
  upgradedAt: number;
  /** A gateway has been alive for long enough to have freed what dead ones had reserved. */
  gatewayRuns: boolean;
}

export async function checkBounds(
  snapshot: Snapshot,
  { retentionMs, since = 0 }: { retentionMs: number; since?: number | undefined },
): Promise<CheckBounds> {
  const { readNow } = databaseTime(snapshot.engine);
  const [row] = await snapshot.rows(sql<{ now: number; live: number }>`
    select ${readNow} as now, (select count(*) from instance
      where heartbeat_at > ${readNow} - ${sql.lit(leaseMs)} and started_at < ${readNow} - ${sql.lit(ownerlessMs)}) as live`);
  const now = Number(row?.now ?? 0);
  return {
    now,
    // A day for what is deleted hourly, and by another clock.
    callsFrom: Math.max(since, now - retentionMs + dayMs),
    reservationsFrom: Math.max(since, now - dayMs),
    upgradedAt: await readUpgrade(snapshot),
    gatewayRuns: Number(row?.live ?? 0) > 0,
  };
}

async function readUpgrade(snapshot: Snapshot): Promise<number> {
  const rows = await snapshot.rows(sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`);
  const timeOf = (prefix: string) => {
    const row = rows.find(({ name }) => name.startsWith(prefix));
    return row ? Date.parse(row.timestamp) : 0;
  };
  const upgradedAt = timeOf("0003");
  return upgradedAt - timeOf("0001") > firstStartMs ? upgradedAt : 0;
}
