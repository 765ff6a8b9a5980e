import { type RawBuilder, sql } from "kysely";
import { formatDollars, maxMoney } from "../catalogue/prices/money.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { LedgerKind } from "../storage/schema.ts";
import { AccountsError } from "./accounts-error.ts";
import { actorOf, entryBy, type NamedAuthor } from "./change-unit.ts";
import { type LedgerEntry, ledgerEntries } from "./list-ledger.ts";

/** Why a balance changes that no call has changed. */
export type CreditKind = Exclude<LedgerKind, "charge">;

/** A change of a balance that no call has made. */
export interface Credit {
  accountId: string;
  kind: CreditKind;
  /** Nano-dollars that are added. Below zero for an adjustment alone. */
  amount: bigint;
  /** What it comes from: an invoice, a code, an order. Of one kind each reference is credited once. */
  reference?: string | undefined;
  note?: string | undefined;
  actor: NamedAuthor;
}

/** `repeated`: the reference was credited before; nothing has changed, and `entry` is the one of then. */
export type CreditOutcome = { kind: "credited" | "repeated"; entry: LedgerEntry };

/** The most that one credit may be, either way: a million dollars. */
export const maxCredit = 1_000_000_000_000_000n;
const longestReference = 200;
const longestNote = 500;

export interface CreditsOptions {
  database: Database;
  platform: Pick<Platform, "now" | "id">;
}

/** What a unit needs to credit an account. */
export interface CreditUnit {
  entryId: string;
  /** To stand behind what the unit checks first, and before the statement that `auditStatement` makes: it locks the account. */
  statements: Statement[];
  /** To be the last one. */
  audit: Statement;
}

/** Units that write into the audit log lock its head until the commit, and so have a transaction of their own. */
export function creditOrder(accountId: string): { order: string; alone: true } {
  return { order: `${accountId}/`, alone: true };
}

/**
 * Changes a balance, leaves the line in the ledger and the entry in the audit log, all in one unit. Rejects with an
 * AccountsError: `invalid` (the amount, reference or note), `unknown` (the account), `refused` where a prepaid account
 * would hold less than what is set aside for its running calls.
 */
export async function credit(options: CreditsOptions, given: Credit): Promise<CreditOutcome> {
  const { database } = options;
  const { entryId, statements, audit } = creditUnit(options, given);
  try {
    await database.write([...statements, audit], creditOrder(given.accountId));
  } catch (error) {
    const entry = await explainCredit(database, given, error);
    return { kind: "repeated", entry };
  }
  const [entry] = await ledgerEntries(database, (query) => query.where("id", "=", entryId));
  if (!entry) throw new Error(`The ledger entry ${entryId} is gone right after it was written`);
  return { kind: "credited", entry };
}

/**
 * The statements of a credit, for a unit that does more than that. `condition` goes into the change of the balance, which
 * fails with kind `condition` where it does not hold. Throws an AccountsError of code `invalid`.
 */
export function creditUnit(
  { database, platform }: CreditsOptions,
  given: Credit,
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): CreditUnit {
  checkCredit(given);
  const { accountId, kind, amount, reference = null, note = null, actor: author } = given;
  const actor = actorOf(author);
  const entryId = platform.id("entry");
  const change = sql`cast(${amount} as bigint)`;
  // By a difference, never by a balance that was read before (M10).
  const balance = database.compile(sql`
    update account set balance = balance + ${change}
    where id = ${accountId} and ${condition}
      and balance between cast(${-maxMoney - lesser(amount)} as bigint) and cast(${maxMoney - greater(amount)} as bigint)
      and (billing = 'postpaid' or ${change} >= 0 or balance + ${change} >= reserved)`);
  const entry = database.compile(sql`
    insert into ledger_entry (id, account_id, at, kind, amount, balance_after, reference, note, actor)
    select ${entryId}, id, cast(${platform.now()} as bigint), ${kind}, ${change}, balance, ${reference}, ${note},
      ${actor.id ?? actor.name}
    from account where id = ${accountId}`);
  const audit = entryBy({ database, platform }, author, {
    action: actions[kind],
    target: { kind: "account", id: accountId },
    accountId,
    detail: { amount: formatDollars(amount), entry: entryId, reference, note },
  });
  return { entryId, statements: [expecting(1, balance), expecting(1, entry)], audit };
}

const actions: Record<CreditKind, string> = {
  top_up: "account.topped_up",
  payment: "account.paid",
  redemption: "account.redeemed",
  adjustment: "account.adjusted",
  refund: "account.refunded",
};

/** The bounds hold for the balance after: its own ones are moved by what is added. */
function lesser(amount: bigint): bigint {
  return amount < 0n ? amount : 0n;
}

function greater(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function checkCredit({ kind, amount, reference, note }: Credit): void {
  const size = amount < 0n ? -amount : amount;
  if (amount === 0n || (amount < 0n && kind !== "adjustment")) {
    throw new AccountsError("invalid", "The amount must be more than $0.00", "amount");
  }
  if (size > maxCredit) {
    throw new AccountsError("invalid", `The amount must not be more than ${formatDollars(maxCredit)}`, "amount");
  }
  if (reference !== undefined && (reference === "" || reference.length > longestReference)) {
    throw new AccountsError("invalid", `A reference has 1 to ${longestReference} characters`, "reference");
  }
  if (note !== undefined && note.length > longestNote) {
    throw new AccountsError("invalid", `A note has at most ${longestNote} characters`, "note");
  }
}

/** Why a credit was not written: the entry where its reference was credited before, else what is thrown. */
export async function explainCredit(
  database: Pick<Database, "read">,
  { accountId, kind, reference }: Pick<Credit, "accountId" | "kind" | "reference">,
  error: unknown,
): Promise<LedgerEntry> {
  if (!(error instanceof StorageError) || (error.kind !== "condition" && error.kind !== "constraint")) throw error;
  if (reference !== undefined) {
    const [entry] = await ledgerEntries(database, (query) =>
      query.where("kind", "=", kind).where("reference", "=", reference),
    );
    if (entry) return entry;
  }
  if (error.kind === "constraint") throw error;
  const account = await database.read
    .selectFrom("account")
    .select("name")
    .where("id", "=", accountId)
    .executeTakeFirst();
  if (!account) throw new AccountsError("unknown", `There is no account "${accountId}"`);
  throw new AccountsError(
    "refused",
    `The balance of "${account.name}" does not allow this: a prepaid account keeps what is set aside for running calls`,
    "amount",
  );
}
