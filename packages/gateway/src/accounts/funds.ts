import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import { moneyText } from "../storage/money-column.ts";

/** What is left to spend, in nano-dollars; null: no bound. Never below 0. */
export interface Funds {
  account: bigint | null;
  quota: bigint | null;
}

/** Reads what an account and one of its keys can spend now. Nothing is decided by it: the reservation decides. */
export async function readFunds(
  database: Pick<Database, "read" | "engine">,
  accountId: string,
  accessKeyId: string,
): Promise<Funds> {
  const { readWindow } = databaseTime(database.engine);
  const row = await database.read
    .selectFrom("account")
    .innerJoin("access_key", "access_key.account_id", "account.id")
    .leftJoin("quota_usage", (join) =>
      join.onRef("quota_usage.access_key_id", "=", "access_key.id").on(
        sql<boolean>`quota_usage.quota_window = case access_key.quota_period
            when 'day' then ${readWindow("day")} when 'week' then ${readWindow("week")}
            when 'month' then ${readWindow("month")} else 'total' end`,
      ),
    )
    .select([
      "account.state",
      "billing",
      moneyText("balance").as("balance"),
      moneyText("account.reserved").as("reserved"),
      moneyText("credit_limit").as("credit_limit"),
      moneyText("quota").as("quota"),
      moneyText("quota_usage.used").as("used"),
      moneyText("quota_usage.reserved").as("window_reserved"),
    ])
    .where("account.id", "=", accountId)
    .where("access_key.id", "=", accessKeyId)
    .executeTakeFirst();
  if (row?.state !== "active") return { account: 0n, quota: 0n };
  const open = BigInt(row.balance) - BigInt(row.reserved);
  const unbounded = row.billing === "postpaid" && row.credit_limit === null;
  return {
    account: unbounded ? null : atLeastZero(open + BigInt(row.billing === "postpaid" ? row.credit_limit : 0)),
    quota:
      row.quota === null
        ? null
        : atLeastZero(BigInt(row.quota) - BigInt(row.used ?? 0) - BigInt(row.window_reserved ?? 0)),
  };
}

function atLeastZero(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}
