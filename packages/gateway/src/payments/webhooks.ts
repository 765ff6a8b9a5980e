import { creditOrder, creditUnit } from "../accounts/credits.ts";
import { type AuditEvent, auditStatement } from "../audit/audit-log.ts";
import type { PaymentProvider } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import { showMinorAmount } from "./currency.ts";
import { findOrder, type OrderInfo } from "./payment-orders.ts";
import { type ProviderEvent, readProviderEvent } from "./provider-event.ts";
import { checkSignature, type SignatureProblem } from "./signature.ts";

/**
 * What an event came to; stored with it. `credited`: the order is paid. `ignored`: it is about no payment. Of the others
 * nobody gets money: `no_order` (names none), `unknown_order`, `already_paid`, `cancelled`, `wrong_amount`, `wrong_currency`.
 */
type EventOutcome =
  | "credited"
  | "ignored"
  | "no_order"
  | "unknown_order"
  | "already_paid"
  | "cancelled"
  | "wrong_amount"
  | "wrong_currency";

/** `taken`: the provider need not send it again. `repeated`: it was taken before. `refused`: it is not the provider's. */
export type Delivery =
  | { kind: "taken"; outcome: EventOutcome }
  | { kind: "repeated" }
  | { kind: "refused"; reason: SignatureProblem | "not_an_event" };

/** Takes in what payment providers tell. */
export interface Webhooks {
  /** The header that bears the signature, or undefined where no such provider is configured (M13). */
  signatureHeader(provider: string): string | undefined;
  /**
   * Takes an event in: its order is paid and its account credited in one unit, once, however often and in whatever order
   * events come. Rejects with a StorageError where it is not known whether that was written: the provider sends it again.
   */
  receive(provider: string, signature: string | undefined, body: Uint8Array): Promise<Delivery>;
}

export interface WebhooksOptions {
  database: Database;
  platform: Pick<Platform, "now" | "id">;
  providers: readonly PaymentProvider[];
}

/** How often an order may change while an event about it is being taken in. */
const mostTries = 5;

export function createWebhooks({ database, platform, providers }: WebhooksOptions): Webhooks {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));

  const take = async (provider: PaymentProvider, event: ProviderEvent): Promise<Delivery> => {
    // Two providers may give the same id to different events.
    const eventId = `${provider.name}:${event.id}`;
    for (let tries = 1; ; tries++) {
      const orderId = event.payment?.orderId;
      const order = orderId === undefined ? undefined : await findOrder(database, orderId);
      const outcome = judge(event, order);
      const { unit, order: place } = unitFor(provider, eventId, event, outcome, order);
      try {
        await database.write(unit, place);
        return { kind: "taken", outcome };
      } catch (error) {
        if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
        if (error.statement === 0) return { kind: "repeated" };
        // The order is another one than a moment ago: it was paid or cancelled meanwhile.
        if (tries >= mostTries) throw error;
      }
    }
  };

  const unitFor = (
    provider: PaymentProvider,
    eventId: string,
    event: ProviderEvent,
    outcome: EventOutcome,
    order: OrderInfo | undefined,
  ): { unit: Statement[]; order: { order?: string; alone: true } } => {
    const record = expecting(
      1,
      database.build
        .insertInto("payment_event")
        .values({
          id: eventId,
          received_at: platform.now(),
          order_id: event.payment?.orderId ?? null,
          outcome,
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .compile(),
    );
    const actor = { kind: "system", id: null, name: `payments: ${provider.name}`, address: null } as const;
    if (!order || !event.payment) return { unit: [record], order: { alone: true } };
    const { accountId, id, credit: amount } = order;
    const { amountMinor, currency } = event.payment;
    if (outcome === "credited") {
      const pay = database.build
        .updateTable("payment_order")
        .set({ state: "paid", paid_at: platform.now() })
        .where("id", "=", id)
        .where("state", "=", "open")
        .where("amount_minor", "=", amountMinor)
        .where("currency", "=", currency)
        .compile();
      const given = { accountId, kind: "payment", amount, reference: id, note: eventId.slice(0, 500), actor } as const;
      const { statements, audit } = creditUnit({ database, platform }, given);
      return { unit: [record, expecting(1, pay), ...statements, audit], order: creditOrder(accountId) };
    }
    const told: AuditEvent = {
      actor,
      action: "payment.not_credited",
      target: { kind: "order", id },
      accountId,
      detail: {
        reason: outcome,
        event: eventId,
        paid: showMinorAmount(amountMinor, currency),
        ordered: showMinorAmount(order.amountMinor, order.currency),
      },
    };
    return { unit: [record, auditStatement(database, platform, told)], order: { alone: true } };
  };

  return {
    signatureHeader(name) {
      const provider = byName.get(name);
      return provider && signatureHeaders[provider.scheme];
    },
    async receive(name, header, body) {
      const provider = byName.get(name);
      if (!provider) return { kind: "refused", reason: "missing" };
      const { secret, toleranceMs, scheme } = provider;
      const problem = checkSignature({ header, body, secret, toleranceMs, now: platform.now() });
      if (problem) return { kind: "refused", reason: problem };
      const event = readProviderEvent(scheme, body);
      return event ? take(provider, event) : { kind: "refused", reason: "not_an_event" };
    },
  };
}

/** In small letters. */
const signatureHeaders: Record<PaymentProvider["scheme"], string> = {
  stripe: "stripe-signature",
  hmac: "x-signature",
};

function judge({ payment }: ProviderEvent, order: OrderInfo | undefined): EventOutcome {
  if (!payment) return "ignored";
  if (payment.orderId === undefined) return "no_order";
  if (!order) return "unknown_order";
  if (order.currency !== payment.currency) return "wrong_currency";
  if (order.amountMinor !== payment.amountMinor) return "wrong_amount";
  switch (order.state) {
    case "open":
      return "credited";
    case "paid":
      return "already_paid";
    case "cancelled":
      return "cancelled";
  }
}
