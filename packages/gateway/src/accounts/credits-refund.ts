import { sql } from "kysely";
import type { AuditActor } from "../audit/audit-log.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import { type Database, StorageError } from "../storage/database.ts";
import { moneySum } from "../storage/money-column.ts";
import { AccountsError } from "./accounts-error.ts";
import { type CreditOutcome, type CreditsOptions, creditOrder, creditUnit } from "./credits.ts";
import { ledgerEntries } from "./list-ledger.ts";

/** A refund of what a call was charged. */
export interface CallRefund {
  accountId: string;
  callId: string;
  /** Nano-dollars; all that is left of the charge unless told otherwise. */
  amount?: bigint | undefined;
  note?: string | undefined;
  actor: AuditActor;
}

/** How often somebody else may refund the same call at the same moment. */
const mostTries = 5;

/**
 * Gives back what a call was charged, or a part of it, once or in several steps: never more than the charge. What the key
 * has used of its quota stays used. Rejects with an AccountsError: `unknown` (no such charge of the account), `refused`
 * (more than what is left), or as `credit` does.
 */
export async function refundCall(options: CreditsOptions, refund: CallRefund): Promise<CreditOutcome> {
  const { database } = options;
  const { accountId, callId, note, actor } = refund;
  for (let tries = 1; ; tries++) {
    const { left, steps } = await readCharge(database, accountId, callId);
    const amount = refund.amount ?? left;
    if (left === 0n || amount > left) {
      const rest = left === 0n ? "nothing is left" : `${formatDollars(left)} is left`;
      throw new AccountsError("refused", `Of the charge for the call "${callId}" ${rest} to be refunded`, "amount");
    }
    // The number makes of two refunds at once one the first: the other fails by the reference, and looks again.
    const reference = `refund:${callId}:${steps + 1}`;
    const unit = creditUnit(
      options,
      { accountId, kind: "refund", amount, reference, note, actor },
      sql<boolean>`(select coalesce(sum(amount), 0) from ledger_entry where ${refundsOf(callId)}) + cast(${amount} as bigint)
        <= (select -amount from ledger_entry where kind = 'charge' and call_id = ${callId} and account_id = ${accountId})`,
    );
    try {
      await database.write([...unit.statements, unit.audit], creditOrder(accountId));
    } catch (error) {
      const lost = error instanceof StorageError && (error.kind === "condition" || error.kind === "constraint");
      if (lost && tries < mostTries) continue;
      throw error;
    }
    const [entry] = await ledgerEntries(database, (query) => query.where("id", "=", unit.entryId));
    if (!entry) throw new Error(`The ledger entry ${unit.entryId} is gone right after it was written`);
    return { kind: "credited", entry };
  }
}

/** The refunds of a call, by their references: `;` follows `:` in the order of characters. */
function refundsOf(callId: string) {
  return sql<boolean>`kind = 'refund' and reference >= ${`refund:${callId}:`} and reference < ${`refund:${callId};`}`;
}

/** What is left of the charge for a call, and how many refunds there were. */
async function readCharge(
  { read }: Pick<Database, "read">,
  accountId: string,
  callId: string,
): Promise<{ left: bigint; steps: number }> {
  const [charge] = await ledgerEntries({ read }, (query) =>
    query.where("call_id", "=", callId).where("kind", "=", "charge").where("account_id", "=", accountId),
  );
  if (!charge) throw new AccountsError("unknown", `The account was charged nothing for a call "${callId}"`, "call");
  const refunds = await read
    .selectFrom("ledger_entry")
    .select(({ fn }) => [moneySum("amount").as("sum"), fn.countAll<number>().as("steps")])
    .where(refundsOf(callId))
    .executeTakeFirst();
  return { left: -charge.amount - BigInt(refunds?.sum ?? 0), steps: Number(refunds?.steps ?? 0) };
}
