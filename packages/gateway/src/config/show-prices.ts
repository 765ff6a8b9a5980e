import type { PriceVersion } from "../catalogue/prices/price-version.ts";
import type { TokenPrices } from "../catalogue/prices/token-class.ts";
import { showDollars } from "./dollars.ts";

/** A price as the file spells it. */
export function showPrice({ model, channel, tiers, perRequest, serverTools, serviceTiers }: PriceVersion): object {
  const [first, ...above] = tiers;
  return {
    model,
    ...(channel === null ? {} : { channel }),
    ...(first ? showTokenPrices(first.prices) : {}),
    ...(perRequest === 0n ? {} : { request: showDollars(perRequest) }),
    ...(serverTools ? { tools: mapped(serverTools, showDollars) } : {}),
    ...(above.length === 0
      ? {}
      : {
          above: above.map((tier) => ({ input_tokens: tier.aboveInputTokens, ...showTokenPrices(tier.prices) })),
        }),
    ...(serviceTiers ? { service_tiers: mapped(serviceTiers, showFactor) } : {}),
  };
}

const names = {
  input: "input",
  inputAudio: "input_audio",
  inputImage: "input_image",
  cacheRead: "cache_read",
  cacheWrite: "cache_write",
  cacheWrite5m: "cache_write_5m",
  cacheWrite1h: "cache_write_1h",
  output: "output",
  reasoning: "reasoning",
  outputAudio: "output_audio",
  outputImage: "output_image",
} as const satisfies Partial<Record<keyof TokenPrices, string>>;

function showTokenPrices(prices: TokenPrices): object {
  const shown: Record<string, string> = {};
  for (const [tokenClass, name] of Object.entries(names)) {
    // The keys of `names` are classes of tokens.
    const price = prices[tokenClass as keyof typeof names];
    if (price !== undefined) shown[name] = showDollars(price);
  }
  return shown;
}

/** The file has factors alone. */
function showFactor(tier: object): string {
  return "multiplierPpm" in tier && typeof tier.multiplierPpm === "number" ? `${tier.multiplierPpm / 10_000}%` : "100%";
}

function mapped<Value>(values: Readonly<Record<string, Value>>, show: (value: Value) => string): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, show(value)]));
}
