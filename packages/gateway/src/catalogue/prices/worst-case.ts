import { counter } from "./billable-usage.ts";
import { serviceTierPrices, toolPrice } from "./charge.ts";
import { denominator, markupFactor, million, roundHalfUp } from "./exact-amount.ts";
import { maxMoney } from "./money.ts";
import type { PriceVersion } from "./price-version.ts";
import { type ServiceTier, serviceTiers } from "./service-tier.ts";
import { inputClasses, outputClasses, priceOf, type TokenClass, type TokenPrices } from "./token-class.ts";

/** The most that a call may use, apart from its output. All counts are whole. */
export interface InputBounds {
  inputTokens: number;
  /** Uses of tools that the provider runs, by the name of their counter. Those that are not named are not used. */
  serverTools?: Readonly<Record<string, number>>;
  /** Classes that cannot occur, such as `inputAudio` and `cacheReadAudio` where the request holds no sound. */
  without?: readonly TokenClass[];
  /** Service tiers by which it may be served. Absent: any. */
  serviceTiers?: readonly [ServiceTier, ...ServiceTier[]];
}

/** The most that a call may use. */
export interface CallBounds extends InputBounds {
  outputTokens: number;
}

/**
 * The highest charge, in nano-dollars, that `chargeFor` gives for any usage within the bounds, however its tokens fall
 * into classes. It is reached by one of them. Throws `MoneyError` where a bound is no exact whole number, or the charge
 * is beyond what the books hold.
 */
export function worstCase(version: PriceVersion, bounds: CallBounds, markupPpm: number): bigint {
  const output = BigInt(counter("outputTokens", bounds.outputTokens));
  let highest = 0n;
  for (const { fixed, perOutputToken } of courses(version, bounds, markupPpm)) {
    const exact = fixed + output * perOutputToken;
    if (exact > highest) highest = exact;
  }
  return roundHalfUp(highest);
}

/**
 * The greatest number of output tokens whose worst case fits into a budget in nano-dollars, or null where not even the
 * input fits. `Number.MAX_SAFE_INTEGER` where output costs nothing. Throws as `worstCase` does for the bounds.
 */
export function affordableOutput(
  version: PriceVersion,
  bounds: InputBounds,
  budget: bigint,
  markupPpm: number,
): number | null {
  // An exact amount is rounded to at most the budget where it is below the budget and a half.
  const limit = (2n * (budget > maxMoney ? maxMoney : budget) + 1n) * denominator;
  let cap = BigInt(Number.MAX_SAFE_INTEGER);
  for (const { fixed, perOutputToken } of courses(version, bounds, markupPpm)) {
    const room = limit - 2n * fixed - 1n;
    if (room < 0n) return null;
    if (perOutputToken === 0n) continue;
    const tokens = room / (2n * perOutputToken);
    if (tokens < cap) cap = tokens;
  }
  return Number(cap);
}

/** What a call costs at most in one service tier and one context tier, as exact amounts over `denominator`. */
interface Course {
  fixed: bigint;
  perOutputToken: bigint;
}

function courses(version: PriceVersion, bounds: InputBounds, markupPpm: number): Course[] {
  const inputTokens = counter("inputTokens", bounds.inputTokens);
  const markup = markupFactor(markupPpm);
  const without = bounds.without ?? [];
  let once = version.perRequest;
  for (const [tool, uses] of Object.entries(bounds.serverTools ?? {})) {
    once += BigInt(counter(tool, uses)) * toolPrice(version, tool);
  }
  const found: Course[] = [];
  for (const name of bounds.serviceTiers ?? serviceTiers) {
    const { tiers, factor } = serviceTierPrices(version, name);
    for (const [place, tier] of tiers.entries()) {
      if (place > 0 && inputTokens <= tier.aboveInputTokens) break;
      // A short context may cost more than a long one: each tier counts up to where the next one begins.
      const most = Math.min(inputTokens, tiers[place + 1]?.aboveInputTokens ?? inputTokens);
      const input = BigInt(most) * dearest(tier.prices, inputClasses, without);
      found.push({
        fixed: (input * factor + once * million * million) * markup,
        perOutputToken: dearest(tier.prices, outputClasses, without) * factor * markup,
      });
    }
  }
  return found;
}

function dearest(prices: TokenPrices, classes: readonly TokenClass[], without: readonly TokenClass[]): bigint {
  let highest = 0n;
  for (const each of classes) {
    if (without.includes(each)) continue;
    const { perMillion } = priceOf(prices, each);
    if (perMillion > highest) highest = perMillion;
  }
  return highest;
}
