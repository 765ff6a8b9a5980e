import { z } from "zod";
import type { FailureThrottle } from "../../accounts/failure-throttle.ts";
import { accountOrders, cancelOrder, createOrder, findOrder, type OrderInfo } from "../../payments/payment-orders.ts";
import type { RedemptionCodes } from "../../payments/redemption-codes.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema } from "../api-schemas.ts";
import { ManagementError, notFound } from "../failure.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { networkOf } from "../sign-in-throttle.ts";
import { orRefused } from "./accounts-failure.ts";
import { orderSchema } from "./ledger-schemas.ts";

export interface RedemptionParts {
  database: Database;
  platform: Pick<Platform, "now" | "id">;
  codes: Pick<RedemptionCodes, "redeem">;
  /** By `createRedemptionThrottle`. */
  throttle: FailureThrottle;
  /** The payment providers that are configured. */
  providers: readonly { name: string }[];
}

/** Orders of one account that may wait for a payment at once. */
const mostOpenOrders = 20;

/** The smallest and the largest order, in cents. */
const orderCents = { least: 100, most: 1_000_000 };

/** A cent, in nano-dollars. */
const cent = 10_000_000n;

const cursors = opaqueCursor(z.tuple([z.number(), z.string()]));

const common = { tag: "Balance", scope: "account", role: "member" } as const;

/** Ways of an account to money: codes, and orders where a payment provider is configured. */
export function redemptionRoutes(parts: RedemptionParts): ManagementRoute[] {
  const { database, platform, codes, throttle, providers } = parts;
  return [
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/accounts/:account/redemptions",
      summary: "Redeem a code",
      description: "A code that is unknown, used, expired or revoked is refused by one and the same answer.",
      audit: "account.redeemed",
      body: z.strictObject({ code: z.string().trim().min(1).max(200) }),
      answer: z.object({ amount: moneySchema, balance: moneySchema }).meta({ id: "Redemption" }),
      status: 201,
      async handle(call) {
        const network = networkOf(call.address);
        const wait = throttle.blockedFor(network);
        if (wait !== undefined) {
          const text = `Too many codes were tried that are not good. Wait ${wait} seconds.`;
          throw new ManagementError(429, "too_many_tries", text, { retryAfterSeconds: wait });
        }
        const redeemed = await orRefused(codes.redeem(call.body.code, call.accountId, call));
        if (redeemed.kind === "refused") {
          throttle.failed(network);
          throw new ManagementError(400, "code_not_good", "This code is not good, or not any more.", { field: "code" });
        }
        return { body: { amount: String(redeemed.amount), balance: String(redeemed.balance) } };
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/accounts/:account/orders",
      role: "viewer",
      summary: "List an account's payment orders",
      operationId: "listAccountOrders",
      audit: "none",
      query: z.object(pageQuery),
      answer: z
        .object({
          items: z.array(orderSchema),
          next: nextSchema,
          providers: z.array(z.string()).describe("Who takes payments; none: no orders can be made."),
        })
        .meta({ id: "PaymentOrderList" }),
      async handle({ accountId, query: { cursor, limit } }) {
        const [createdAt, id] = cursors.decode(cursor) ?? [];
        const after = createdAt === undefined || id === undefined ? undefined : { createdAt, id };
        const orders = await accountOrders(database, { accountId, after, limit: limit + 1 });
        const page = pageOf(orders, limit, orderJson, cursors, (order) => [order.createdAt, order.id]);
        return { body: { ...page, providers: providers.map(({ name }) => name) } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/accounts/:account/orders",
      summary: "Order a payment",
      operationId: "createAccountOrder",
      description: "What is paid is credited when the provider tells of the payment. Dollars are credited as they are.",
      audit: "order.created",
      body: z.strictObject({
        amount_minor: z
          .number()
          .int()
          .min(orderCents.least)
          .max(orderCents.most)
          .describe("Cents: from one dollar to ten thousand."),
      }),
      answer: orderSchema,
      status: 201,
      async handle(call) {
        if (providers.length === 0) {
          throw new ManagementError(409, "no_payment_provider", "No payment provider is configured.");
        }
        const { accountId, body } = call;
        const open = await accountOrders(database, { accountId, limit: mostOpenOrders, state: "open" });
        if (open.length === mostOpenOrders) {
          const text = `${mostOpenOrders} orders wait for their payment: pay or cancel one of them first.`;
          throw new ManagementError(409, "too_many_orders", text);
        }
        const order = { accountId, amountMinor: body.amount_minor, currency: "usd" };
        const credit = BigInt(body.amount_minor) * cent;
        return { body: orderJson(await orRefused(createOrder({ database, platform }, { ...order, credit }, call))) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/accounts/:account/orders/:order/cancel",
      summary: "Cancel an account's payment order",
      operationId: "cancelAccountOrder",
      audit: "order.cancelled",
      answer: orderSchema,
      async handle(call) {
        const order = await findOrder(database, call.params.order);
        if (order?.accountId !== call.accountId) throw notFound();
        return { body: orderJson(await orRefused(cancelOrder({ database, platform }, order.id, call))) };
      },
    }),
  ];
}

function orderJson(order: OrderInfo): z.input<typeof orderSchema> {
  return {
    id: order.id,
    state: order.state,
    amount_minor: order.amountMinor,
    currency: order.currency,
    credit: String(order.credit),
    created_at: order.createdAt,
    paid_at: order.paidAt,
  };
}
