import { type SqlBool, sql } from "kysely";
import { AccountsError } from "../accounts/accounts-error.ts";
import { type Author, entryBy } from "../accounts/change-unit.ts";
import { maxCredit } from "../accounts/credits.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, StorageError } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import type { PaymentOrderTable } from "../storage/schema.ts";
import { showMinorAmount } from "./currency.ts";

/** What an account is to pay, and what it gets for it. */
export interface NewOrder {
  accountId: string;
  /** In the currency's smallest unit. */
  amountMinor: number;
  /** Three letters. */
  currency: string;
  /** Nano-dollars that are credited when it is paid. */
  credit: bigint;
}

/** An order as it may be shown. Times in unix milliseconds. */
export interface OrderInfo extends NewOrder {
  id: string;
  state: PaymentOrderTable["state"];
  createdAt: number;
  paidAt: number | null;
}

export interface OrdersOptions {
  database: Database;
  platform: Pick<Platform, "now" | "id">;
}

const longestList = 1000;

/** Makes an order, whose id goes to the provider along with the payment. Rejects with an AccountsError. */
export async function createOrder(
  { database, platform }: OrdersOptions,
  order: NewOrder,
  actor: Author,
): Promise<OrderInfo> {
  const currency = checkedCurrency(order);
  const id = platform.id("order");
  const { accountId, amountMinor, credit } = order;
  const createdAt = platform.now();
  const insert = database.build
    .insertInto("payment_order")
    .values({
      id,
      account_id: accountId,
      amount_minor: amountMinor,
      currency,
      credit,
      state: "open",
      created_at: createdAt,
    })
    .compile();
  const audit = entryBy({ database, platform }, actor, {
    action: "order.created",
    target: { kind: "order", id },
    accountId,
    detail: { amount: showMinorAmount(amountMinor, currency), credit: formatDollars(credit) },
  });
  try {
    await database.write([insert, audit], { alone: true });
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== "constraint") throw error;
    throw new AccountsError("unknown", `There is no account "${accountId}"`);
  }
  return { id, accountId, amountMinor, currency, credit, state: "open", createdAt, paidAt: null };
}

/** Where a page of an account's orders begins: after this one. */
export interface OrderPlace {
  createdAt: number;
  id: string;
}

/** An account's orders, the newest first. */
export async function accountOrders(
  database: Pick<Database, "read">,
  options: { accountId: string; after?: OrderPlace | undefined; state?: OrderInfo["state"]; limit: number },
): Promise<OrderInfo[]> {
  const { accountId, after, state, limit } = options;
  let query = selectOrders(database)
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (state) query = query.where("state", "=", state);
  if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`);
  return (await query.execute()).map(infoOf);
}

/** The orders of all accounts, the newest first. */
export async function ordersPage(
  database: Pick<Database, "read">,
  { state, after, limit }: { state?: OrderInfo["state"] | undefined; after?: OrderPlace | undefined; limit: number },
): Promise<OrderInfo[]> {
  let query = selectOrders(database).orderBy("created_at", "desc").orderBy("id", "desc").limit(limit);
  if (state !== undefined) query = query.where("state", "=", state);
  if (state) query = query.where("state", "=", state);
  if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`);
  return (await query.execute()).map(infoOf);
}

/** The newest orders, at most 1000, of all accounts or of one. */
export async function listOrders(
  database: Pick<Database, "read">,
  filter: { accountId?: string } = {},
): Promise<OrderInfo[]> {
  let query = selectOrders(database).orderBy("created_at", "desc").orderBy("id", "desc").limit(longestList);
  if (filter.accountId !== undefined) query = query.where("account_id", "=", filter.accountId);
  return (await query.execute()).map(infoOf);
}

export async function findOrder(database: Pick<Database, "read">, id: string): Promise<OrderInfo | undefined> {
  const row = await selectOrders(database).where("id", "=", id).executeTakeFirst();
  return row && infoOf(row);
}

/** Ends an order that is not paid. A payment that comes all the same is recorded and credits nothing. */
export async function cancelOrder(
  { database, platform }: OrdersOptions,
  id: string,
  actor: Author,
): Promise<OrderInfo> {
  const order = await findOrder(database, id);
  if (!order) throw new AccountsError("unknown", `There is no order "${id}"`);
  const update = database.build
    .updateTable("payment_order")
    .set({ state: "cancelled" })
    .where("id", "=", id)
    .where("state", "=", "open")
    .compile();
  const { accountId } = order;
  const target = { kind: "order", id };
  const audit = entryBy({ database, platform }, actor, { action: "order.cancelled", target, accountId });
  try {
    await database.write([expecting(1, update), audit], { alone: true });
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
    const now = await findOrder(database, id);
    throw new AccountsError("refused", `The order "${id}" is ${now?.state ?? order.state} already`);
  }
  return { ...order, state: "cancelled" };
}

function selectOrders({ read }: Pick<Database, "read">) {
  return read
    .selectFrom("payment_order")
    .select(["id", "account_id", "amount_minor", "currency", "state", "created_at", "paid_at"])
    .select(moneyText("credit").as("credit"));
}

function infoOf(row: Awaited<ReturnType<ReturnType<typeof selectOrders>["executeTakeFirstOrThrow"]>>): OrderInfo {
  return {
    id: row.id,
    accountId: row.account_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    credit: BigInt(row.credit),
    state: row.state,
    createdAt: row.created_at,
    paidAt: row.paid_at,
  };
}

function checkedCurrency({ amountMinor, currency, credit }: NewOrder): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) {
    throw new AccountsError("invalid", "A currency has three letters, such as usd", "currency");
  }
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0) {
    throw new AccountsError(
      "invalid",
      "The amount must be more than nothing, in the currency's smallest unit",
      "amount",
    );
  }
  if (credit <= 0n || credit > maxCredit) {
    throw new AccountsError(
      "invalid",
      `The credit must be more than $0.00 and at most ${formatDollars(maxCredit)}`,
      "credit",
    );
  }
  return currency.toLowerCase();
}
