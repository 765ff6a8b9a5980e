import { findAccount } from "../accounts/account-row.ts";
import { AccountsError } from "../accounts/accounts-error.ts";
import { formatDollars, parseDollars } from "../catalogue/prices/money.ts";
import { minorAmount, showMinorAmount } from "../payments/currency.ts";
import { cancelOrder, createOrder, listOrders, type OrderInfo } from "../payments/payment-orders.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { runOnMoney } from "./open-money.ts";
import { dateText, table } from "./table.ts";

export type NewOrderOptions = CommonOptions & {
  account: string;
  /** As people write it, in the currency's own unit. */
  amount: string;
  currency: string;
  credit?: bigint;
};

/** Prints the id of the new order alone on standard output: the provider gets it along with the payment. */
export async function createPaymentOrder(options: NewOrderOptions, context: CommandContext): Promise<void> {
  const currency = options.currency.toLowerCase();
  const amountMinor = minorAmount(options.amount, currency);
  if (amountMinor === undefined) {
    throw new AccountsError("invalid", `"${options.amount}" is no amount of ${currency.toUpperCase()}`, "amount");
  }
  const credit = options.credit ?? sameInDollars(options.amount, currency);
  await runOnMoney(options, context, async (open) => {
    const { id: accountId, name } = await findAccount(open.database, options.account);
    const order = await createOrder(open, { accountId, amountMinor, currency, credit }, open.actor);
    const paid = showMinorAmount(amountMinor, currency);
    context.err(`"${name}" gets ${formatDollars(credit)} when ${paid} is paid with this order_id.\n`);
    context.out(`${order.id}\n`);
  });
}

function sameInDollars(amount: string, currency: string): bigint {
  if (currency === "usd") return parseDollars(amount);
  throw new AccountsError("invalid", "Say by --credit how many dollars are credited for that currency", "credit");
}

export async function listPaymentOrders(
  options: CommonOptions & { account?: string },
  context: CommandContext,
): Promise<void> {
  await runOnMoney(options, context, async ({ database }) => {
    const account = options.account === undefined ? undefined : await findAccount(database, options.account);
    const orders = await listOrders(database, account ? { accountId: account.id } : {});
    context.out(table([["ID", "ACCOUNT", "STATE", "AMOUNT", "CREDIT", "CREATED", "PAID"], ...orders.map(rowOf)]));
  });
}

export async function cancelPaymentOrder(id: string, options: CommonOptions, context: CommandContext): Promise<void> {
  const order = await runOnMoney(options, context, (open) => cancelOrder(open, id, open.actor));
  context.out(`The order ${order.id} is cancelled.\n`);
}

function rowOf(order: OrderInfo): string[] {
  return [
    order.id,
    order.accountId,
    order.state,
    showMinorAmount(order.amountMinor, order.currency),
    formatDollars(order.credit),
    dateText(order.createdAt),
    order.paidAt === null ? "-" : dateText(order.paidAt),
  ];
}
