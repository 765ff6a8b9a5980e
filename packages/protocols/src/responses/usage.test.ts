import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, Usage } from "../canonical/index.ts";
import { usage } from "../testing/arbitraries.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

describe("usage (1.5.6)", () => {
  test.each<[string, Usage, JsonObject]>([
    [
      "cache reads",
      { input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } },
      { input_tokens: 15305, output_tokens: 5, total_tokens: 15310 },
    ],
    [
      "cache writes",
      { input: { uncached: 3, cacheWrite: 7537 }, output: { total: 0 } },
      { input_tokens: 7540, total_tokens: 7540 },
    ],
    [
      "writes by lifetime",
      { input: { uncached: 3, cacheWrite5m: 7000, cacheWrite1h: 537 }, output: { total: 0 } },
      { input_tokens: 7540, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 7537 } },
    ],
    [
      "thinking",
      { input: { uncached: 10 }, output: { total: 5200, reasoning: 5000 } },
      { input_tokens: 10, output_tokens: 5200, output_tokens_details: { reasoning_tokens: 5000 }, total_tokens: 5210 },
    ],
    [
      "tool prompt",
      { input: { uncached: 10, toolPrompt: 5 }, output: { total: 1 } },
      { input_tokens: 15, total_tokens: 16 },
    ],
  ])("%s", (_name, counters, wire) => {
    expect(encodeUsage(counters)).toMatchObject(wire);
  });

  test("L14 decoded and written again, totals stay", () => {
    fc.assert(
      fc.property(usage({ cacheRead: true, cacheWrite: true, reasoning: true }), (counters) => {
        const wire = encodeUsage(counters);
        expect(decodeUsage(wire)).toEqual(counters);
      }),
    );
  });

  test("a counter not told is absent, a total below its parts is never negative, noise is no usage", () => {
    expect(decodeUsage({ input_tokens: 5, output_tokens: 2 })).toEqual({
      input: { uncached: 5 },
      output: { total: 2 },
    });
    expect(decodeUsage({ input_tokens: 5, input_tokens_details: { cached_tokens: 9 } })?.input.uncached).toBe(0);
    expect(decodeUsage({ input_tokens: "5" })).toBeUndefined();
    expect(decodeUsage(null)).toBeUndefined();
  });
});
