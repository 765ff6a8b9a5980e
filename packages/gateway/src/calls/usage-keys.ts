import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { sumSelection, timeOf, type UsageFilter, type UsageRow, usageTotal, wholeHours, withMoney } from "./usage.ts";
import { closedHours } from "./usage-source.ts";

/*
 * An account may have hundreds of thousands of keys, too many to add up all of them for a page. Of each hour that has ended
 * the keys that cost most are kept: those that cost most in a longer time are looked for among them, and then summed up
 * exactly. An account that never used more keys in an hour than are kept has all of them there.
 */

/** Which keys cost most. */
export interface TopKeys {
  /** Those that cost most first, with their exact sums. */
  rows: UsageRow[];
  /** Whether no other key can have cost more: every key of the range was looked at. */
  complete: boolean;
}

/** Keys that are summed up to find those that cost most, where what is kept of the hours does not decide it. */
const candidates = 30;

/** The keys that cost most in the range. The filter's other conditions go into the sums. */
export async function topKeysOf(
  database: Pick<Database, "read" | "engine">,
  filter: UsageFilter,
  limit: number,
): Promise<TopKeys> {
  if (filter.accessKeyId !== undefined) {
    return { rows: await keySums(database, filter, [filter.accessKeyId]), complete: true };
  }
  const { from, to } = wholeHours(filter);
  const { closed, late } = await closedHours(database, from, to);
  const account = sql`account_id = ${filter.accountId ?? ""}`;
  const open = [sql`(hour >= ${closed} and hour < ${to})`];
  const kept = [sql`hour >= ${from} and hour < ${closed}`];
  if (late && late.length > 0) {
    open.push(sql`hour in (${sql.join(late)})`);
    kept.push(sql`hour not in (${sql.join(late)})`);
  }
  const mine = filter.accountId === undefined ? sql`` : sql`and account_id || '' = ${filter.accountId}`;
  const source = sql<{ access_key_id: string }>`(
    select access_key_id, calls, charge from usage_key_top where ${account} and ${sql.join(kept, sql` and `)}
    union all
    select access_key_id, calls, charge from usage_hour where (${sql.join(open, sql` or `)}) ${mine})`.as("kept");
  const found = await database.read
    .selectFrom(source)
    .select("access_key_id")
    .select(sql<number>`cast(sum(sum(calls)) over () as bigint)`.as("seen"))
    .groupBy("access_key_id")
    .orderBy(sql`sum(charge)`, "desc")
    .orderBy(sql`sum(calls)`, "desc")
    .orderBy("access_key_id")
    .limit(candidates)
    .execute();
  const whose = filter.accountId === undefined ? {} : { accountId: filter.accountId };
  const all = await usageTotal(database, { from, to, ...whose });
  const hasAll = late !== undefined && (found[0]?.seen ?? 0) === all.calls;
  // Then the order is that of the kept sums, unless only some of the calls are asked for.
  const isOrdered = hasAll && [filter.model, filter.channel, filter.clientProtocol].every((one) => one === undefined);
  const keys = found.slice(0, isOrdered ? limit : candidates).map((row) => row.access_key_id);
  const rows = await keySums(database, filter, keys);
  rows.sort(byCost);
  const complete = isOrdered || (hasAll && found.length < candidates);
  return { rows: rows.slice(0, limit), complete };
}

/** The exact sums of these keys, by time, too, where it is given. */
export async function keySums(
  { read }: Pick<Database, "read">,
  filter: UsageFilter & { by?: "hour" | "day"; zoneMinutes?: number },
  keys: readonly string[],
): Promise<UsageRow[]> {
  if (keys.length === 0) return [];
  const { from, to } = wholeHours(filter);
  const time: RawBuilder<number> | undefined = filter.by && timeOf({ ...filter, by: [filter.by] });
  // From key to hours, which is the way of the sums' own index.
  let select = read
    .selectFrom("access_key")
    .crossJoin("usage_hour")
    .whereRef("usage_hour.account_id", "=", "access_key.account_id")
    .whereRef("usage_hour.access_key_id", "=", "access_key.id")
    .where("access_key.id", "in", keys)
    .where("hour", ">=", from)
    .where("hour", "<", to)
    .select("usage_hour.access_key_id as accessKey")
    .select(sumSelection)
    .groupBy("usage_hour.access_key_id");
  if (filter.accountId !== undefined) select = select.where("access_key.account_id", "=", filter.accountId);
  if (filter.model !== undefined) select = select.where("model", "=", filter.model);
  if (filter.channel !== undefined) select = select.where("channel", "=", filter.channel);
  if (filter.clientProtocol !== undefined) select = select.where("client_protocol", "=", filter.clientProtocol);
  if (time === undefined) return (await select.execute()).map(withMoney);
  return (await select.select(time.as("time")).groupBy(time).execute()).map(withMoney);
}

function byCost(a: UsageRow, b: UsageRow): number {
  if (a.charge !== b.charge) return a.charge > b.charge ? -1 : 1;
  return b.calls - a.calls || ((a.accessKey ?? "") < (b.accessKey ?? "") ? -1 : 1);
}
