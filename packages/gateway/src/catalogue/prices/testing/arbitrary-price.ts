import fc from "fast-check";
import type { BillableUsage } from "../billable-usage.ts";
import type { ContextTier, PriceVersion, ServiceTierPrices } from "../price-version.ts";
import { type TokenPrices, tokenClasses } from "../token-class.ts";

/** Prices from nothing to a million dollars a million tokens, with many odd ones that make remainders. */
const perMillion = fc.oneof(fc.constant(0n), fc.bigInt(1n, 99n), fc.bigInt(1n, 1_000_000_000_000_000n));

const tokenPrices: fc.Arbitrary<TokenPrices> = fc
  .tuple(perMillion, perMillion, fc.array(fc.tuple(fc.constantFrom(...tokenClasses), perMillion), { maxLength: 12 }))
  .map(([input, output, others]) => ({ input, output, ...Object.fromEntries(others) }));

const contextTiers: fc.Arbitrary<ContextTier[]> = fc
  .tuple(tokenPrices, fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }), fc.array(tokenPrices))
  .map(([first, starts, others]) => [
    { aboveInputTokens: 0, prices: first },
    ...starts
      .sort((a, b) => a - b)
      .map((aboveInputTokens, place) => ({ aboveInputTokens, prices: others[place] ?? first })),
  ]);

const serviceTier: fc.Arbitrary<ServiceTierPrices> = fc.oneof(
  fc.record({ multiplierPpm: fc.integer({ min: 0, max: 5_000_000 }) }, { noNullPrototype: true }),
  fc.record({ tiers: contextTiers }, { noNullPrototype: true }),
);

/** Price versions of any form, for a short context, so that its tiers are reached. */
export const anyPriceVersion: fc.Arbitrary<PriceVersion> = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 20 }),
    model: fc.constantFrom("m", "m-*", "*"),
    channel: fc.constantFrom(null, "c", "d"),
    validFrom: fc.integer({ min: -5, max: 5 }),
    daily: fc.constantFrom({ fromMs: 0, toMs: 1 }, { fromMs: 80_000_000, toMs: 3 }),
    source: fc.constantFrom("seed", "configuration", "operator"),
    tiers: contextTiers,
    serviceTiers: fc.record(
      { flex: serviceTier, priority: serviceTier, batch: serviceTier },
      { requiredKeys: [], noNullPrototype: true },
    ),
    perRequest: perMillion,
    serverTools: fc.dictionary(fc.constantFrom("web_search_requests", "web_fetch_requests"), perMillion, {
      noNullPrototype: true,
    }),
  },
  { requiredKeys: ["id", "model", "channel", "validFrom", "source", "tiers", "perRequest"], noNullPrototype: true },
);

const tokens = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 3_000_000 }));

/** Usages as upstreams tell them, also such whose parts are more than their whole. */
export const anyUsage: fc.Arbitrary<BillableUsage> = fc.record(
  {
    input: fc.record(
      {
        uncached: tokens,
        cacheRead: tokens,
        cacheWrite: tokens,
        cacheWrite5m: tokens,
        cacheWrite1h: tokens,
        toolPrompt: tokens,
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    output: fc.record(
      { total: tokens, reasoning: tokens, audio: tokens, image: tokens },
      { requiredKeys: [], noNullPrototype: true },
    ),
    inputAudio: tokens,
    inputImage: tokens,
    serverTools: fc.dictionary(
      fc.constantFrom("web_search_requests", "web_fetch_requests", "other"),
      fc.integer({ min: 0, max: 20 }),
    ),
  },
  { requiredKeys: ["input", "output"], noNullPrototype: true },
);

export const anyMarkup = fc.oneof(fc.constant(0), fc.integer({ min: -1_000_000, max: 3_000_000 }));

/** A price version of which a test names what matters to it. */
export function examplePrice(prices: TokenPrices, more: Partial<PriceVersion> = {}): PriceVersion {
  return {
    id: "price_1",
    model: "m",
    channel: null,
    validFrom: 0,
    source: "operator",
    tiers: [{ aboveInputTokens: 0, prices }],
    perRequest: 0n,
    ...more,
  };
}
