import { z } from "zod";
import type { AccountBalance } from "../../accounts/balance.ts";
import type { LedgerEntry } from "../../accounts/list-ledger.ts";
import type { LedgerKind } from "../../storage/schema.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";

/* Money of accounts as the API shows it. */

export const ledgerKinds = [
  "charge",
  "top_up",
  "payment",
  "redemption",
  "adjustment",
  "refund",
] as const satisfies readonly LedgerKind[];

export const ledgerEntrySchema = z
  .object({
    id: z.string(),
    at: timeSchema,
    kind: z.enum(ledgerKinds),
    amount: moneySchema.describe("What it added to the balance: a charge is negative."),
    balance_after: moneySchema,
    access_key_id: z.string().nullable(),
    access_key_name: z.string().nullable(),
    call_id: z.string().nullable(),
    reference: z.string().nullable().describe("The code, order or event that it comes from."),
    note: z.string().nullable(),
    actor: z.string().describe("Whose doing it was: a user's id, a program's name, or 'call'."),
    actor_name: z.string().nullable().describe("The name of the user, where it was one."),
  })
  .meta({ id: "LedgerEntry" });

/** `names`: of access keys and users by their ids. */
export function ledgerEntryJson(
  entry: LedgerEntry,
  names: { keys: ReadonlyMap<string, string>; users: ReadonlyMap<string, string> },
): z.input<typeof ledgerEntrySchema> {
  return {
    id: entry.id,
    at: entry.at,
    kind: entry.kind,
    amount: String(entry.amount),
    balance_after: String(entry.balanceAfter),
    access_key_id: entry.accessKeyId,
    access_key_name: entry.accessKeyId === null ? null : (names.keys.get(entry.accessKeyId) ?? null),
    call_id: entry.callId,
    reference: entry.reference,
    note: entry.note,
    actor: entry.actor,
    actor_name: names.users.get(entry.actor) ?? null,
  };
}

export const accountMoneySchema = z
  .object({
    billing: z.enum(["prepaid", "postpaid"]),
    state: z.enum(["active", "suspended"]),
    balance: moneySchema,
    reserved: moneySchema.describe("Nano-dollars set aside for running calls; part of the balance."),
    credit_limit: moneySchema
      .nullable()
      .describe("Nano-dollars below zero that a postpaid account may go; null: no bound."),
    available: moneySchema.nullable().describe("Nano-dollars that new calls can spend; null: no bound."),
    last_top_up: z
      .object({ id: z.string(), at: timeSchema, amount: moneySchema, balance_after: moneySchema })
      .nullable()
      .describe("The last time that money came in."),
  })
  .meta({ id: "AccountMoney" });

export function accountMoneyJson(money: AccountBalance): z.input<typeof accountMoneySchema> {
  const { lastTopUp } = money;
  return {
    billing: money.billing,
    state: money.state,
    balance: String(money.balance),
    reserved: String(money.reserved),
    credit_limit: money.creditLimit === null ? null : String(money.creditLimit),
    available: money.available === null ? null : String(money.available),
    last_top_up: lastTopUp && {
      id: lastTopUp.id,
      at: lastTopUp.at,
      amount: String(lastTopUp.amount),
      balance_after: String(lastTopUp.balanceAfter),
    },
  };
}

export const orderSchema = z
  .object({
    id: z.string().describe("Goes to the payment provider along with the payment."),
    state: z.enum(["open", "paid", "cancelled"]),
    amount_minor: z.number().int().describe("To be paid, in the currency's smallest unit."),
    currency: z.string(),
    credit: moneySchema.describe("Nano-dollars that are credited when it is paid."),
    created_at: timeSchema,
    paid_at: timeSchema.nullable(),
  })
  .meta({ id: "PaymentOrder" });
