import { describe, expect, test } from "vitest";
import { decodeUsage, encodeUsage } from "./usage.ts";

describe("usage arithmetic (1.5.6)", () => {
  test("35, 36 reads: C prompt 15305 of which 15104 cached is M input 201, read 15104", () => {
    const told = { input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } };
    expect(encodeUsage(told)).toMatchObject({ input_tokens: 201, cache_read_input_tokens: 15104, output_tokens: 5 });
    expect(decodeUsage({ input_tokens: 201, cache_read_input_tokens: 15104, output_tokens: 5 })).toEqual(told);
  });

  test("writes: C prompt 7540 of which 7537 written is M input 3, creation 7537", () => {
    const told = { input: { uncached: 3, cacheWrite: 7537, cacheRead: 0 }, output: { total: 1 } };
    expect(encodeUsage(told)).toMatchObject({
      input_tokens: 3,
      cache_creation_input_tokens: 7537,
      cache_creation: null,
    });
  });

  test("Gemini thinking: candidates 200 and thoughts 5000 are output 5200 with 5000 thinking", () => {
    expect(encodeUsage({ input: { uncached: 10 }, output: { total: 5200, reasoning: 5000 } })).toMatchObject({
      input_tokens: 10,
      output_tokens: 5200,
      output_tokens_details: { thinking_tokens: 5000 },
    });
  });

  test("tool prompt tokens count as input", () => {
    expect(encodeUsage({ input: { uncached: 10, toolPrompt: 5 }, output: {} }).input_tokens).toBe(15);
  });

  test("154 the sum of the cache writes is not counted beside its split", () => {
    const told = decodeUsage({
      input_tokens: 1,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 2,
    });
    expect(told.input).toEqual({ uncached: 1, cacheWrite5m: 10, cacheWrite1h: 20 });
    expect(decodeUsage({ cache_creation_input_tokens: 30, output_tokens: 2 }, told).input).toEqual({});
  });
});
