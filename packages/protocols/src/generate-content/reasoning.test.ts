import { describe, expect, it } from "vitest";
import type { CanonicalRequest } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { encode } from "../testing/generate-content-request-fixture.ts";

describe("2.2 reasoning by level, by budget, or not at all (L22)", () => {
  const thinking = (reasoning: CanonicalRequest["reasoning"], model: string) => {
    const { body, notices } = encode({ ...(reasoning ? { reasoning } : {}) }, model);
    return [isObject(body.generationConfig) ? body.generationConfig.thinkingConfig : undefined, notices.length];
  };
  it.each([
    [{ effort: "none" }, "gemini-3-flash", { thinkingLevel: "MINIMAL" }, 1],
    [{ effort: "medium" }, "gemini-3-pro-preview", { thinkingLevel: "HIGH" }, 1],
    [{ effort: "max" }, "gemini-3-flash", { thinkingLevel: "HIGH" }, 1],
    [{ effort: "low", show: "summary" }, "gemini-3-flash", { thinkingLevel: "LOW", includeThoughts: true }, 0],
    [{ budgetTokens: 8000 }, "gemini-3-flash", { thinkingLevel: "MEDIUM" }, 1],
    [{ adaptive: true }, "gemini-3-flash", undefined, 0],
    [{ effort: "none" }, "gemini-2.5-flash", { thinkingBudget: 0 }, 0],
    [{ effort: "none" }, "gemini-2.5-pro", { thinkingBudget: 128 }, 1],
    [{ effort: "high" }, "gemini-2.5-flash", { thinkingBudget: 24576 }, 0],
    [{ effort: "max" }, "gemini-2.5-pro", { thinkingBudget: 32768 }, 0],
    [{ adaptive: true }, "gemini-2.5-flash", { thinkingBudget: -1 }, 0],
    [{ budgetTokens: 100 }, "gemini-2.5-flash-lite", { thinkingBudget: 512 }, 1],
    [{ effort: "high" }, "gemini-2.0-flash", undefined, 1],
    [{ effort: "none" }, "gemini-2.0-flash", undefined, 0],
  ] as const)("%o on %s", (reasoning, model, expected, notices) => {
    expect(thinking(reasoning, model)).toEqual([expected, notices]);
  });
});
