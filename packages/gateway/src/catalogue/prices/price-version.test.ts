import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxMoney } from "./money.ts";
import { holdsAt, readPriceVersion, writePriceVersion } from "./price-version.ts";
import { anyPriceVersion, examplePrice } from "./testing/arbitrary-price.ts";
import { priceOf, tokenClasses } from "./token-class.ts";

const full = {
  id: "price_1",
  model: "m-*",
  channel: "c",
  validFrom: 1_700_000_000_000,
  daily: { fromMs: 0, toMs: 3_600_000 },
  source: "operator",
  tiers: [
    { aboveInputTokens: 0, prices: { input: "37500000", output: "0" } },
    { aboveInputTokens: 200_000, prices: { input: "75000000", output: "1", cacheRead: "9000000000000000000" } },
  ],
  serviceTiers: {
    flex: { multiplierPpm: 500_000 },
    batch: { tiers: [{ aboveInputTokens: 0, prices: { input: "1", output: "2" } }] },
  },
  perRequest: "5",
  serverTools: { web_search_requests: "10000000" },
};

describe("a price version as JSON", () => {
  it("comes back as it was, through a text", () => {
    fc.assert(
      fc.property(anyPriceVersion, (version) => {
        expect(readPriceVersion(JSON.parse(JSON.stringify(writePriceVersion(version))))).toStrictEqual(version);
      }),
    );
  });

  it("amounts are texts, read as exact integers", () => {
    const version = readPriceVersion(full);
    expect(version.tiers[1]?.prices.cacheRead).toBe(maxMoney);
    expect(version.tiers[0]?.prices.input).toBe(37_500_000n);
    expect(writePriceVersion(version)).toStrictEqual(full);
  });

  const prices = { input: "1", output: "1" };
  const tier = (aboveInputTokens: unknown) => ({ aboveInputTokens, prices });
  it.each([
    ["a number as an amount", { perRequest: 5 }],
    ["a negative amount", { perRequest: "-5" }],
    ["a fractional amount", { perRequest: "0.5" }],
    ["an exponent", { perRequest: "1e3" }],
    ["zeros before an amount", { perRequest: "05" }],
    ["an amount beyond the bound", { perRequest: "9000000000000000001" }],
    ["an amount beyond 64 bits", { perRequest: "18446744073686646784" }],
    ["an unknown field", { currency: "USD" }],
    ["an unknown source", { source: "guess" }],
    ["an unknown class", { tiers: [{ aboveInputTokens: 0, prices: { ...prices, video: "1" } }] }],
    ["no price for output", { tiers: [{ aboveInputTokens: 0, prices: { input: "1" } }] }],
    ["no tier", { tiers: [] }],
    ["a first tier above something", { tiers: [tier(1)] }],
    ["tiers that do not rise", { tiers: [tier(0), tier(5), tier(5)] }],
    ["a negative tier", { tiers: [tier(-1), tier(0)] }],
    ["a fractional tier", { tiers: [tier(0), tier(1.5)] }],
    ["an unknown service tier", { serviceTiers: { express: { multiplierPpm: 1 } } }],
    ["a service tier that is both", { serviceTiers: { flex: { multiplierPpm: 1, tiers: [tier(0)] } } }],
    ["a negative multiplier", { serviceTiers: { flex: { multiplierPpm: -1 } } }],
    ["a tool with an odd name", { serverTools: { "": "1" } }],
    ["a window without length", { daily: { fromMs: 5, toMs: 5 } }],
    ["a window beyond the day", { daily: { fromMs: 0, toMs: 86_400_000 } }],
    ["a moment that is no whole number", { validFrom: 0.5 }],
    ["an empty model", { model: "" }],
  ])("%s is refused", (_what, change) => {
    expect(() => readPriceVersion({ ...full, ...change })).toThrow();
  });

  it("a tool named like what objects inherit becomes no price", () => {
    const { serverTools } = readPriceVersion({ ...full, serverTools: JSON.parse('{"__proto__": "1", "a": "2"}') });
    expect(Object.entries(serverTools ?? {})).toEqual([["a", 2n]]);
    expect(Object.getPrototypeOf(serverTools)).toBe(Object.prototype);
  });

  it.each([undefined, null, 1, "{}", []])("%j is refused", (value) => {
    expect(() => readPriceVersion(value)).toThrow();
  });

  it("M9 what cannot be read back is not written", () => {
    expect(() => writePriceVersion(examplePrice({ input: -1n, output: 0n }))).toThrow();
    expect(() => writePriceVersion(examplePrice({ input: maxMoney + 1n, output: 0n }))).toThrow();
  });
});

describe("the price of a class without its own", () => {
  it.each([
    ["reasoning", "output"],
    ["outputAudio", "output"],
    ["outputImage", "output"],
    ["inputAudio", "input"],
    ["inputImage", "input"],
    ["cacheRead", "input"],
    ["cacheReadAudio", "input"],
    ["cacheReadImage", "input"],
    ["cacheWrite", "input"],
    ["cacheWrite5m", "input"],
    ["cacheWrite1h", "input"],
  ] as const)("%s costs as %s", (tokenClass, pricedAs) => {
    const prices = { input: 3n, output: 7n };
    expect(priceOf(prices, tokenClass)).toEqual({ pricedAs, perMillion: prices[pricedAs] });
  });

  it.each([
    ["cacheWrite5m", "cacheWrite"],
    ["cacheWrite1h", "cacheWrite"],
    ["cacheReadAudio", "cacheRead"],
    ["cacheReadImage", "cacheRead"],
  ] as const)("%s costs as %s where that has a price", (tokenClass, pricedAs) => {
    const prices = { input: 3n, output: 7n, cacheWrite: 4n, cacheRead: 0n, inputAudio: 9n, inputImage: 9n };
    expect(priceOf(prices, tokenClass)).toEqual({ pricedAs, perMillion: prices[pricedAs] });
  });

  it.each([
    ["cacheReadAudio", "inputAudio"],
    ["cacheReadImage", "inputImage"],
  ] as const)("%s costs as %s where cache reads have none", (tokenClass, pricedAs) => {
    const prices = { input: 3n, output: 7n, inputAudio: 30n, inputImage: 20n };
    expect(priceOf(prices, tokenClass)).toEqual({ pricedAs, perMillion: prices[pricedAs] });
  });

  it("its own price goes before, also where it is nothing", () => {
    for (const tokenClass of tokenClasses) {
      const prices = { input: 3n, output: 7n, cacheWrite: 4n, cacheRead: 5n, [tokenClass]: 0n };
      expect(priceOf(prices, tokenClass)).toEqual({ pricedAs: tokenClass, perMillion: 0n });
    }
  });
});

describe("when a version holds", () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  it.each([
    ["from its moment on", {}, [0, 1, day], [-1]],
    ["in its hours", { fromMs: hour, toMs: 4 * hour }, [hour, 4 * hour - 1, day + hour], [0, 4 * hour, day]],
    ["through midnight", { fromMs: 22 * hour, toMs: hour }, [0, hour - 1, 22 * hour, day], [hour, 22 * hour - 1]],
  ])("%s", (_what, daily, inside, outside) => {
    const version = { validFrom: 0, ...("fromMs" in daily ? { daily } : {}) };
    for (const at of inside) expect([at, holdsAt(version, at)]).toEqual([at, true]);
    for (const at of outside) expect([at, holdsAt(version, at)]).toEqual([at, false]);
  });

  it("hours of a day before 1970 are hours too", () => {
    expect(holdsAt({ validFrom: -10 * day, daily: { fromMs: 0, toMs: hour } }, -day + 1)).toBe(true);
    expect(holdsAt({ validFrom: -10 * day, daily: { fromMs: 0, toMs: hour } }, -1)).toBe(false);
  });
});
