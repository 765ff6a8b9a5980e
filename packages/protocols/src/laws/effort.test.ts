import { describe, expect, test } from "vitest";
import { type Effort, type JsonObject, type JsonValue, type ProtocolName, protocolNames } from "../canonical/index.ts";
import { capabilitiesOf as ofChat } from "../chat-completions/capabilities.ts";
import { codecs } from "../codecs.ts";
import { capabilitiesOf as ofGemini } from "../generate-content/capabilities.ts";
import { capabilitiesOf as ofMessages } from "../messages/capabilities.ts";
import { capabilitiesOf as ofResponses } from "../responses/capabilities.ts";
import { ladder } from "../shared/effort.ts";
import { isObject } from "../shared/read.ts";

/** The laws of the ladder (conversion.md 2.2) over the models that the tables of capabilities know. */
const models: Record<ProtocolName, readonly string[]> = {
  "chat-completions": [
    "gpt-4.1",
    "gpt-5",
    "gpt-5.1",
    "gpt-5.2",
    "o3",
    "grok-3-mini",
    "deepseek-chat",
    "qwen3",
    "other",
  ],
  responses: ["gpt-4.1", "gpt-5", "gpt-5.1", "gpt-5.2", "gpt-5.6", "o3", "gpt-5-codex", "other"],
  messages: [
    ...["claude-3-5-haiku", "claude-3-7-sonnet", "claude-sonnet-4-5", "claude-opus-4-5", "claude-opus-4-6"],
    ...["claude-opus-4-7", "claude-opus-5", "claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "other"],
  ],
  "generate-content": [
    ...["gemini-2.0-flash", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro"],
    ...["gemini-3-pro-preview", "gemini-3.1-pro", "gemini-3-flash", "other"],
  ],
};
const all = protocolNames.flatMap((protocol) => models[protocol].map((model) => [protocol, model] as const));
const words: readonly string[] = ladder;
const limit = 60_000;

function encoded(protocol: ProtocolName, model: string, reasoning?: { effort?: Effort; budgetTokens?: number }) {
  return codecs[protocol].encodeRequest(
    {
      model: "m",
      stream: false,
      turns: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
      tools: [],
      sampling: {},
      stopSequences: [],
      maxOutputTokens: limit,
      ...(reasoning ? { reasoning } : {}),
    },
    { model, stream: false },
  );
}

function at(value: JsonValue | undefined, ...keys: string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>((here, key) => (isObject(here) ? here[key] : undefined), value);
}

const gemini = (body: JsonObject, key: string) => at(body, "generationConfig", "thinkingConfig", key);

function saysOff(body: JsonObject): boolean {
  const type = at(body, "thinking", "type");
  return (
    body.reasoning_effort === "none" ||
    body.enable_thinking === false ||
    at(body, "reasoning", "effort") === "none" ||
    type === "disabled" ||
    type === "between_tools" ||
    gemini(body, "thinkingBudget") === 0
  );
}

/** Whether a model that is told nothing about thinking may think. */
function thinksUnasked(protocol: ProtocolName, model: string): boolean {
  const context = { model, stream: false };
  switch (protocol) {
    case "chat-completions":
      return ofChat(context).efforts.length > 0;
    case "responses":
      return ofResponses(context).reasoning;
    case "messages":
      return ofMessages(context).omittedThinking === "adaptive";
    case "generate-content":
      return ofGemini(context).thinking !== "none";
  }
}

/** How hard the body asks the model to think: steps by their place on the ladder, budgets by their tokens. */
function strength(body: JsonObject): number {
  const step =
    body.reasoning_effort ??
    at(body, "reasoning", "effort") ??
    at(body, "output_config", "effort") ??
    gemini(body, "thinkingLevel");
  if (typeof step === "string") return words.indexOf(step.toLowerCase());
  const budget = at(body, "thinking", "budget_tokens") ?? gemini(body, "thinkingBudget");
  return typeof budget === "number" ? budget : -1;
}

describe("L22", () => {
  test.each(all)("%s, %s: a wish for no thinking is never a field left out that means thinking", (protocol, model) => {
    for (const wish of [{ effort: "none" }, { budgetTokens: 0 }] as const) {
      const { body, notices } = encoded(protocol, model, wish);
      const silent = !saysOff(body) && notices.length === 0;
      if (silent) expect([body, thinksUnasked(protocol, model)]).toEqual([encoded(protocol, model).body, false]);
    }
  });

  test.each(all)("%s, %s: who wishes more never gets less", (protocol, model) => {
    const steps = ladder.slice(1).map((effort) => strength(encoded(protocol, model, { effort }).body));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    const budgets = [1, 1024, 1537, 5121, 12_289, 20_481, 28_673, 50_000];
    const strengths = budgets.map((budgetTokens) => strength(encoded(protocol, model, { budgetTokens }).body));
    expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
  });

  test.each(all)("%s, %s: no wish to think raises what the caller lets a model write", (protocol, model) => {
    for (const effort of ladder) {
      const { body } = encoded(protocol, model, { effort });
      const written = [body.max_tokens, body.max_completion_tokens, body.max_output_tokens];
      const most = [...written, at(body, "generationConfig", "maxOutputTokens")].filter((value) => value !== undefined);
      expect(most).toHaveLength(1);
      expect(Number(most[0])).toBeLessThanOrEqual(limit);
      expect(strength({ thinking: body.thinking })).toBeLessThan(Number(most[0]));
    }
  });

  test.each(all)("%s, %s: one wish is told of at most once", (protocol, model) => {
    for (const effort of ladder) {
      const { notices } = encoded(protocol, model, { effort });
      expect(notices.filter(({ field }) => field === "reasoning_effort").length).toBeLessThan(2);
    }
  });
});
