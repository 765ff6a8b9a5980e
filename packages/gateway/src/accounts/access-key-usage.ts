import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import { moneySum, moneyText } from "../storage/money-column.ts";
import type { QuotaPeriod } from "../storage/schema.ts";
import type { AccessKeyInfo } from "./access-key-row.ts";

/** What a key did lately. Money in nano-dollars. */
export interface AccessKeyUsage {
  /** What the current window of the quota holds; null without a quota. */
  quota: { used: bigint; reserved: bigint; resetsAt: number | null } | null;
  /** Each day of the range in UTC, the earliest first; the last one is today. */
  days: readonly UsedDay[];
}

interface UsedDay {
  /** The begin of the day, unix milliseconds. */
  day: number;
  calls: number;
  charge: bigint;
}

const dayMs = 86_400_000;

/**
 * What keys of one account did in the last days, by their ids. Two reads, whatever the number of keys; both by the begin of
 * a key. `now` in unix milliseconds.
 */
export async function accessKeyUsage(
  database: Pick<Database, "read" | "engine">,
  { accountId, keys, days, now }: { accountId: string; keys: readonly AccessKeyInfo[]; days: number; now: number },
): Promise<ReadonlyMap<string, AccessKeyUsage>> {
  if (keys.length === 0) return new Map();
  const today = now - (now % dayMs);
  const begin = today - (days - 1) * dayMs;
  const ids = keys.map(({ id }) => id);
  const [windows, sums] = await Promise.all([readWindows(database, keys), readDays(database, accountId, ids, begin)]);
  const sumOf = new Map(sums.map((row) => [`${row.access_key_id} ${row.day}`, row]));
  const windowOf = new Map(windows.map((row) => [row.access_key_id, row]));
  return new Map(
    keys.map(({ id, quota }) => {
      const window = windowOf.get(id);
      return [
        id,
        {
          quota: quota && {
            used: BigInt(window?.used ?? 0),
            reserved: BigInt(window?.reserved ?? 0),
            resetsAt: quotaResetsAt(quota.period, now),
          },
          days: Array.from({ length: days }, (_, at) => {
            const day = begin + at * dayMs;
            const sum = sumOf.get(`${id} ${day}`);
            return { day, calls: sum?.calls ?? 0, charge: BigInt(sum?.charge ?? 0) };
          }),
        },
      ];
    }),
  );
}

/** When the next window of a quota begins, unix milliseconds; null where there is none. Windows are those of UTC. */
export function quotaResetsAt(period: QuotaPeriod, now: number): number | null {
  const date = new Date(now);
  switch (period) {
    case "total":
      return null;
    case "day":
      return now - (now % dayMs) + dayMs;
    case "week":
      // Weeks begin on Monday, which getUTCDay counts as 1.
      return now - (now % dayMs) + (7 - ((date.getUTCDay() + 6) % 7)) * dayMs;
    case "month":
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  }
}

async function readWindows({ read, engine }: Pick<Database, "read" | "engine">, keys: readonly AccessKeyInfo[]) {
  const limited = keys.filter(({ quota }) => quota !== null);
  if (limited.length === 0) return [];
  const time = databaseTime(engine);
  const byPeriod = Map.groupBy(limited, ({ quota }) => quota?.period ?? "total");
  return read
    .selectFrom("quota_usage")
    .select(["access_key_id", moneyText("used").as("used"), moneyText("reserved").as("reserved")])
    .where((row) =>
      row.or(
        [...byPeriod].map(([period, group]) =>
          row.and([
            row(
              "access_key_id",
              "in",
              group.map(({ id }) => id),
            ),
            row("quota_window", "=", time.readWindow(period)),
          ]),
        ),
      ),
    )
    .execute();
}

function readDays({ read }: Pick<Database, "read">, accountId: string, ids: readonly string[], begin: number) {
  // A literal, since both engines must see the same text twice.
  const day = sql<number>`(hour - hour % ${sql.lit(dayMs)})`;
  return read
    .selectFrom("usage_hour")
    .select(["access_key_id", day.as("day"), moneySum("charge").as("charge")])
    .select(sql<number>`cast(sum(calls) as bigint)`.as("calls"))
    .where("account_id", "=", accountId)
    .where("access_key_id", "in", ids)
    .where("hour", ">=", begin)
    .groupBy(["access_key_id", day])
    .execute();
}
