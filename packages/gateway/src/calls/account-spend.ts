import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { hourMs, hourOf } from "./usage-hour.ts";
import { closedHours } from "./usage-source.ts";

/** What accounts paid for calls, in nano-dollars. */
export interface AccountSpend {
  today: bigint;
  month: bigint;
}

const none: AccountSpend = { today: 0n, month: 0n };

/**
 * What each of these accounts has paid in the month and the day of UTC in which `now` lies (unix milliseconds), from the
 * sums by the hour. A few dozen accounts at a time. Rejects with a StorageError.
 */
export async function accountSpend(
  database: Pick<Database, "read" | "engine">,
  ids: readonly string[],
  now: number,
): Promise<(id: string) => AccountSpend> {
  if (ids.length === 0) return () => none;
  const date = new Date(now);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  const to = hourOf(now) + hourMs;
  const { closed: until, late } = await closedHours(database, month, to);
  const closed = late === undefined ? month : until;
  const among = sql.join(ids);
  // Spelt so that the index over the hours serves it: accounts may have very many rows, open hours have few.
  const hourly = (time: RawBuilder<unknown>) => sql`
    select account_id, hour, charge from usage_hour where ${time} and account_id || '' in (${among})`;
  const parts = [summedUp(database.engine, among, month, closed, late ?? []), hourly(sql`hour >= ${closed}`)];
  if (late && late.length > 0) parts.push(hourly(sql`hour in (${sql.join(late)})`));
  const source = sql<{ account_id: string; hour: number; charge: number }>`(${sql.join(parts, sql` union all `)})`;
  const rows = await database.read
    .selectFrom(source.as("spent"))
    .select("account_id")
    .select(sql<string>`cast(sum(charge) as text)`.as("month"))
    .select(sql<string>`cast(sum(case when hour >= ${today} then charge else 0 end) as text)`.as("today"))
    .groupBy("account_id")
    .execute();
  const byId = new Map(
    rows.map((row) => [row.account_id, { today: BigInt(row.today), month: BigInt(row.month) }] as const),
  );
  return (id) => byId.get(id) ?? none;
}

/** SQLite, which knows no numbers of rows, would go by the hours through all accounts. */
function summedUp(
  engine: Database["engine"],
  among: RawBuilder<unknown>,
  from: number,
  to: number,
  late: readonly number[],
): RawBuilder<unknown> {
  const by = engine === "sqlite" ? sql`indexed by usage_total_by_value` : sql``;
  const but = late.length > 0 ? sql`and hour not in (${sql.join(late)})` : sql``;
  return sql`
    select value as account_id, hour, charge from usage_total ${by}
    where dimension = 'account' and value in (${among}) and hour >= ${from} and hour < ${to} ${but}`;
}
