import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database, Statement } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import { moneyText } from "../storage/money-column.ts";
import type { AlertSubject } from "../storage/usage-schema.ts";
import { type AlertSettings, readAlertSettings } from "./alert-settings.ts";
import { type AccountBalance, readBalance } from "./balance.ts";

/*
 * Money that runs low is told of in percents that are used up:
 *
 * - `balance`, of a prepaid account: of what was in the account right after money last came in.
 * - `credit_limit`, of a postpaid account that has one: of the limit.
 * - `key_quota`: of the quota of a key, in its current window.
 *
 * What is set aside for running calls does not count. A threshold is crossed when at least so much is used. Nothing is stored
 * about that: it follows from the books. What is stored is that somebody has seen it, for this threshold and this basis:
 * another top-up, limit, quota or window is another one, and crossing it is told of again.
 */

/** Something of which so much is used up that an account wants to be told. */
export interface Alert {
  /** The same as long as it is about the same threshold of the same basis. */
  id: string;
  subject: AlertSubject;
  /** Where it is about the quota of a key. */
  accessKey: { id: string; name: string } | null;
  basis: string;
  /** The highest threshold that is crossed. */
  threshold: number;
  /** Whole percents that are used, rounded down; more than 100 where a limit was lowered. */
  percent: number;
  /** Nano-dollars. */
  used: bigint;
  /** Nano-dollars of which the percents are. */
  of: bigint;
  /** When somebody has seen it; null: nobody. */
  acknowledgedAt: number | null;
}

/** Keys that are looked at: those that were used last. The quota of a key that nobody uses does not run low. */
const mostKeys = 500;

/** The alerts of an account that hold now, of the account itself first, then those of keys of which most is used. */
export async function readAlerts(database: Pick<Database, "read" | "engine">, accountId: string): Promise<Alert[]> {
  const settings = await readAlertSettings(database, accountId);
  const [balance, keys, seen] = await Promise.all([
    settings.balance ? readBalance(database, accountId) : undefined,
    settings.quotas ? keyPositions(database, accountId) : [],
    database.read.selectFrom("alert_acknowledgement").selectAll().where("account_id", "=", accountId).execute(),
  ]);
  const own = balance && accountPosition(balance);
  const acknowledged = new Map(
    seen.map((row) => [alertId({ ...row, subjectId: row.subject_id, accountId: row.account_id }), row.acknowledged_at]),
  );
  return [...(own ? [own] : []), ...keys]
    .flatMap((position) => alertOf(accountId, position, settings, acknowledged) ?? [])
    .toSorted((a, b) => Number(a.accessKey !== null) - Number(b.accessKey !== null) || b.percent - a.percent);
}

/** How much of something is used up. */
interface Position {
  subject: AlertSubject;
  accessKey: { id: string; name: string } | null;
  basis: string;
  used: bigint;
  of: bigint;
}

/** How much of its money an account has used; undefined where there is nothing to be a part of. */
export function accountPosition(balance: AccountBalance): Position | undefined {
  const { lastTopUp, creditLimit } = balance;
  switch (balance.billing) {
    case "prepaid": {
      if (!lastTopUp || lastTopUp.balanceAfter <= 0n) return undefined;
      const of = lastTopUp.balanceAfter;
      return { subject: "balance", accessKey: null, basis: lastTopUp.id, used: of - balance.balance, of };
    }
    case "postpaid": {
      if (creditLimit === null || creditLimit <= 0n) return undefined;
      // A payment makes the way to the limit longer again.
      const basis = `${creditLimit} ${lastTopUp?.id ?? ""}`;
      return { subject: "credit_limit", accessKey: null, basis, used: -balance.balance, of: creditLimit };
    }
  }
}

/** Whole percents that are used, rounded down; 0 where there is more than there was. */
export function percentOf({ used, of }: Pick<Position, "used" | "of">): number {
  return used <= 0n ? 0 : Number((used * 100n) / of);
}

function alertOf(
  accountId: string,
  position: Position,
  { thresholds }: AlertSettings,
  acknowledged: ReadonlyMap<string, number>,
): Alert | undefined {
  const percent = percentOf(position);
  const threshold = thresholds.findLast((step) => percent >= step);
  if (threshold === undefined) return undefined;
  const { subject, basis, accessKey } = position;
  const id = alertId({ accountId, subject, subjectId: accessKey?.id ?? "", basis, threshold });
  return { id, ...position, threshold, percent, acknowledgedAt: acknowledged.get(id) ?? null };
}

async function keyPositions(
  { read, engine }: Pick<Database, "read" | "engine">,
  accountId: string,
): Promise<Position[]> {
  const { readWindow } = databaseTime(engine);
  const rows = await read
    .selectFrom((from) =>
      from
        .selectFrom("access_key")
        .select(["id", "name", "state", "quota_period", moneyText("quota").as("quota")])
        .where("account_id", "=", accountId)
        .where("quota", "is not", null)
        .where("last_used_at", "is not", null)
        .orderBy("last_used_at", "desc")
        .limit(mostKeys)
        .as("key"),
    )
    .innerJoin("quota_usage", (join) =>
      join.onRef("quota_usage.access_key_id", "=", "key.id").on(
        sql<boolean>`quota_usage.quota_window = case key.quota_period
            when 'day' then ${readWindow("day")} when 'week' then ${readWindow("week")}
            when 'month' then ${readWindow("month")} else 'total' end`,
      ),
    )
    .select(["key.id", "key.name", "key.quota", "quota_usage.quota_window as window"])
    .select(moneyText("quota_usage.used").as("used"))
    .where("key.state", "=", "enabled")
    .execute();
  return rows.flatMap(({ id, name, quota, window, used }): Position[] => {
    const of = BigInt(quota);
    if (of <= 0n) return [];
    return [{ subject: "key_quota", accessKey: { id, name }, basis: `${window} ${quota}`, used: BigInt(used), of }];
  });
}

interface AlertName {
  accountId: string;
  subject: AlertSubject;
  subjectId: string;
  basis: string;
  threshold: number;
}

function alertId({ accountId, subject, subjectId, basis, threshold }: AlertName): string {
  const name = JSON.stringify([accountId, subject, subjectId, basis, threshold]);
  return `alert_${createHash("sha256").update(name).digest("base64url").slice(0, 22)}`;
}

/** The statements that note who has seen an alert, the first time. What was noted of its former bases goes. */
export function acknowledgeStatements(
  { build }: Pick<Database, "build">,
  accountId: string,
  { subject, accessKey, basis, threshold }: Alert,
  { at, by }: { at: number; by: string },
): Statement[] {
  const about = { account_id: accountId, subject, subject_id: accessKey?.id ?? "" };
  return [
    build
      .deleteFrom("alert_acknowledgement")
      .where("account_id", "=", about.account_id)
      .where("subject", "=", about.subject)
      .where("subject_id", "=", about.subject_id)
      .where("basis", "<>", basis)
      .compile(),
    build
      .insertInto("alert_acknowledgement")
      .values({ ...about, basis, threshold, acknowledged_at: at, acknowledged_by: by })
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  ];
}
