import { type BillableUsage, splitUsage } from "./billable-usage.ts";
import { markupFactor, million, roundTogether } from "./exact-amount.ts";
import type { ContextTier, PriceVersion } from "./price-version.ts";
import type { ServiceTier } from "./service-tier.ts";
import { priceOf, type TokenClass, type TokenPrices, tokenClasses } from "./token-class.ts";

/** One line of a charge. Prices are the version's own, before service tier and markup; `amount` is what is charged. */
export type PriceLine =
  | {
      kind: "tokens";
      class: TokenClass;
      tokens: number;
      /** Nano-dollars per million tokens. */
      perMillion: bigint;
      /** The class whose price it is: another one where the class has none of its own. */
      pricedAs: TokenClass;
      amount: bigint;
    }
  | { kind: "request"; each: bigint; amount: bigint }
  | { kind: "server-tool"; tool: string; uses: number; each: bigint; amount: bigint };

/** What a call costs, in nano-dollars. The lines add up to the total. */
export interface Charge {
  total: bigint;
  lines: PriceLine[];
}

/** What holds for a call beside its price and its usage. */
export interface ChargeTerms {
  /** Added to the price, in millionths of it: 0 is the price itself, 250_000 a quarter more, -1_000_000 nothing at all. */
  markupPpm: number;
  /** What the provider served; absent: the ordinary service. */
  serviceTier?: ServiceTier;
}

/**
 * What a usage costs: computed exactly and rounded once, half up (M9). Nothing without a price is charged: a server tool
 * that the version does not name. Throws `MoneyError`: `counter` for a counter that is no exact whole number, `range` for
 * a markup out of bounds or a total beyond what the books hold.
 */
export function chargeFor(version: PriceVersion, usage: BillableUsage, terms: ChargeTerms): Charge {
  const split = splitUsage(usage);
  const markup = markupFactor(terms.markupPpm);
  const service = serviceTierPrices(version, terms.serviceTier ?? "default");
  const prices = pricesAt(service.tiers, split.inputTokens);

  const lines: PriceLine[] = [];
  const exact: bigint[] = [];
  for (const tokenClass of tokenClasses) {
    const tokens = split.tokens[tokenClass];
    if (tokens === 0) continue;
    const { perMillion, pricedAs } = priceOf(prices, tokenClass);
    lines.push({ kind: "tokens", class: tokenClass, tokens, perMillion, pricedAs, amount: 0n });
    exact.push(BigInt(tokens) * perMillion * service.factor * markup);
  }
  if (version.perRequest > 0n) {
    lines.push({ kind: "request", each: version.perRequest, amount: 0n });
    exact.push(version.perRequest * million * million * markup);
  }
  for (const [tool, uses] of split.serverTools) {
    const each = toolPrice(version, tool);
    if (uses === 0 || each === 0n) continue;
    lines.push({ kind: "server-tool", tool, uses, each, amount: 0n });
    exact.push(BigInt(uses) * each * million * million * markup);
  }
  const { total, shares } = roundTogether(exact);
  for (const [place, line] of lines.entries()) line.amount = shares[place] ?? 0n;
  return { total, lines };
}

/** The prices of a service tier, and the factor in millionths that is still to be put on them. */
export function serviceTierPrices(
  version: PriceVersion,
  serviceTier: ServiceTier,
): { tiers: readonly ContextTier[]; factor: bigint } {
  const own = serviceTier === "default" ? undefined : version.serviceTiers?.[serviceTier];
  if (!own) return { tiers: version.tiers, factor: million };
  if ("tiers" in own) return { tiers: own.tiers, factor: million };
  return { tiers: version.tiers, factor: BigInt(own.multiplierPpm) };
}

/** Nano-dollars for one use of a server tool; 0 where it has no price. */
export function toolPrice(version: PriceVersion, tool: string): bigint {
  // The name comes from an upstream: it must not reach what every object inherits.
  const { serverTools } = version;
  return serverTools && Object.hasOwn(serverTools, tool) ? (serverTools[tool] ?? 0n) : 0n;
}

/** The prices for a whole call that read so many tokens. */
function pricesAt(tiers: readonly ContextTier[], inputTokens: number): TokenPrices {
  const tier = tiers.findLast((each) => inputTokens > each.aboveInputTokens) ?? tiers[0];
  if (!tier) throw new TypeError("a price version without tiers");
  return tier.prices;
}
