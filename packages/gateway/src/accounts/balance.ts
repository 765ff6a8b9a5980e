import { type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import type { AccountTable } from "../storage/schema.ts";
import { type LedgerEntry, ledgerEntries } from "./list-ledger.ts";

/** The money of an account, in nano-dollars. */
export interface AccountBalance {
  billing: AccountTable["billing"];
  state: AccountTable["state"];
  balance: bigint;
  /** Set aside for running calls; part of the balance. */
  reserved: bigint;
  creditLimit: bigint | null;
  /** What new calls can spend; null: no bound. Never below 0. */
  available: bigint | null;
  /** The last time that money came in; a refund is none. */
  lastTopUp: LedgerEntry | null;
}

/** The money of an account now; undefined where there is no such account. */
export async function readBalance(
  database: Pick<Database, "read">,
  accountId: string,
): Promise<AccountBalance | undefined> {
  const [row, [lastTopUp = null]] = await Promise.all([
    database.read
      .selectFrom("account")
      .select(["billing", "state"])
      .select([
        moneyText("balance").as("balance"),
        moneyText("reserved").as("reserved"),
        moneyText("credit_limit").as("credit_limit"),
      ])
      .where("id", "=", accountId)
      .executeTakeFirst(),
    ledgerEntries(database, (query) =>
      query
        .where("account_id", "=", accountId)
        .where(sql<SqlBool>`kind <> 'charge'`)
        .where("kind", "<>", "refund")
        .where("amount", ">", 0)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(1),
    ),
  ]);
  if (!row) return undefined;
  const balance = BigInt(row.balance);
  const reserved = BigInt(row.reserved);
  // The text of null is null in both engines.
  const creditLimit = row.credit_limit === null ? null : BigInt(row.credit_limit);
  const open = balance - reserved + (row.billing === "postpaid" ? (creditLimit ?? 0n) : 0n);
  const unbounded = row.billing === "postpaid" && creditLimit === null;
  return {
    billing: row.billing,
    state: row.state,
    balance,
    reserved,
    creditLimit,
    available: unbounded ? null : open < 0n ? 0n : open,
    lastTopUp,
  };
}
