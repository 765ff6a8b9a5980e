import { findAccount } from "../accounts/account-row.ts";
import { AccountsError } from "../accounts/accounts-error.ts";
import { type CreditOutcome, credit } from "../accounts/credits.ts";
import { refundCall } from "../accounts/credits-refund.ts";
import { type LedgerEntry, listLedger } from "../accounts/list-ledger.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import type { LedgerKind } from "../storage/schema.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { runOnMoney } from "./open-money.ts";
import { dateText, table } from "./table.ts";

/** Adds money that came by another way than a provider who tells of it. */
export async function topUpAccount(
  account: string,
  amount: bigint,
  options: CommonOptions & { reference?: string; note?: string },
  context: CommandContext,
): Promise<void> {
  const { reference, note } = options;
  await runOnMoney(options, context, async (open) => {
    const { id, name } = await findAccount(open.database, account);
    const given = { accountId: id, kind: "top_up", amount, reference, note, actor: open.actor } as const;
    tell(await credit(open, given), name, context);
  });
}

/** Corrects a balance, up or down. */
export async function adjustAccount(
  account: string,
  amount: bigint,
  options: CommonOptions & { note: string; reference?: string },
  context: CommandContext,
): Promise<void> {
  const { reference, note } = options;
  if (note.trim() === "") throw new AccountsError("invalid", "Say by --note why the balance is corrected", "note");
  await runOnMoney(options, context, async (open) => {
    const { id, name } = await findAccount(open.database, account);
    const given = { accountId: id, kind: "adjustment", amount, reference, note, actor: open.actor } as const;
    tell(await credit(open, given), name, context);
  });
}

/** Gives back what a call was charged, or a part of it. */
export async function refundAccount(
  account: string,
  options: CommonOptions & { call: string; amount?: bigint; note?: string },
  context: CommandContext,
): Promise<void> {
  const { call: callId, amount, note } = options;
  await runOnMoney(options, context, async (open) => {
    const { id, name } = await findAccount(open.database, account);
    tell(await refundCall(open, { accountId: id, callId, amount, note, actor: open.actor }), name, context);
  });
}

function tell({ kind, entry }: CreditOutcome, name: string, { out, err }: CommandContext): void {
  if (kind === "repeated") {
    const when = `${formatDollars(entry.amount)} on ${dateText(entry.at)} (${entry.id})`;
    err(`Nothing has changed: "${entry.reference ?? ""}" was credited before, ${when}.\n`);
    return;
  }
  out(`${entry.id}  ${formatDollars(entry.amount)}; "${name}" has ${formatDollars(entry.balanceAfter)}.\n`);
}

/** What `accounts ledger` is told. */
export type LedgerOptions = CommonOptions & {
  kind?: LedgerKind;
  from?: number;
  to?: number;
  limit?: number;
  cursor?: string;
  json?: boolean;
};

/** Prints a page of the lines of an account. */
export async function showLedger(account: string, options: LedgerOptions, context: CommandContext): Promise<void> {
  const { kind, from, to, limit, cursor, json } = options;
  await runOnMoney(options, context, async ({ database }) => {
    const { id: accountId } = await findAccount(database, account);
    const page = await listLedger(database, { accountId, kind, from, to, limit, cursor });
    if (json) {
      context.out(
        `${JSON.stringify({ entries: page.entries.map(entryJson), next_cursor: page.nextCursor }, null, 2)}\n`,
      );
      return;
    }
    const head = ["TIME", "KIND", "AMOUNT", "BALANCE", "OF", "BY", "NOTE"];
    context.out(table([head, ...page.entries.map(rowOf)]));
    if (page.nextCursor !== null) context.err(`There are more: --cursor ${page.nextCursor}\n`);
  });
}

function rowOf(entry: LedgerEntry): string[] {
  return [
    dateText(entry.at),
    entry.kind,
    formatDollars(entry.amount),
    formatDollars(entry.balanceAfter),
    entry.callId ?? entry.reference ?? "-",
    entry.actor,
    entry.note ?? "",
  ];
}

/** Money as texts in dollars: JSON numbers would not hold it exactly. */
function entryJson(entry: LedgerEntry): object {
  return {
    id: entry.id,
    account: entry.accountId,
    at: dateText(entry.at),
    kind: entry.kind,
    amount: formatDollars(entry.amount),
    balance_after: formatDollars(entry.balanceAfter),
    access_key: entry.accessKeyId,
    call: entry.callId,
    reference: entry.reference,
    note: entry.note,
    actor: entry.actor,
  };
}
