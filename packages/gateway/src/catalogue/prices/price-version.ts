import { z } from "zod";
import { maxMoney } from "./money.ts";
import type { ServiceTier } from "./service-tier.ts";
import type { TokenClass, TokenPrices } from "./token-class.ts";

/** Prices that hold for the whole call where it read more than `aboveInputTokens` tokens, cached ones included. */
export interface ContextTier {
  readonly aboveInputTokens: number;
  readonly prices: TokenPrices;
}

/** A service tier: all token prices times a factor in millionths (500_000 is half), or prices of its own. */
export type ServiceTierPrices = { readonly multiplierPpm: number } | { readonly tiers: readonly ContextTier[] };

/** Hours of each day (UTC) in milliseconds since midnight. Where `toMs` is the smaller one it passes midnight. */
export interface DailyWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * What one model costs from a moment on. It is never changed: another price is another version. All amounts are whole
 * nano-dollars. A class of tokens without a price costs what `priceOf` says: reasoning and what is heard or seen cost
 * as text does; cache writes of a lifetime cost as any, and those and cache reads as plain input.
 */
export interface PriceVersion {
  /** Unique; the same id always means the same prices. */
  readonly id: string;
  /** A model's identifier; `*` stands for any run of characters. */
  readonly model: string;
  /** The name of the one channel for which it holds; null: all of them. */
  readonly channel: string | null;
  /** Unix milliseconds. */
  readonly validFrom: number;
  /** Holds in these hours alone. */
  readonly daily?: DailyWindow;
  readonly source: "seed" | "configuration" | "operator";
  /** By length of the context, rising; the first one's `aboveInputTokens` is 0 and it holds for an empty input as well. */
  readonly tiers: readonly ContextTier[];
  /** Service tiers other than the ordinary one. One that is not named costs as the ordinary one. */
  readonly serviceTiers?: { readonly [Tier in Exclude<ServiceTier, "default">]?: ServiceTierPrices };
  /** For each call. */
  readonly perRequest: bigint;
  /** For each use of a tool that the provider runs, by the name of its counter (`web_search_requests`). */
  readonly serverTools?: Readonly<Record<string, bigint>>;
}

/** An amount as JSON text: a number would lose digits in readers that know only doubles. */
const amount = z.codec(
  z.string("must be whole nano-dollars as a text").regex(/^(?:0|[1-9][0-9]{0,18})$/, "must be whole nano-dollars"),
  z.bigint().nonnegative().max(maxMoney),
  { decode: (text) => BigInt(text), encode: (nano) => String(nano) },
);

const tokenPrices = z.strictObject({
  input: amount,
  inputAudio: amount.optional(),
  inputImage: amount.optional(),
  cacheRead: amount.optional(),
  cacheReadAudio: amount.optional(),
  cacheReadImage: amount.optional(),
  cacheWrite: amount.optional(),
  cacheWrite5m: amount.optional(),
  cacheWrite1h: amount.optional(),
  output: amount,
  reasoning: amount.optional(),
  outputAudio: amount.optional(),
  outputImage: amount.optional(),
} satisfies Record<TokenClass, unknown>);

const count = z.int().nonnegative();

const contextTiers = z
  .array(z.strictObject({ aboveInputTokens: count, prices: tokenPrices }))
  .min(1, "must hold at least one tier")
  .refine(
    (tiers) => tiers.every((tier, place) => tier.aboveInputTokens > (tiers[place - 1]?.aboveInputTokens ?? -1)),
    "must rise by aboveInputTokens",
  )
  .refine((tiers) => tiers[0]?.aboveInputTokens === 0, "must begin with a tier above 0 tokens");

/** Above a thousandfold it is a slip of the pen. */
const multiplierPpm = count.max(1_000_000_000);

const serviceTierPrices = z.union([z.strictObject({ multiplierPpm }), z.strictObject({ tiers: contextTiers })]);

const timeOfDay = count.max(86_399_999);

/** Reads a price version from its JSON form, in which amounts are decimal texts; refuses everything else. */
const priceVersionSchema = z.strictObject({
  id: z.string().min(1).max(512),
  model: z.string().min(1).max(256),
  channel: z.string().min(1).max(64).nullable(),
  validFrom: z.int(),
  daily: z
    .strictObject({ fromMs: timeOfDay, toMs: timeOfDay })
    .refine((window) => window.fromMs !== window.toMs, "must have a length")
    .optional(),
  source: z.enum(["seed", "configuration", "operator"]),
  tiers: contextTiers,
  serviceTiers: z
    .strictObject({
      flex: serviceTierPrices.optional(),
      priority: serviceTierPrices.optional(),
      batch: serviceTierPrices.optional(),
    } satisfies Record<Exclude<ServiceTier, "default">, unknown>)
    .optional(),
  perRequest: amount,
  serverTools: z.record(z.string().regex(/^\w{1,64}$/), amount).optional(),
});

/** The form of a price version that `JSON.stringify` takes. */
export type PriceVersionJson = z.input<typeof priceVersionSchema>;

/** The price version of a JSON value. Throws a `ZodError` that names each place that is wrong. */
export function readPriceVersion(json: unknown): PriceVersion {
  return priceVersionSchema.parse(json);
}

/** The JSON form of a price version. Throws a `ZodError` where it breaks a rule of the form. */
export function writePriceVersion(version: PriceVersion): PriceVersionJson {
  // The schema reads only; its own type differs in that its lists are not readonly.
  return z.encode(priceVersionSchema, version as z.output<typeof priceVersionSchema>);
}

const dayMs = 86_400_000;

/** Whether the version holds at a moment (unix milliseconds), for those it is meant for. */
export function holdsAt(version: Pick<PriceVersion, "validFrom" | "daily">, at: number): boolean {
  if (at < version.validFrom) return false;
  if (!version.daily) return true;
  const { fromMs, toMs } = version.daily;
  const time = ((at % dayMs) + dayMs) % dayMs;
  return fromMs < toMs ? time >= fromMs && time < toMs : time >= fromMs || time < toMs;
}
