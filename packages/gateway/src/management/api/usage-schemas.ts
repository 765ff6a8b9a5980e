import { z } from "zod";
import type { UsageSums } from "../../calls/usage.ts";
import type { PeriodFigures } from "../../calls/usage-overview.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";

/* Sums of calls as the API shows them. */

const count = z.number().int();

/** Sums over calls. */
export const usageSumsSchema = z
  .object({
    calls: count,
    succeeded: count,
    failed: count.describe("Calls that did not succeed, whoever the cause."),
    input_uncached: count,
    input_cache_read: count,
    input_cache_write: count,
    output_total: count,
    output_reasoning: count.describe("Part of 'output_total'."),
    tokens: count.describe("All input and output."),
    charge: moneySchema,
    overrun: moneySchema.describe("Nano-dollars beyond reservations, which nobody paid."),
    duration_ms: count.describe("What the calls took together."),
  })
  .meta({ id: "UsageSums" });

export function usageSumsJson(sums: UsageSums): z.input<typeof usageSumsSchema> {
  return {
    calls: sums.calls,
    succeeded: sums.succeeded,
    failed: sums.calls - sums.succeeded,
    input_uncached: sums.inputUncached,
    input_cache_read: sums.inputCacheRead,
    input_cache_write: sums.inputCacheWrite,
    output_total: sums.outputTotal,
    output_reasoning: sums.outputReasoning,
    tokens: sums.inputUncached + sums.inputCacheRead + sums.inputCacheWrite + sums.outputTotal,
    charge: String(sums.charge),
    overrun: String(sums.overrun),
    duration_ms: sums.durationMs,
  };
}

/** What calls did in a time, as dashboards show it. */
export const periodFiguresSchema = z
  .object({
    from: timeSchema,
    to: timeSchema,
    calls: count,
    failed: count.describe("Calls that did not succeed, whoever the cause."),
    error_rate: z.number().nullable().describe("The failed part of the calls, 0 to 1; null without a call."),
    charge: moneySchema,
    tokens: count,
    first_token_p95_ms: z
      .number()
      .nullable()
      .describe("Milliseconds in which 95 of a hundred calls had their first token, estimated from a histogram."),
  })
  .meta({ id: "PeriodFigures" });

export function periodFiguresJson(figures: PeriodFigures): z.input<typeof periodFiguresSchema> {
  const { calls, succeeded } = figures;
  return {
    from: figures.from,
    to: figures.to,
    calls,
    failed: calls - succeeded,
    error_rate: calls === 0 ? null : (calls - succeeded) / calls,
    charge: String(figures.charge),
    tokens: figures.tokens,
    first_token_p95_ms: figures.firstTokenP95,
  };
}

/** The parameter that tells where days begin. */
export const zoneParam = z.coerce
  .number()
  .int()
  .min(-14 * 60)
  .max(14 * 60)
  .default(0)
  .describe("Minutes by which the caller's time zone is ahead of UTC: where days begin.");
