import { type ErrorKind, protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import type { Outcome } from "../../storage/schema.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";

/* Calls as the API shows them, in the names of the database. Durations are milliseconds since the request's head was read. */

/** How calls end, as schema.ts explains. */
export const callOutcomes = [
  "succeeded",
  "failed",
  "refused",
  "client_closed",
  "upstream_incomplete",
  "drained",
  "interrupted",
] as const satisfies readonly Outcome[];

export const errorKinds = [
  "bad_request",
  "context_too_long",
  "unauthenticated",
  "billing",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "too_large",
  "unsupported_media",
  "rate_limit",
  "cancelled",
  "upstream_bad",
  "upstream_incomplete",
  "no_channel",
  "internal",
  "overloaded",
  "timeout",
] as const satisfies readonly ErrorKind[];

const protocol = z.enum(protocolNames);
const lane = z.enum(["direct", "converted"]);
const milliseconds = z.number().nullable();
const tokens = z.number().int().optional();

const usage = z
  .object({
    input_uncached: tokens,
    input_cache_read: tokens,
    input_cache_write: tokens,
    input_cache_write_5m: tokens,
    input_cache_write_1h: tokens,
    input_tool_prompt: tokens,
    input_audio: tokens.describe("A second view on input counters, never added."),
    output_total: tokens,
    output_reasoning: tokens.describe("Part of 'output_total'."),
    output_audio: tokens,
    output_image: tokens,
    server_tools: z.record(z.string(), z.number().int()).optional(),
    estimated: z.boolean().describe("Counted by the gateway, since the upstream told nothing or was cut."),
  })
  .meta({ id: "CallUsage" });

const notice = z
  .object({
    field: z.string(),
    verdict: z.enum(["emulated", "approximated", "dropped"]),
    detail: z.string(),
  })
  .meta({ id: "CallNotice" });

const common = {
  id: z.string(),
  request_id: z.string(),
  started_at: timeSchema,
  account_id: z.string(),
  access_key_id: z.string(),
  client_protocol: protocol,
  upstream_protocol: protocol.nullable(),
  lane: lane.nullable(),
  channel: z.string().nullable(),
  model: z.string().nullable(),
  upstream_model: z.string().nullable(),
  stream: z.boolean(),
  status: z.number().int().describe("The HTTP status that the caller got."),
  outcome: z.enum(callOutcomes),
  error_kind: z.enum(errorKinds).nullable(),
  abort_reason: z.string().nullable(),
  usage: usage.nullable(),
  usage_disputed: z.boolean().describe("The upstream's own figures were not believed."),
  notices: z.array(notice),
  admission_ms: milliseconds,
  connect_ms: milliseconds,
  first_byte_ms: milliseconds,
  first_token_ms: milliseconds,
  end_ms: milliseconds,
  reserved: moneySchema,
  charge: moneySchema,
  overrun: moneySchema.describe("Nano-dollars beyond the reservation, which nobody paid."),
  price_version: z.string().nullable(),
};

/** A call in a list. */
export const callSchema = z
  .object({
    ...common,
    access_key_name: z.string().nullable(),
    account_name: z.string().nullable(),
    losses: z.number().int().describe("Notices of fields that were changed or left out, not emulated."),
  })
  .meta({ id: "Call" });

export const callListSchema = z
  .object({
    items: z.array(callSchema),
    next: z.string().nullable().describe("The cursor of the next page; null on the last one."),
    searched_to: timeSchema
      .nullable()
      .describe(
        "Not null where the search stopped before the page was full: calls up to this time were looked at, and 'next' goes on.",
      ),
    live: z.string().describe("Give it as 'after' to be told of calls that have ended since."),
  })
  .meta({ id: "CallList" });

const attempt = z
  .object({
    channel: z.string(),
    upstream_protocol: protocol,
    upstream_model: z.string(),
    lane,
    started_ms: z.number(),
    connect_ms: milliseconds,
    first_byte_ms: milliseconds,
    end_ms: milliseconds,
    status: z.number().int().nullable(),
    error_kind: z.enum(errorKinds).nullable().describe("Null for the attempt that gave the answer."),
    error_code: z.string().nullable(),
    possibly_billed: z.boolean(),
  })
  .meta({ id: "CallAttempt" });

const priceLine = z
  .object({
    class: z.string(),
    quantity: z.number().describe("Tokens, or uses of what is paid by use."),
    price: moneySchema.describe("Nano-dollars for a million tokens, or for one use."),
    amount: moneySchema.describe("Nano-dollars, with markup and service tier."),
  })
  .meta({ id: "CallPriceLine" });

const ledgerLine = z
  .object({
    id: z.string(),
    at: timeSchema,
    kind: z.enum(["charge", "top_up", "payment", "redemption", "adjustment", "refund"]),
    amount: moneySchema.describe("What it added to the balance: a charge is negative."),
    balance_after: moneySchema,
    reference: z.string().nullable(),
    note: z.string().nullable(),
    actor: z.string(),
  })
  .meta({ id: "CallLedgerEntry" });

const reservation = z
  .object({
    state: z.enum(["open", "settled", "voided", "recovered"]),
    amount: moneySchema,
    created_at: timeSchema,
    quota_window: z.string().nullable(),
  })
  .meta({ id: "CallReservation" });

const part = z.enum(["client_request", "upstream_request", "upstream_answer", "client_answer"]);
const contentStateName = z.enum(["kept", "expired", "installation_off", "key_off", "not_kept"]);
const partFacts = {
  part,
  size: z.number().int().describe("Bytes that went over the wire."),
  cut: z.boolean().describe("Not all of it was kept."),
  expires_at: timeSchema,
};

export const callDetailSchema = z
  .object({
    ...common,
    account_name: z.string().nullable(),
    access_key_name: z.string().nullable(),
    losses: z.number().int(),
    price_lines: z.array(priceLine).describe("The amounts add up to the charge."),
    attempts: z.array(attempt),
    ledger: z.array(ledgerLine),
    reservation: reservation.nullable(),
    content: z.object({
      state: contentStateName,
      readable: z.boolean().describe("Whether the caller's role allows reading it."),
      parts: z.array(z.object(partFacts).meta({ id: "CallContentFacts" })),
    }),
  })
  .meta({ id: "CallDetail" });

export const callContentSchema = z
  .object({
    state: contentStateName,
    parts: z.array(
      z
        .object({ ...partFacts, stored_at: timeSchema, text: z.string().describe("Redacted.") })
        .meta({ id: "CallContentPart" }),
    ),
  })
  .meta({ id: "CallContent" });
