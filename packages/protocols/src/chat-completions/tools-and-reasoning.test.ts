import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Dialect, Effort } from "../canonical/index.ts";
import { chatCompletions } from "./codec.ts";

const asked = (effort?: Effort, more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  model: "m",
  stream: false,
  turns: [{ role: "user", parts: [{ type: "text", text: "Read it." }] }],
  tools: [{ type: "function", name: "read", parameters: { type: "object" } }],
  sampling: {},
  stopSequences: [],
  ...(effort === undefined ? {} : { reasoning: { effort } }),
  ...more,
});
const upstream = (model: string, dialect?: Dialect) => ({ model, stream: false, ...(dialect ? { dialect } : {}) });

/** What is sent as the effort over chat completions, and whether the call had better go by responses. */
const rows: readonly [model: string, effort: Effort | undefined, sent: Effort | undefined, better: boolean][] = [
  ["gpt-5.2", "high", "high", false],
  ["gpt-5.4", undefined, undefined, false],
  ["gpt-5.4", "none", "none", false],
  ["gpt-5.4-mini", "low", "none", true],
  ["gpt-5.5", undefined, "none", true],
  ["gpt-5.5", "none", "none", false],
  ["gpt-5.6-terra", undefined, "none", true],
  ["gpt-5.6-terra", "high", "none", true],
  ["openai/gpt-5.6", "high", "high", false],
  ["some-model", "high", "high", false],
];

describe("tools and reasoning together, which the vendor's newer models refuse over chat completions", () => {
  test.each(rows)("%s asked for %s: sent %s, better by responses: %s", (model, effort, sent, better) => {
    const request = asked(effort);
    expect(chatCompletions.betterProtocol?.(request, upstream(model))).toBe(better ? "responses" : undefined);
    const { body, notices } = chatCompletions.encodeRequest(request, upstream(model));
    expect(body.reasoning_effort).toBe(sent);
    expect(notices.map(({ field, verdict }) => `${field} ${verdict}`)).toEqual(
      better ? ["reasoning_effort approximated"] : [],
    );
  });

  test("a server of another make takes both, and the operator has the last word", () => {
    expect(chatCompletions.betterProtocol?.(asked("high"), upstream("gpt-5.6", "openrouter"))).toBeUndefined();
    const told = { ...upstream("gpt-5.6"), capabilities: { toolsNeed: "nothing" } };
    expect(chatCompletions.encodeRequest(asked("high"), told).body.reasoning_effort).toBe("high");
  });

  test("without tools, or for several answers, nothing is better", () => {
    expect(chatCompletions.betterProtocol?.(asked("high", { tools: [] }), upstream("gpt-5.6"))).toBeUndefined();
    expect(chatCompletions.betterProtocol?.(asked("high", { candidates: 2 }), upstream("gpt-5.6"))).toBeUndefined();
  });
});
