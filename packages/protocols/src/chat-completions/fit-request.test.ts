import { describe, expect, test } from "vitest";
import { type Dialect, type JsonObject, ProtocolError } from "../canonical/index.ts";
import { fitRequest } from "./fit-request.ts";

const context = (dialect: Dialect | undefined) => ({ model: "m", stream: false, dialect });
const messages = [{ role: "user", content: "Hi" }];

type Row = [dialect: Dialect, field: string, given: JsonObject, sent: JsonObject, told: string[]];

const rows: Row[] = [
  ["mistral", "the limit under its old name", { max_completion_tokens: 5 }, { max_tokens: 5 }, []],
  ["mistral", "of two limits the newer counts", { max_tokens: 9, max_completion_tokens: 5 }, { max_tokens: 5 }, []],
  ["mistral", "the same the other way round", { max_completion_tokens: 5, max_tokens: 9 }, { max_tokens: 5 }, []],
  ["mistral", "random_seed", { seed: 3 }, { random_seed: 3 }, []],
  ["mistral", "user", { user: "u", temperature: 0.5 }, { temperature: 0.5 }, ["user"]],
  ["mistral", "what other servers have", { min_p: 0.1, safe_prompt: true }, { safe_prompt: true }, ["min_p"]],
  ["mistral", "the wish for usage, which it tells anyway", { stream_options: { include_usage: true } }, {}, []],
  ["groq", "logit_bias", { logit_bias: { "1": 1 } }, {}, ["logit_bias"]],
  ["groq", "defaults are no loss", { n: 1, logprobs: false, store: false, metadata: null }, {}, []],
  ["ollama", "the limit under its old name", { max_completion_tokens: 5, user: "u" }, { max_tokens: 5, user: "u" }, []],
  ["deepseek", "the limit under its old name", { max_completion_tokens: 5 }, { max_tokens: 5 }, []],
];

describe("the same protocol on both sides, at a server that refuses some of it", () => {
  test.each(rows)("%s: %s", (dialect, _field, given, sent, told) => {
    const fitted = fitRequest({ model: "m", messages, ...given }, context(dialect));
    expect(fitted?.body).toEqual({ model: "m", messages, ...sent });
    expect(fitted?.notices.map(({ field, verdict }) => [field, verdict])).toEqual(
      told.map((field) => [field, "dropped"]),
    );
  });

  test("order and unknown fields are kept", () => {
    const body = { zeta: [1, { b: 2 }], model: "m", max_completion_tokens: 7, messages, alpha: null, user: "u" };
    const fitted = fitRequest(body, context("mistral"));
    expect(JSON.stringify(fitted?.body)).toBe(
      JSON.stringify({ zeta: [1, { b: 2 }], model: "m", max_tokens: 7, messages, alpha: null }),
    );
  });

  test.each<[Dialect, JsonObject, string]>([
    ["groq", { n: 2 }, "n"],
    ["groq", { logprobs: true }, "logprobs"],
    ["mistral", { logprobs: true, top_logprobs: 2 }, "logprobs"],
  ])("%s: what would be missed in the answer is refused: %j", (dialect, given, param) => {
    const fit = () => fitRequest({ model: "m", messages, ...given }, context(dialect));
    expect(fit).toThrow(ProtocolError);
    expect(fit).toThrow(expect.objectContaining({ error: expect.objectContaining({ param }) }));
  });

  test("mistral: messages without the fields that it refuses, ids of nine letters", () => {
    const given: JsonObject[] = [
      { role: "developer", content: "Be brief." },
      { role: "user", name: "ann", content: "Hi" },
      {
        role: "assistant",
        content: null,
        refusal: null,
        annotations: [],
        reasoning_content: "Hm.",
        tool_calls: [{ id: "call_0123456789", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_0123456789", name: "f", content: "x" },
      { role: "assistant", content: null, refusal: "No." },
    ];
    const fitted = fitRequest({ model: "m", messages: given }, context("mistral"));
    const id = expect.stringMatching(/^[a-z0-9]{9}$/i);
    expect(fitted?.body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: id, name: "f", content: "x" },
      { role: "assistant", content: "No." },
    ]);
    expect(fitted?.notices.map(({ field }) => field)).toEqual(["messages[1].name", "messages[2].reasoning_content"]);
  });

  test.each<[Dialect | undefined, JsonObject]>([
    [undefined, { max_completion_tokens: 5, user: "u", n: 2 }],
    ["openai", { max_tokens: 5, user: "u", n: 2 }],
    ["openrouter", { max_completion_tokens: 5, logprobs: true }],
    ["vllm", { user: "u", min_p: 1 }],
    ["mistral", { max_tokens: 5, temperature: 0, tools: [] }],
    ["groq", { max_completion_tokens: 5, user: "u", reasoning_format: "parsed" }],
    ["deepseek", { max_tokens: 5, user: "u", logit_bias: {} }],
  ])("%s: nothing to change, nothing is written anew: %j", (dialect, given) => {
    expect(fitRequest({ model: "m", messages, ...given }, context(dialect))).toBeUndefined();
  });

  test("an operator who knows better holds", () => {
    const capabilities = { strictFields: false, bothLimitFields: true };
    expect(fitRequest({ model: "m", messages, user: "u" }, { ...context("mistral"), capabilities })).toBeUndefined();
  });
});
