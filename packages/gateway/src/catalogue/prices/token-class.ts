/**
 * Classes of tokens that may have a price of their own. Each token of a call falls into exactly one. `cacheWrite` is a
 * write whose lifetime is not told; `reasoning` is the hidden part of the output.
 */
export const inputClasses = [
  "input",
  "inputAudio",
  "inputImage",
  "cacheRead",
  "cacheReadAudio",
  "cacheReadImage",
  "cacheWrite",
  "cacheWrite5m",
  "cacheWrite1h",
] as const;
export const outputClasses = ["output", "reasoning", "outputAudio", "outputImage"] as const;
export const tokenClasses = [...inputClasses, ...outputClasses] as const;

export type InputClass = (typeof inputClasses)[number];
export type OutputClass = (typeof outputClasses)[number];
export type TokenClass = InputClass | OutputClass;

/** Nano-dollars per million tokens. A class without a price costs what `priceOf` says. */
export type TokenPrices = { readonly input: bigint; readonly output: bigint } & {
  readonly [Class in TokenClass]?: bigint;
};

/**
 * Which class' price holds where a class has none: the first of these that has one. `input` and `output` always do.
 * Cached sound costs as any cached token; where a model has no price for those, it is no cheaper than fresh sound.
 */
const fallbacks: Record<Exclude<TokenClass, "input" | "output">, readonly [...TokenClass[], "input" | "output"]> = {
  inputAudio: ["input"],
  inputImage: ["input"],
  cacheRead: ["input"],
  cacheReadAudio: ["cacheRead", "inputAudio", "input"],
  cacheReadImage: ["cacheRead", "inputImage", "input"],
  cacheWrite: ["input"],
  cacheWrite5m: ["cacheWrite", "input"],
  cacheWrite1h: ["cacheWrite", "input"],
  reasoning: ["output"],
  outputAudio: ["output"],
  outputImage: ["output"],
};

/** The price that holds for a class, and the class it was written for: another one where the class has none of its own. */
export function priceOf(prices: TokenPrices, tokenClass: TokenClass): { perMillion: bigint; pricedAs: TokenClass } {
  if (tokenClass === "input" || tokenClass === "output")
    return { perMillion: prices[tokenClass], pricedAs: tokenClass };
  for (const pricedAs of [tokenClass, ...fallbacks[tokenClass]]) {
    const perMillion = prices[pricedAs];
    if (perMillion !== undefined) return { perMillion, pricedAs };
  }
  throw new TypeError("a price version without a price for input or output");
}
