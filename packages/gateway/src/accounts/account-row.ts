import type { SelectQueryBuilder } from "kysely";
import type { KeyLimits } from "../config/config.ts";
import type { Database } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import type { AccountTable, Schema } from "../storage/schema.ts";
import { ownLimits } from "./access-key-row.ts";
import { AccountsError } from "./accounts-error.ts";

/** The account that owns what was made without naming one (migration 0003). */
export const defaultAccountId = "acct_default";

/** An account's row, its money exact: nano-dollars. */
export type AccountRow = Omit<AccountTable, "balance" | "reserved" | "credit_limit"> & {
  balance: bigint;
  reserved: bigint;
  credit_limit: bigint | null;
};

/** An account as it may be shown. Money in nano-dollars, times in unix milliseconds. */
export interface AccountInfo {
  id: string;
  name: string;
  state: AccountTable["state"];
  billing: AccountTable["billing"];
  balance: bigint;
  /** Set aside for running calls. */
  reserved: bigint;
  /** What new calls may cost together; null: without bound. */
  available: bigint | null;
  /** How far below zero a postpaid balance may go; null: without bound. */
  creditLimit: bigint | null;
  /** Parts per million of the list price: 1,000,000 is the price itself. */
  markupPpm: number;
  /** Limits that its keys share; what is absent is limited by the keys alone. */
  limits: Partial<KeyLimits>;
  createdAt: number;
}

/** All accounts by their names, or those with this id or name. Rejects with a StorageError. */
export function readAccounts(database: Pick<Database, "read">, reference?: string): Promise<AccountRow[]> {
  return accountRows(database, (query) => {
    const ordered = query.orderBy("name");
    if (reference === undefined) return ordered;
    return ordered.where((row) => row.or([row("id", "=", reference), row("name", "=", reference)]));
  });
}

type AccountQuery = SelectQueryBuilder<Schema, "account", object>;

/** Accounts, as a query chooses and orders them. Rejects with a StorageError. */
export async function accountRows(
  { read }: Pick<Database, "read">,
  choose: (query: AccountQuery) => AccountQuery,
): Promise<AccountRow[]> {
  const rows = await choose(read.selectFrom("account"))
    .select(["id", "name", "state", "billing", "markup_ppm", "created_at"])
    .select(["requests_per_minute", "tokens_per_minute", "concurrency"])
    .select([moneyText("balance").as("balance"), moneyText("reserved").as("reserved")])
    .select(moneyText("credit_limit").as("credit_limit"))
    .execute();
  return rows.map((row) => {
    // A cast of nothing is nothing.
    const limit: string | null = row.credit_limit;
    return {
      ...row,
      balance: BigInt(row.balance),
      reserved: BigInt(row.reserved),
      credit_limit: limit === null ? null : BigInt(limit),
    };
  });
}

/** The account with this id, else with this name. Rejects with an AccountsError of code `unknown`. */
export async function findAccount(database: Pick<Database, "read">, reference: string): Promise<AccountRow> {
  const rows = await readAccounts(database, reference);
  const row = rows.find((each) => each.id === reference) ?? rows[0];
  if (!row) throw new AccountsError("unknown", `There is no account "${reference}"`);
  return row;
}

export function accountInfo(row: AccountRow): AccountInfo {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    billing: row.billing,
    balance: row.balance,
    reserved: row.reserved,
    available: availableOf(row),
    creditLimit: row.credit_limit,
    markupPpm: row.markup_ppm,
    limits: ownLimits(row),
    createdAt: row.created_at,
  };
}

function availableOf({ billing, balance, reserved, credit_limit }: AccountRow): bigint | null {
  if (billing === "prepaid") return balance - reserved;
  return credit_limit === null ? null : balance + credit_limit - reserved;
}
