import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import type { LedgerKind, Schema } from "../storage/schema.ts";
import { AccountsError } from "./accounts-error.ts";

/** A line of the ledger. Money in nano-dollars, times in unix milliseconds. */
export interface LedgerEntry {
  id: string;
  accountId: string;
  at: number;
  kind: LedgerKind;
  /** What it added to the balance: a charge is negative. */
  amount: bigint;
  balanceAfter: bigint;
  accessKeyId: string | null;
  callId: string | null;
  reference: string | null;
  note: string | null;
  /** A user's id, or the name of what is no user; `call` for a charge. */
  actor: string;
}

export interface ListLedgerOptions {
  accountId?: string | undefined;
  /** `credit`: all but what calls cost. */
  kind?: LedgerKind | "credit" | undefined;
  /** Unix milliseconds: from this moment on. */
  from?: number | undefined;
  /** Before this moment. */
  to?: number | undefined;
  /** Where the page before ended. */
  cursor?: string | undefined;
  /** Lines of a page: 1 to 200, 50 unless told otherwise. */
  limit?: number | undefined;
}

export interface LedgerPage {
  entries: LedgerEntry[];
  /** For the next page; null where this one is the last. */
  nextCursor: string | null;
}

const longestPage = 200;

/** A page of the ledger, newest first. Rejects with an AccountsError where the cursor or limit is none. */
export async function listLedger(
  database: Pick<Database, "read">,
  { accountId, kind, from, to, cursor, limit = 50 }: ListLedgerOptions,
): Promise<LedgerPage> {
  if (!Number.isInteger(limit) || limit < 1 || limit > longestPage) {
    throw new AccountsError("invalid", `A page holds 1 to ${longestPage} lines`, "limit");
  }
  const place = cursor === undefined ? undefined : readCursor(cursor);
  const found = await ledgerEntries(database, (query) => {
    let page = query
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1);
    if (accountId !== undefined) page = page.where("account_id", "=", accountId);
    // In the words of the index that leads past the charges.
    if (kind !== undefined && kind !== "charge") page = page.where(sql<SqlBool>`kind <> 'charge'`);
    if (kind !== undefined && kind !== "credit") page = page.where("kind", "=", kind);
    if (from !== undefined) page = page.where("at", ">=", from);
    if (to !== undefined) page = page.where("at", "<", to);
    if (place) page = page.where(sql<SqlBool>`(at, id) < (${place.at}, ${place.id})`);
    return page;
  });
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > limit && last ? writeCursor(last) : null };
}

type EntryQuery = SelectQueryBuilder<Schema, "ledger_entry", object>;

/** Calls of a key that one page looks at: those that cost nothing have no line. */
const searchedAtOnce = 1000;

/**
 * A page of what the calls of a key have done to the balance, by the begin of the calls, newest first. It may hold fewer
 * lines than asked for and go on all the same. Rejects with an AccountsError where the cursor is none.
 */
export async function listKeyLedger(
  database: Pick<Database, "read">,
  { accountId, accessKeyId, kind, from, to, cursor, limit = 50 }: ListLedgerOptions & { accessKeyId: string },
  searched: number = searchedAtOnce,
): Promise<LedgerPage> {
  const place = cursor === undefined ? undefined : readCursor(cursor);
  let calls = database.read
    .selectFrom("call")
    .select(["id", "started_at"])
    .where("access_key_id", "=", accessKeyId)
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .limit(searched);
  if (from !== undefined) calls = calls.where("started_at", ">=", from);
  if (to !== undefined) calls = calls.where("started_at", "<", to);
  if (place) calls = calls.where(sql<SqlBool>`(started_at, id) < (${place.at}, ${place.id})`);
  const looked = await calls.execute();
  if (looked.length === 0) return { entries: [], nextCursor: null };
  const found = await ledgerEntries(database, (query) => {
    const ids = looked.map(({ id }) => id);
    // The account is hidden, so that the ids alone lead to the lines.
    let lines = query.where("call_id", "in", ids);
    if (accountId !== undefined) lines = lines.where(sql<SqlBool>`account_id || '' = ${accountId}`);
    if (kind !== undefined && kind !== "credit") lines = lines.where("kind", "=", kind);
    if (kind === "credit") lines = lines.where("kind", "<>", "charge");
    return lines;
  });
  const byCall = Map.groupBy(found, ({ callId }) => callId);
  const entries: LedgerEntry[] = [];
  let last: { at: number; id: string } | undefined;
  for (const { id, started_at } of looked) {
    const lines = byCall.get(id)?.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)) ?? [];
    // The lines of a call stay together.
    if (entries.length > 0 && entries.length + lines.length > limit) break;
    entries.push(...lines);
    last = { at: started_at, id };
  }
  const more = looked.length === searched || last?.id !== looked.at(-1)?.id;
  return { entries, nextCursor: more && last ? writeCursor(last) : null };
}

/** Lines of the ledger, as a query chooses and orders them. */
export async function ledgerEntries(
  { read }: Pick<Database, "read">,
  choose: (query: EntryQuery) => EntryQuery,
): Promise<LedgerEntry[]> {
  const rows = await choose(read.selectFrom("ledger_entry"))
    .select(["id", "account_id", "at", "kind", "access_key_id", "call_id", "reference", "note", "actor"])
    .select([moneyText("amount").as("amount"), moneyText("balance_after").as("balance_after")])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    at: row.at,
    kind: row.kind,
    amount: BigInt(row.amount),
    balanceAfter: BigInt(row.balance_after),
    accessKeyId: row.access_key_id,
    callId: row.call_id,
    reference: row.reference,
    note: row.note,
    actor: row.actor,
  }));
}

/** The place of a line as a text, which whoever asks for the next page is not to read. */
function writeCursor({ at, id }: Pick<LedgerEntry, "at" | "id">): string {
  return Buffer.from(`${at} ${id}`, "latin1").toString("base64url");
}

function readCursor(text: string): { at: number; id: string } {
  const decoded = text.length <= 256 ? Buffer.from(text, "base64url").toString("latin1") : "";
  const match = /^([0-9]{1,16}) ([\x21-\x7e]{1,128})$/.exec(decoded);
  const at = Number(match?.[1]);
  if (!match || !Number.isSafeInteger(at)) {
    throw new AccountsError("invalid", "The cursor is not one of a ledger's list", "cursor");
  }
  return { at, id: match[2] ?? "" };
}
