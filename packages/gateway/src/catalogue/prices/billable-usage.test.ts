import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BillableUsage, splitUsage } from "./billable-usage.ts";
import { anyUsage } from "./testing/arbitrary-price.ts";
import type { TokenClass } from "./token-class.ts";

describe("M9 every token falls into one class", () => {
  it.each<[string, BillableUsage, Partial<Record<TokenClass, number>>]>([
    [
      "audio comes out of the uncached input",
      { input: { uncached: 9 }, output: {}, inputAudio: 4 },
      { input: 5, inputAudio: 4 },
    ],
    [
      "then out of the cache reads",
      { input: { uncached: 3, cacheRead: 5 }, output: {}, inputAudio: 4, inputImage: 2 },
      { inputAudio: 3, cacheRead: 2, cacheReadAudio: 1, cacheReadImage: 2 },
    ],
    [
      "more audio than input is cut",
      { input: { uncached: 1, cacheWrite5m: 2 }, output: {}, inputAudio: 50 },
      { inputAudio: 1, cacheWrite5m: 2 },
    ],
    [
      "audio alone is the input",
      { input: {}, output: {}, inputAudio: 4, inputImage: 1 },
      { inputAudio: 4, inputImage: 1 },
    ],
    ["an input of 0 that was told stays 0", { input: { uncached: 0 }, output: {}, inputAudio: 4 }, {}],
    [
      "reasoning, audio and image are parts of the output",
      { input: {}, output: { total: 10, reasoning: 3, audio: 2, image: 1 } },
      { output: 4, reasoning: 3, outputAudio: 2, outputImage: 1 },
    ],
    [
      "more parts than output are cut",
      { input: {}, output: { total: 4, reasoning: 3, audio: 2, image: 1 } },
      { reasoning: 3, outputAudio: 1 },
    ],
    ["parts alone are the output", { input: {}, output: { reasoning: 3, image: 1 } }, { reasoning: 3, outputImage: 1 }],
  ])("%s", (_law, usage, expected) => {
    const { tokens } = splitUsage(usage);
    expect(Object.fromEntries(Object.entries(tokens).filter(([, count]) => count > 0))).toEqual(expected);
  });

  it("the classes add up to the input that was read and the output that was written", () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        const { tokens, inputTokens, outputTokens } = splitUsage(usage);
        const all = Object.values(tokens);
        expect(all.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        expect(all.reduce((sum, count) => sum + count, 0)).toBe(inputTokens + outputTokens);
        if (usage.output.total !== undefined) expect(outputTokens).toBe(usage.output.total);
        const told = Object.values(usage.input);
        if (told.length > 0) expect(inputTokens).toBe(told.reduce((sum, count) => sum + count, 0));
      }),
    );
  });
});
