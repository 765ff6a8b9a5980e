import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BillableUsage } from "./billable-usage.ts";
import { chargeFor } from "./charge.ts";
import { maxMoney } from "./money.ts";
import { serviceTierOf, serviceTiers } from "./service-tier.ts";
import { anyMarkup, anyPriceVersion, anyUsage, examplePrice } from "./testing/arbitrary-price.ts";
import { tokenClasses } from "./token-class.ts";

const dollar = 1_000_000_000n;
const plain = { markupPpm: 0 };
const anyTerms = fc.record({ markupPpm: anyMarkup, serviceTier: fc.constantFrom(...serviceTiers) });

/** A price whose classes all differ, by powers of ten, so that a total tells which classes it holds. */
const distinct = examplePrice(
  Object.fromEntries(tokenClasses.map((name, place) => [name, 1_000_000n * 10n ** BigInt(place)])) as Record<
    (typeof tokenClasses)[number],
    bigint
  >,
);

describe("M9 what a call costs", () => {
  it("an example by hand: a cached conversation with thinking", () => {
    const price = examplePrice({
      input: 3n * dollar,
      output: 15n * dollar,
      cacheRead: 300_000_000n,
      cacheWrite: 3_750_000_000n,
      cacheWrite1h: 6n * dollar,
    });
    const usage = {
      input: { uncached: 100, toolPrompt: 11, cacheRead: 5_000, cacheWrite5m: 400, cacheWrite1h: 7, cacheWrite: 1 },
      output: { total: 900, reasoning: 600 },
    };
    expect(chargeFor(price, usage, plain)).toEqual({
      total: 333_000n + 1_500_000n + 1_500_000n + 42_000n + 3_750n + 13_500_000n,
      lines: [
        { kind: "tokens", class: "input", pricedAs: "input", tokens: 111, perMillion: 3n * dollar, amount: 333_000n },
        {
          kind: "tokens",
          class: "cacheRead",
          pricedAs: "cacheRead",
          tokens: 5_000,
          perMillion: 300_000_000n,
          amount: 1_500_000n,
        },
        {
          kind: "tokens",
          class: "cacheWrite",
          pricedAs: "cacheWrite",
          tokens: 1,
          perMillion: 3_750_000_000n,
          amount: 3_750n,
        },
        {
          kind: "tokens",
          class: "cacheWrite5m",
          pricedAs: "cacheWrite",
          tokens: 400,
          perMillion: 3_750_000_000n,
          amount: 1_500_000n,
        },
        {
          kind: "tokens",
          class: "cacheWrite1h",
          pricedAs: "cacheWrite1h",
          tokens: 7,
          perMillion: 6n * dollar,
          amount: 42_000n,
        },
        {
          kind: "tokens",
          class: "output",
          pricedAs: "output",
          tokens: 300,
          perMillion: 15n * dollar,
          amount: 4_500_000n,
        },
        {
          kind: "tokens",
          class: "reasoning",
          pricedAs: "output",
          tokens: 600,
          perMillion: 15n * dollar,
          amount: 9_000_000n,
        },
      ],
    });
  });

  it("a call and its tools have prices of their own, which no service tier changes", () => {
    const price = examplePrice(
      { input: 0n, output: 2_000_000n },
      {
        perRequest: 5n,
        serverTools: { web_search_requests: 10n, web_fetch_requests: 0n },
        serviceTiers: { flex: { multiplierPpm: 500_000 } },
      },
    );
    const usage = {
      input: {},
      output: { total: 3 },
      serverTools: { web_search_requests: 2, web_fetch_requests: 4, unknown: 9, constructor: 1, __proto__: 1 },
    };
    expect(chargeFor(price, usage, { markupPpm: 1_000_000, serviceTier: "flex" })).toMatchObject({
      total: (3n + 5n + 20n) * 2n,
      lines: [
        { kind: "tokens", amount: 6n },
        { kind: "request", each: 5n, amount: 10n },
        { kind: "server-tool", tool: "web_search_requests", uses: 2, each: 10n, amount: 40n },
      ],
    });
  });

  it("nothing used costs nothing", () => {
    expect(chargeFor(distinct, { input: {}, output: {} }, plain)).toEqual({ total: 0n, lines: [] });
    expect(chargeFor(distinct, { input: { uncached: -0 }, output: { total: 0 } }, plain).total).toBe(0n);
  });

  it("a long context changes the price of the whole call, output and cached tokens included", () => {
    const low = { input: 1_000_000n, output: 1_000_000n };
    const high = { input: 2_000_000n, output: 3_000_000n };
    const price = examplePrice(low, {
      tiers: [
        { aboveInputTokens: 0, prices: low },
        { aboveInputTokens: 100, prices: high },
      ],
    });
    const charge = (uncached: number, cacheRead: number) =>
      chargeFor(price, { input: { uncached, cacheRead }, output: { total: 10 } }, plain).total;
    expect(charge(100, 0)).toBe(110n);
    expect(charge(101, 0)).toBe(232n);
    expect(charge(1, 100)).toBe(232n);
  });

  it("a service tier costs by its factor or its own prices, an unpriced one as the ordinary one", () => {
    const price = examplePrice(
      { input: 4_000_000n, output: 0n },
      {
        serviceTiers: {
          flex: { multiplierPpm: 250_000 },
          priority: { tiers: [{ aboveInputTokens: 0, prices: { input: 9_000_000n, output: 0n } }] },
        },
      },
    );
    const costs = serviceTiers.map(
      (serviceTier) => chargeFor(price, { input: { uncached: 1 }, output: {} }, { markupPpm: 0, serviceTier }).total,
    );
    expect(costs).toEqual([4n, 1n, 9n, 4n]);
  });

  it.each([
    ["flex", "flex"],
    ["PRIORITY", "priority"],
    ["batch", "batch"],
    ["standard", "default"],
    ["auto", "default"],
    ["constructor", "default"],
    [undefined, "default"],
  ])("a provider's word %s means the tier %s", (word, tier) => {
    expect(serviceTierOf(word)).toBe(tier);
  });
});

describe("M9 no input makes a charge negative, fractional or wrapped", () => {
  it("the lines add up to the total, which is the exact sum rounded once", () => {
    fc.assert(
      fc.property(anyPriceVersion, anyUsage, anyTerms, (price, usage, terms) => {
        const { total, lines } = chargeFor(price, usage, terms);
        expect(lines.reduce((sum, line) => sum + line.amount, 0n)).toBe(total);
        expect(total).toBeGreaterThanOrEqual(0n);
        const multiplier = multiplierOf(price, terms.serviceTier);
        const exact = lines.map((line) => exactAmount(line, multiplier, BigInt(terms.markupPpm)));
        // Half up, and no line further from its exact amount than one nano-dollar.
        const twiceOff = 2n * (total * unit - exact.reduce((sum, each) => sum + each, 0n));
        expect(twiceOff > -unit && twiceOff <= unit).toBe(true);
        for (const [place, line] of lines.entries()) {
          const off = line.amount * unit - (exact[place] ?? 0n);
          expect(line.amount >= 0n && off > -unit && off < unit).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("half a nano-dollar is rounded up, once for the call and not for each line", () => {
    const price = examplePrice({ input: 500_000n, output: 500_000n, reasoning: 499_999n });
    const total = (uncached: number, output: BillableUsage["output"]) =>
      chargeFor(price, { input: { uncached }, output }, plain).total;
    expect(total(1, {})).toBe(1n);
    expect(total(1, { total: 1 })).toBe(1n);
    expect(total(0, { reasoning: 1 })).toBe(0n);
    expect(total(3, {})).toBe(2n);
  });

  it("what is left over goes to the lines that were cut most, the first first", () => {
    const price = examplePrice({ input: 300_000n, cacheRead: 600_000n, output: 600_000n });
    const { total, lines } = chargeFor(price, { input: { uncached: 1, cacheRead: 1 }, output: { total: 1 } }, plain);
    expect([total, ...lines.map((line) => line.amount)]).toEqual([2n, 0n, 1n, 1n]);
    const even = examplePrice({ input: 500_000n, cacheRead: 500_000n, output: 500_000n });
    const shared = chargeFor(even, { input: { uncached: 1, cacheRead: 1 }, output: { total: 1 } }, plain);
    expect(shared.lines.map((line) => line.amount)).toEqual([1n, 1n, 0n]);
  });

  it("the order in which counters are told changes nothing", () => {
    fc.assert(
      fc.property(anyPriceVersion, anyUsage, anyTerms, (price, usage, terms) => {
        const turned = {
          ...reversed(usage),
          input: reversed(usage.input),
          output: reversed(usage.output),
          ...(usage.serverTools ? { serverTools: reversed(usage.serverTools) } : {}),
        };
        expect(chargeFor(price, turned, terms)).toEqual(chargeFor(price, usage, terms));
      }),
    );
  });

  const max = Number.MAX_SAFE_INTEGER;
  const absurd = [
    -1,
    -max,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number("1e400"),
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    Number(18446744073686646784n),
  ];
  const counters: [string, (count: number) => BillableUsage][] = [
    ["uncached", (count) => ({ input: { uncached: count }, output: {} })],
    ["toolPrompt", (count) => ({ input: { toolPrompt: count }, output: {} })],
    ["cacheRead", (count) => ({ input: { cacheRead: count }, output: {} })],
    ["cacheWrite", (count) => ({ input: { cacheWrite: count }, output: {} })],
    ["cacheWrite5m", (count) => ({ input: { cacheWrite5m: count }, output: {} })],
    ["cacheWrite1h", (count) => ({ input: { cacheWrite1h: count }, output: {} })],
    ["inputAudio", (count) => ({ input: { uncached: 1 }, output: {}, inputAudio: count })],
    ["inputImage", (count) => ({ input: { uncached: 1 }, output: {}, inputImage: count })],
    ["total", (count) => ({ input: {}, output: { total: count } })],
    ["reasoning", (count) => ({ input: {}, output: { total: 1, reasoning: count } })],
    ["audio", (count) => ({ input: {}, output: { total: 1, audio: count } })],
    ["image", (count) => ({ input: {}, output: { total: 1, image: count } })],
    ["a server tool", (count) => ({ input: {}, output: {}, serverTools: { unpriced: count } })],
  ];
  it.each(counters)("%s that is no exact whole number is refused", (_name, usage) => {
    for (const count of absurd) {
      expect(() => chargeFor(distinct, usage(count), plain)).toThrow(
        expect.objectContaining({ name: "MoneyError", kind: "counter" }),
      );
    }
    // What is no number at all can come from a record that was read without a check.
    const text = JSON.parse('"5"');
    expect(() => chargeFor(distinct, usage(text), plain)).toThrow(expect.objectContaining({ kind: "counter" }));
  });

  it("counters that are exact but whose sum is not are refused", () => {
    for (const usage of [
      { input: { uncached: max, toolPrompt: 1 }, output: {} },
      { input: { uncached: max, cacheRead: 1 }, output: {} },
      { input: { cacheWrite: max, cacheWrite1h: max }, output: {} },
      { input: {}, output: { reasoning: max, audio: 1 } },
      { input: {}, output: {}, inputAudio: max, inputImage: max },
    ]) {
      expect(() => chargeFor(distinct, usage, plain)).toThrow(expect.objectContaining({ kind: "counter" }));
    }
  });

  it("the greatest counter is charged exactly, and refused where the books cannot hold it", () => {
    const usage = { input: { uncached: max }, output: {} };
    expect(chargeFor(examplePrice({ input: 999_000_000n, output: 0n }), usage, plain).total).toBe(BigInt(max) * 999n);
    const dear = examplePrice({ input: maxMoney, output: 0n });
    expect(() => chargeFor(dear, usage, plain)).toThrow(expect.objectContaining({ kind: "range" }));
    expect(chargeFor(dear, usage, { markupPpm: -1_000_000 }).total).toBe(0n);
    expect(chargeFor(dear, { input: { uncached: 1_000_000 }, output: {} }, plain).total).toBe(maxMoney);
    expect(() => chargeFor(dear, { input: { uncached: 1_000_001 }, output: {} }, plain)).toThrow(
      expect.objectContaining({ kind: "range" }),
    );
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, -1_000_001, 1_000_000_001])(
    "a markup of %d is refused",
    (markupPpm) => {
      expect(() => chargeFor(distinct, { input: {}, output: {} }, { markupPpm })).toThrow(
        expect.objectContaining({ name: "MoneyError", kind: "range" }),
      );
    },
  );
});

const unit = 10n ** 18n;

function multiplierOf(price: Parameters<typeof chargeFor>[0], tier: (typeof serviceTiers)[number]): bigint {
  const own = tier === "default" ? undefined : price.serviceTiers?.[tier];
  return own && "multiplierPpm" in own ? BigInt(own.multiplierPpm) : 1_000_000n;
}

/** The amount of a line before rounding, in units of 10^-18 nano-dollars, from what the line itself tells. */
function exactAmount(line: ReturnType<typeof chargeFor>["lines"][number], multiplier: bigint, markup: bigint): bigint {
  const whole = 1_000_000n + markup;
  switch (line.kind) {
    case "tokens":
      return BigInt(line.tokens) * line.perMillion * multiplier * whole;
    case "request":
      return line.each * 1_000_000_000_000n * whole;
    case "server-tool":
      return BigInt(line.uses) * line.each * 1_000_000_000_000n * whole;
  }
}

function reversed<T extends object>(counters: T): T {
  // The same entries in another order: the type cannot change.
  return Object.fromEntries(Object.entries(counters).reverse()) as T;
}
