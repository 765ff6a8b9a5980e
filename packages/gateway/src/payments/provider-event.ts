import { z } from "zod";
import type { PaymentScheme } from "../config/config.ts";

/** What a provider tells of a payment. */
export interface ProviderEvent {
  /** The provider's own id of the event. */
  id: string;
  type: string;
  /** Undefined: it is about nothing that pays an order. */
  payment?: {
    /** Undefined: it names no order of ours. */
    orderId: string | undefined;
    /** In the currency's smallest unit. */
    amountMinor: number;
    /** In small letters. */
    currency: string;
  };
}

const id = z.string().min(1).max(255);
const type = z.string().min(1).max(255);
const amount = z.int().nonnegative();
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .toLowerCase();
const orderId = z.string().min(1).max(255);
const metadata = z.object({ order_id: orderId.optional() }).nullish();

const anyEvent = z.object({ id, type });

const stripeSession = z.object({
  data: z.object({
    object: z.object({
      payment_status: z.string(),
      amount_total: amount,
      currency,
      metadata,
      client_reference_id: orderId.nullish(),
    }),
  }),
});

const stripeIntent = z.object({
  data: z.object({ object: z.object({ amount_received: amount, currency, metadata }) }),
});

const plainPayment = z.object({ order_id: orderId, amount_minor: amount, currency });

/**
 * Reads an event of a provider. Undefined where it is none: no JSON, no id, or a payment without amount and currency.
 * What it holds beside is not looked at: providers add fields.
 */
export function readProviderEvent(scheme: PaymentScheme, body: Uint8Array): ProviderEvent | undefined {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // What is wrong is of no use to anyone: a good signature over it was made by a program of the provider.
    return undefined;
  }
  const head = anyEvent.safeParse(json).data;
  if (!head) return undefined;
  switch (scheme) {
    case "stripe":
      return stripeEvent(head, json);
    case "hmac":
      return plainEvent(head, json);
  }
}

function stripeEvent(head: ProviderEvent, json: unknown): ProviderEvent | undefined {
  switch (head.type) {
    // The second one comes where the money arrives days later, as by a bank transfer.
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded": {
      const session = stripeSession.safeParse(json).data?.data.object;
      if (!session) return undefined;
      if (session.payment_status !== "paid") return head;
      const named = session.metadata?.order_id ?? session.client_reference_id ?? undefined;
      return { ...head, payment: { orderId: named, amountMinor: session.amount_total, currency: session.currency } };
    }
    case "payment_intent.succeeded": {
      const intent = stripeIntent.safeParse(json).data?.data.object;
      if (!intent) return undefined;
      const named = intent.metadata?.order_id;
      return { ...head, payment: { orderId: named, amountMinor: intent.amount_received, currency: intent.currency } };
    }
    default:
      return head;
  }
}

function plainEvent(head: ProviderEvent, json: unknown): ProviderEvent | undefined {
  if (head.type !== "payment.succeeded") return head;
  const payment = plainPayment.safeParse(json).data;
  if (!payment) return undefined;
  return {
    ...head,
    payment: { orderId: payment.order_id, amountMinor: payment.amount_minor, currency: payment.currency },
  };
}
