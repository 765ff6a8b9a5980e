import { type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import type { AccountTable } from "../storage/schema.ts";
import { type AccountRow, accountRows } from "./account-row.ts";

export type AccountOrder = "name" | "newest" | "balance";

/** Where a page of a list begins: after the account with this id, which has this value in what the list is ordered by. */
export interface AccountPlace {
  /** The name in lower case, the time of its making, or the balance as decimal text. */
  value: string | number;
  id: string;
}

export interface ListAccountsOptions {
  /** The first letters of the name, in either case, or the whole id. */
  search?: string | undefined;
  state?: AccountTable["state"] | undefined;
  billing?: AccountTable["billing"] | undefined;
  order: AccountOrder;
  after?: AccountPlace | undefined;
  limit: number;
}

/** Accounts in the order asked for: by name, the newest first, or the lowest balance first. Rejects with a StorageError. */
export function listAccounts(database: Pick<Database, "read">, options: ListAccountsOptions): Promise<AccountRow[]> {
  const { search, state, billing, order, after, limit } = options;
  return accountRows(database, (query) => {
    let page = query.limit(limit);
    if (state !== undefined) page = page.where("state", "=", state);
    if (billing !== undefined) page = page.where("billing", "=", billing);
    if (search !== undefined) {
      const begin = lowerCase(search);
      page = page.where((row) =>
        row.or([
          sql<SqlBool>`(lower(name) >= ${begin} and lower(name) < ${`${begin}\u{10ffff}`})`,
          row("id", "=", search),
        ]),
      );
    }
    switch (order) {
      case "name":
        if (after) page = page.where(sql<SqlBool>`(lower(name), id) > (${String(after.value)}, ${after.id})`);
        return page.orderBy(sql`lower(name)`).orderBy("id");
      case "newest":
        if (after) page = page.where(sql<SqlBool>`(created_at, id) < (${Number(after.value)}, ${after.id})`);
        return page.orderBy("created_at", "desc").orderBy("id", "desc");
      case "balance":
        if (after) {
          page = page.where(sql<SqlBool>`(balance, id) > (cast(${BigInt(after.value)} as bigint), ${after.id})`);
        }
        return page.orderBy("balance").orderBy("id");
    }
  });
}

/** The place of an account in a list of this order. */
export function placeOf(
  row: Pick<AccountRow, "id" | "name" | "created_at" | "balance">,
  order: AccountOrder,
): AccountPlace {
  switch (order) {
    case "name":
      return { value: lowerCase(row.name), id: row.id };
    case "newest":
      return { value: row.created_at, id: row.id };
    case "balance":
      return { value: String(row.balance), id: row.id };
  }
}

/** As both engines' `lower` does in an order by code points: the letters of ASCII alone. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
