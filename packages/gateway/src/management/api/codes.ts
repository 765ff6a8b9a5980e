import { z } from "zod";
import { cancelOrder, type OrderInfo, ordersPage } from "../../payments/payment-orders.ts";
import type { CodeInfo, RedemptionCodes } from "../../payments/redemption-codes.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";
import { nextSchema, opaqueCursor, pageOf, pageQuery } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { amountInput } from "./account-schemas.ts";
import { orRefused } from "./accounts-failure.ts";

const codeStates = ["open", "redeemed", "expired", "revoked"] as const;
const orderStates = ["open", "paid", "cancelled"] as const;

const codeSchema = z
  .object({
    id: z.string(),
    state: z.enum(codeStates),
    amount: moneySchema,
    created_at: timeSchema,
    expires_at: timeSchema.nullable(),
    note: z.string().nullable(),
    redeemed_at: timeSchema.nullable(),
    redeemed_by: z.string().nullable().describe("The id of the account that redeemed it."),
  })
  .meta({ id: "RedemptionCode" });

const orderSchema = z
  .object({
    id: z.string(),
    account: z.string(),
    amount_minor: z.number().int().describe("In the currency's smallest unit."),
    currency: z.string(),
    credit: moneySchema.describe("Nano-dollars that are credited when it is paid."),
    state: z.enum(orderStates),
    created_at: timeSchema,
    paid_at: timeSchema.nullable(),
  })
  .meta({ id: "OperatedPaymentOrder" });

const cursors = opaqueCursor(z.tuple([z.int(), z.string()]));

export interface CodeRoutesParts {
  database: Database;
  platform: Pick<Platform, "now" | "id">;
  codes: RedemptionCodes;
}

const common = { role: "operator", scope: "installation" } as const;

/** Codes that are worth money, and what accounts are to pay: as operators see them. */
export function codeRoutes({ database, platform, codes }: CodeRoutesParts): ManagementRoute[] {
  return [
    apiRoute({
      ...common,
      tag: "Redemption codes",
      method: "GET",
      path: "/api/v1/redemption-codes",
      summary: "List redemption codes",
      description: "Without the codes themselves, which are shown once, when they are made.",
      audit: "none",
      query: z.object({ ...pageQuery, state: z.enum(codeStates).optional() }),
      answer: z.object({ items: z.array(codeSchema), next: nextSchema }),
      async handle({ query: { cursor, limit, state } }) {
        const rows = await codes.list({ state, after: placeOf(cursor), limit: limit + 1 });
        return { body: pageOf(rows, limit, codeJson, cursors, ({ createdAt, id }) => [createdAt, id]) };
      },
    }),
    apiRoute({
      ...common,
      tag: "Redemption codes",
      method: "POST",
      path: "/api/v1/redemption-codes",
      summary: "Create redemption codes",
      audit: "codes.created",
      body: z.strictObject({
        amount: amountInput,
        count: z.number().int().min(1).max(1000).default(1),
        expires_at: z.number().int().min(0).nullable().default(null).describe("Unix milliseconds; null: never."),
        note: z.string().trim().min(1).max(500).optional(),
      }),
      answer: z.object({
        items: z.array(z.object({ id: z.string(), code: z.string().describe("Shown this once.") })),
      }),
      status: 201,
      secretAnswer: true,
      async handle(call) {
        const { amount, count, expires_at: expiresAt, note } = call.body;
        return { body: { items: await orRefused(codes.create({ amount, count, expiresAt, note }, call)) } };
      },
    }),
    apiRoute({
      ...common,
      tag: "Redemption codes",
      method: "POST",
      path: "/api/v1/redemption-codes/:code/revoke",
      summary: "Revoke a redemption code",
      audit: "code.revoked",
      answer: codeSchema,
      async handle(call) {
        return { body: codeJson(await orRefused(codes.revoke(call.params.code, call))) };
      },
    }),
    apiRoute({
      ...common,
      tag: "Payment orders",
      method: "GET",
      path: "/api/v1/payment-orders",
      summary: "List payment orders of all accounts",
      audit: "none",
      query: z.object({ ...pageQuery, state: z.enum(orderStates).optional() }),
      answer: z.object({ items: z.array(orderSchema), next: nextSchema }),
      async handle({ query: { cursor, limit, state } }) {
        const rows = await ordersPage(database, { state, after: placeOf(cursor), limit: limit + 1 });
        return { body: pageOf(rows, limit, orderJson, cursors, ({ createdAt, id }) => [createdAt, id]) };
      },
    }),
    apiRoute({
      ...common,
      tag: "Payment orders",
      method: "POST",
      path: "/api/v1/payment-orders/:order/cancel",
      summary: "Cancel a payment order of any account",
      description: "A payment that comes all the same is recorded and credits nothing.",
      audit: "order.cancelled",
      answer: orderSchema,
      async handle(call) {
        return { body: orderJson(await orRefused(cancelOrder({ database, platform }, call.params.order, call))) };
      },
    }),
  ];
}

function placeOf(cursor: string | undefined): { createdAt: number; id: string } | undefined {
  const position = cursors.decode(cursor);
  return position && { createdAt: position[0], id: position[1] };
}

function codeJson(info: CodeInfo): z.input<typeof codeSchema> {
  return {
    id: info.id,
    state: info.state,
    amount: String(info.amount),
    created_at: info.createdAt,
    expires_at: info.expiresAt,
    note: info.note,
    redeemed_at: info.redeemedAt,
    redeemed_by: info.redeemedBy,
  };
}

function orderJson(info: OrderInfo): z.input<typeof orderSchema> {
  return {
    id: info.id,
    account: info.accountId,
    amount_minor: info.amountMinor,
    currency: info.currency,
    credit: String(info.credit),
    state: info.state,
    created_at: info.createdAt,
    paid_at: info.paidAt,
  };
}
