import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitUsage } from "./billable-usage.ts";
import { chargeFor } from "./charge.ts";
import { maxMoney } from "./money.ts";
import type { PriceVersion } from "./price-version.ts";
import { serviceTiers } from "./service-tier.ts";
import { anyMarkup, anyPriceVersion, anyUsage, examplePrice } from "./testing/arbitrary-price.ts";
import { type TokenClass, tokenClasses } from "./token-class.ts";
import { affordableOutput, type CallBounds, worstCase } from "./worst-case.ts";

const few = fc.integer({ min: 0, max: 600 });
const some = fc.oneof(few, fc.integer({ min: 0, max: 5_000_000 }));
const toolBounds = fc.dictionary(fc.constantFrom("web_search_requests", "web_fetch_requests"), fc.nat({ max: 30 }));

/** Usages of one class of input and one of output each, at all lengths of input where a tier may end. */
function* extremes(price: PriceVersion, bounds: CallBounds) {
  const lengths = [
    price.tiers,
    ...Object.values(price.serviceTiers ?? {}).map((own) => ("tiers" in own ? own.tiers : [])),
  ]
    .flat()
    .map((tier) => tier.aboveInputTokens)
    .filter((length) => length < bounds.inputTokens);
  const uses = bounds.serverTools ?? {};
  for (const n of [...lengths, bounds.inputTokens]) {
    const inputs = [
      { input: { uncached: n } },
      { input: { uncached: n }, inputAudio: n },
      { input: { uncached: n }, inputImage: n },
      { input: { cacheRead: n } },
      { input: { cacheRead: n }, inputAudio: n },
      { input: { cacheRead: n }, inputImage: n },
      { input: { cacheWrite: n } },
      { input: { cacheWrite5m: n } },
      { input: { cacheWrite1h: n } },
    ];
    const total = bounds.outputTokens;
    const outputs = [{ total }, { total, reasoning: total }, { total, audio: total }, { total, image: total }];
    for (const input of inputs) for (const output of outputs) yield { ...input, output, serverTools: uses };
  }
}

describe("M5 M6 a charge is never above the worst case", () => {
  it("for any usage within the bounds", () => {
    fc.assert(
      fc.property(anyPriceVersion, anyUsage, few, few, anyMarkup, (price, usage, moreIn, moreOut, markupPpm) => {
        const split = splitUsage(usage);
        const bounds = {
          inputTokens: split.inputTokens + moreIn,
          outputTokens: split.outputTokens + moreOut,
          serverTools: usage.serverTools ?? {},
        };
        const worst = worstCase(price, bounds, markupPpm);
        for (const serviceTier of serviceTiers) {
          const { total } = chargeFor(price, usage, { markupPpm, serviceTier });
          expect(total).toBeLessThanOrEqual(worst);
          const only = worstCase(price, { ...bounds, serviceTiers: [serviceTier] }, markupPpm);
          expect(total).toBeLessThanOrEqual(only);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("and one of them reaches it: nothing is held back without need", () => {
    fc.assert(
      fc.property(
        anyPriceVersion,
        few,
        few,
        toolBounds,
        anyMarkup,
        (price, inputTokens, outputTokens, tools, markupPpm) => {
          const bounds = { inputTokens, outputTokens, serverTools: tools };
          let highest = 0n;
          for (const usage of extremes(price, bounds)) {
            for (const serviceTier of serviceTiers) {
              const { total } = chargeFor(price, usage, { markupPpm, serviceTier });
              if (total > highest) highest = total;
            }
          }
          expect(worstCase(price, bounds, markupPpm)).toBe(highest);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a short context that costs more than a long one counts up to its end", () => {
    const price = examplePrice(
      { input: 0n, output: 0n },
      {
        tiers: [
          { aboveInputTokens: 0, prices: { input: 10_000_000n, output: 1_000_000n } },
          { aboveInputTokens: 100, prices: { input: 1_000_000n, output: 1_000_000n } },
        ],
      },
    );
    expect(worstCase(price, { inputTokens: 101, outputTokens: 5 }, 0)).toBe(1005n);
    expect(worstCase(price, { inputTokens: 2000, outputTokens: 5 }, 0)).toBe(2005n);
  });

  it("classes that cannot occur are left out, and only those", () => {
    const price = examplePrice({
      input: 1_000_000n,
      inputAudio: 5_000_000n,
      output: 2_000_000n,
      outputImage: 9_000_000n,
    });
    const bounds = { inputTokens: 1, outputTokens: 1 };
    expect(worstCase(price, bounds, 0)).toBe(14n);
    expect(worstCase(price, { ...bounds, without: ["inputAudio", "cacheReadAudio"] }, 0)).toBe(10n);
    expect(worstCase(price, { ...bounds, without: ["inputAudio", "cacheReadAudio", "outputImage"] }, 0)).toBe(3n);
  });

  it("a usage without the classes left out stays within", () => {
    fc.assert(
      fc.property(anyPriceVersion, anyUsage, fc.subarray([...tokenClasses]), (price, usage, without) => {
        const split = splitUsage(usage);
        fc.pre(without.every((each: TokenClass) => split.tokens[each] === 0));
        const bounds = { ...split, serverTools: usage.serverTools ?? {}, without };
        expect(chargeFor(price, usage, { markupPpm: 0 }).total).toBeLessThanOrEqual(worstCase(price, bounds, 0));
      }),
    );
  });

  it("service tiers that may not be are left out", () => {
    const price = examplePrice(
      { input: 0n, output: 1_000_000n },
      { serviceTiers: { priority: { multiplierPpm: 3_000_000 } } },
    );
    expect(worstCase(price, { inputTokens: 0, outputTokens: 2 }, 0)).toBe(6n);
    expect(worstCase(price, { inputTokens: 0, outputTokens: 2, serviceTiers: ["default", "flex"] }, 0)).toBe(2n);
  });

  it.each([-1, 0.5, Number.NaN, Number("1e400"), 2 ** 53, Number(18446744073686646784n)])(
    "M9 a bound of %d is refused",
    (bound) => {
      const price = examplePrice({ input: 1n, output: 1n });
      for (const bounds of [
        { inputTokens: bound, outputTokens: 0 },
        { inputTokens: 0, outputTokens: bound },
        { inputTokens: 0, outputTokens: 0, serverTools: { any: bound } },
      ]) {
        expect(() => worstCase(price, bounds, 0)).toThrow(expect.objectContaining({ kind: "counter" }));
      }
      expect(() => affordableOutput(price, { inputTokens: bound }, 1n, 0)).toThrow(
        expect.objectContaining({ kind: "counter" }),
      );
    },
  );

  it("M9 what no account can hold is refused", () => {
    const price = examplePrice({ input: maxMoney, output: 0n });
    expect(worstCase(price, { inputTokens: 1_000_000, outputTokens: 0 }, 0)).toBe(maxMoney);
    expect(() => worstCase(price, { inputTokens: 1_000_001, outputTokens: 0 }, 0)).toThrow(
      expect.objectContaining({ kind: "range" }),
    );
  });
});

describe("M5 the output that a budget pays", () => {
  it("its worst case fits, and with one token more it does not", () => {
    const budgets = fc.oneof(fc.bigInt(0n, 5_000n), fc.bigInt(0n, maxMoney), fc.bigInt(0n, 10_000_000_000n));
    const kinds = { none: 0, some: 0, all: 0 };
    fc.assert(
      fc.property(
        anyPriceVersion,
        some,
        toolBounds,
        budgets,
        anyMarkup,
        (price, inputTokens, serverTools, budget, markupPpm) => {
          const bounds = { inputTokens, serverTools };
          const cost = (outputTokens: number) => {
            try {
              return worstCase(price, { ...bounds, outputTokens }, markupPpm);
            } catch {
              return maxMoney + 1n;
            }
          };
          const cap = affordableOutput(price, bounds, budget, markupPpm);
          kinds[cap === null ? "none" : cap === Number.MAX_SAFE_INTEGER ? "all" : "some"] += 1;
          if (cap === null) {
            expect(cost(0)).toBeGreaterThan(budget);
            return;
          }
          expect(cost(cap)).toBeLessThanOrEqual(budget);
          if (cap < Number.MAX_SAFE_INTEGER) expect(cost(cap + 1)).toBeGreaterThan(budget);
        },
      ),
      { numRuns: 2000 },
    );
    // All three answers were met.
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(20);
  });

  it("the half nano-dollar that is rounded up counts against it", () => {
    const price = examplePrice({ input: 0n, output: 500_000n });
    expect(affordableOutput(price, { inputTokens: 0 }, 0n, 0)).toBe(0);
    expect(affordableOutput(price, { inputTokens: 0 }, 1n, 0)).toBe(2);
  });

  it("nothing fits into less than nothing", () => {
    expect(affordableOutput(examplePrice({ input: 0n, output: 1n }), { inputTokens: 0 }, -1n, 0)).toBeNull();
  });

  it("a budget above what the books hold is not more than that", () => {
    const price = examplePrice({ input: 0n, output: maxMoney });
    expect(affordableOutput(price, { inputTokens: 0 }, 10n * maxMoney, 0)).toBe(1_000_000);
  });
});
