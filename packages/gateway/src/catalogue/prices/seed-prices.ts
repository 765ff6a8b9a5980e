import type { ConditionalPrice, ModelInfo, ModelPrice, TieredPrices } from "@pydantic/genai-prices";
import type { ContextTier, DailyWindow, PriceVersion } from "./price-version.ts";
import type { TokenClass, TokenPrices } from "./token-class.ts";

/** The price data whose versions these are. A version's id begins with it, so another edition has other ids. */
export const edition = "genai-prices@0.1.8";

/** One price of a model and when it holds. `version` is undefined where the data tells no price that we can charge. */
export interface SeedEntry {
  validFrom: number;
  daily?: DailyWindow;
  version: PriceVersion | undefined;
}

/** The data's names of prices per million tokens. A write of five minutes is what it means by a write. */
const tokenKeys: ReadonlyMap<string, TokenClass> = new Map([
  ["input_mtok", "input"],
  ["input_audio_mtok", "inputAudio"],
  ["input_image_mtok", "inputImage"],
  ["cache_read_mtok", "cacheRead"],
  ["cache_audio_read_mtok", "cacheReadAudio"],
  ["cache_image_read_mtok", "cacheReadImage"],
  ["cache_write_mtok", "cacheWrite"],
  ["cache_write_5m_mtok", "cacheWrite5m"],
  ["cache_write_1h_mtok", "cacheWrite1h"],
  ["output_mtok", "output"],
  ["output_reasoning_mtok", "reasoning"],
  ["output_audio_mtok", "outputAudio"],
  ["output_image_mtok", "outputImage"],
]);

/** The data's names of prices per thousand uses, and the counters of the canonical usage. */
const toolKeys: ReadonlyMap<string, string> = new Map([
  ["web_searches_kcount", "web_search_requests"],
  ["storage_searches_kcount", "file_search_requests"],
  ["code_executions_kcount", "code_execution_requests"],
]);

/**
 * The prices of one model, the last one that holds being the one to take. In the data a daily window cannot have a first
 * day as well; it stands behind the price of a first day where it began with it, so it takes over that day.
 */
export function seedEntries(providerId: string, model: ModelInfo): SeedEntry[] {
  const conditional: ConditionalPrice[] = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  let validFrom = 0;
  return conditional.map(({ constraint, prices }, place) => {
    if (constraint?.type === "start_date") validFrom = Date.parse(`${constraint.start_date}T00:00:00Z`);
    const daily =
      constraint?.type === "time_of_date"
        ? { fromMs: timeOfDay(constraint.start_time), toMs: timeOfDay(constraint.end_time) }
        : undefined;
    const when = { validFrom, ...(daily ? { daily } : {}) };
    const suffix = conditional.length > 1 ? `#${place}` : "";
    const charged = chargedPrices(prices);
    const version: PriceVersion | undefined = charged && {
      id: `seed:${edition}:${providerId}:${model.id}${suffix}`,
      model: model.id,
      channel: null,
      source: "seed",
      ...when,
      ...charged,
    };
    return { ...when, version };
  });
}

/**
 * The amounts of a price. Undefined where the data tells none, or tells one for what no usage of ours counts (hours of
 * sound, pages, video, citations): a model must not be sold at half its price.
 */
function chargedPrices(prices: ModelPrice): Pick<PriceVersion, "tiers" | "perRequest" | "serverTools"> | undefined {
  let perRequest = 0n;
  const serverTools: Record<string, bigint> = {};
  const byClass = new Map<TokenClass, number | TieredPrices>();
  for (const [key, price] of Object.entries(prices)) {
    const tokenClass = tokenKeys.get(key);
    const tool = toolKeys.get(key);
    if (price === undefined) continue;
    if (tokenClass !== undefined) byClass.set(tokenClass, price);
    else if (typeof price !== "number") return undefined;
    // Dollars per thousand are a million times as many nano-dollars for one.
    else if (tool !== undefined) serverTools[tool] = decimalShifted(price, 6);
    else if (key === "requests_kcount") perRequest = decimalShifted(price, 6);
    else return undefined;
  }
  const input = byClass.get("input");
  if (input === undefined) return undefined;
  const tools = Object.keys(serverTools).length > 0 ? { serverTools } : {};
  return { tiers: contextTiers(byClass, input), perRequest, ...tools };
}

/** The data has a list of tiers for each class. Each of its prices is for all tokens of a call that read more than `start`. */
function contextTiers(
  byClass: ReadonlyMap<TokenClass, number | TieredPrices>,
  input: number | TieredPrices,
): ContextTier[] {
  const starts = new Set([0]);
  for (const price of byClass.values()) {
    if (typeof price === "object") for (const tier of price.tiers) starts.add(tier.start);
  }
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => {
      const at = (price: number | TieredPrices) => decimalShifted(priceAt(price, start), 9);
      // Models that only read, such as those for embeddings, have no price for output.
      const prices: { -readonly [Class in keyof TokenPrices]: TokenPrices[Class] } = { input: at(input), output: 0n };
      for (const [tokenClass, price] of byClass) prices[tokenClass] = at(price);
      return { aboveInputTokens: start, prices };
    });
}

function priceAt(price: number | TieredPrices, start: number): number {
  if (typeof price === "number") return price;
  const reached = price.tiers.filter((tier) => tier.start <= start).sort((a, b) => a.start - b.start);
  return reached.at(-1)?.price ?? price.base;
}

/**
 * A decimal number times a power of ten as a whole one. It goes by the shortest text of the number, which is the decimal
 * that the data's author wrote; what is smaller than one is rounded half up.
 */
export function decimalShifted(value: number, places: number): bigint {
  const match = /^([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(String(value));
  if (!match) throw new TypeError(`${value} is no price`);
  const [, whole = "", decimals = "", exponent = "0"] = match;
  const digits = BigInt(whole + decimals);
  const shift = Number(exponent) - decimals.length + places;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (2n * digits + divisor) / (2n * divisor);
}

/** `01:00:00Z` or `09:00:00+08:00` as milliseconds of the UTC day. */
function timeOfDay(text: string): number {
  const dayMs = 86_400_000;
  return (Date.parse(`2000-01-02T${text}`) + dayMs) % dayMs;
}
