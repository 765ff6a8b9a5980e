import { describe, expect, test } from "vitest";
import type { CanonicalError, Finish, FinishReason, JsonObject, JsonValue, Part, Usage } from "../canonical/index.ts";
import { chatDelta } from "../testing/chat-completions-fixture.ts";
import { answer, done, errorOf, parts, read } from "../testing/chat-completions-stream-fixture.ts";
import { decodeError } from "./error.ts";
import { decodeResponse } from "./response-decoder.ts";

const call = (name: string, args: string, more: JsonObject = {}): JsonObject => ({
  function: { name, arguments: args },
  ...more,
});
const calls = (...entries: JsonObject[]) => chatDelta({ tool_calls: entries });
const toolCall = (name: string, args: string, callId: unknown = expect.stringMatching(/^call_/)) =>
  ({ type: "tool-call", name, arguments: args, callId, toolKind: "function" }) as unknown as Part;
const text = (value: string): Part => ({ type: "text", text: value });
const reasoning = (value: string): Part => ({ type: "reasoning", text: value });
const end = chatDelta({}, "stop");
const toolEnd = chatDelta({}, "tool_calls");

describe("streams, by server and trait (chat-completions.md 12)", () => {
  type Row = [server: string, trait: string, chunks: (JsonObject | string)[], parts: unknown[]];
  const rows: Row[] = [
    [
      "vLLM",
      "reasoning",
      [chatDelta({ reasoning: "Hm." }), chatDelta({ content: "Yes" }), end, done],
      [reasoning("Hm."), text("Yes")],
    ],
    [
      "vLLM",
      "reasoning_content of older releases",
      [chatDelta({ reasoning_content: "Hm." }), end, done],
      [reasoning("Hm.")],
    ],
    [
      "vLLM",
      "a call's arguments in one piece, and a stop_reason beside the finish",
      [
        calls(call("f", '{"a":1}', { index: 0, id: "c1", type: "function" })),
        { ...toolEnd, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls", stop_reason: 128009 }] },
        done,
      ],
      [toolCall("f", '{"a":1}', "c1")],
    ],
    [
      "llama.cpp",
      "the id inside the function of older builds",
      [calls({ index: 0, function: { id: "x", name: "f", arguments: "{}" } }), toolEnd, done],
      [toolCall("f", "{}")],
    ],
    [
      "llama.cpp",
      "timings on the last chunk",
      [chatDelta({ content: "a" }), { ...end, timings: { prompt_n: 3 } }, done],
      [text("a")],
    ],
    [
      "Ollama",
      "whole calls, every chunk with role and empty content",
      [
        chatDelta({ role: "assistant", content: "", tool_calls: [call("f", "{}", { index: 0, id: "c1" })] }),
        chatDelta({ role: "assistant", content: "" }, "tool_calls"),
        done,
      ],
      [toolCall("f", "{}", "c1")],
    ],
    [
      "Ollama",
      "content of null and of nothing opens no text",
      [chatDelta({ role: "assistant", content: null, reasoning: "Hm." }), chatDelta({ content: "" }), end, done],
      [reasoning("Hm.")],
    ],
    [
      "DeepSeek",
      "reasoning_content before the content, comments while it is queued",
      [
        chatDelta({ reasoning_content: "H", content: null }),
        chatDelta({ reasoning_content: "m" }),
        chatDelta({ content: "a" }),
        end,
        done,
      ],
      [reasoning("Hm"), text("a")],
    ],
    [
      "Mistral",
      "content as a list with thinking parts",
      [
        chatDelta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
        chatDelta({ content: [{ type: "text", text: "a" }] }),
        end,
        done,
      ],
      [reasoning("Hm."), text("a")],
    ],
    [
      "Mistral",
      "whole calls in one chunk",
      [
        calls(call("f", "{}", { id: "aaaaaaaaa", index: 0 }), call("g", "{}", { id: "bbbbbbbbb", index: 1 })),
        toolEnd,
        done,
      ],
      [toolCall("f", "{}", "aaaaaaaaa"), toolCall("g", "{}", "bbbbbbbbb")],
    ],
    ["xAI", "empty heartbeats", [chatDelta({}), chatDelta({ content: "a" }), chatDelta({}), end, done], [text("a")]],
    [
      "xAI",
      "chunks without the keys of finish and logprobs",
      [
        { id: "x", choices: [{ index: 0, delta: { content: "a" } }] },
        { id: "x", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        done,
      ],
      [text("a")],
    ],
    [
      "OpenRouter",
      "reasoning and reasoning_details side by side are one text",
      [
        chatDelta({ reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm.", index: 0 }] }),
        chatDelta({ content: "a" }),
        end,
        done,
      ],
      [expect.objectContaining({ type: "reasoning", text: "Hm." }), text("a")],
    ],
    [
      "Gemini",
      "no index, empty ids, whole calls, finish stop",
      [calls(call("f", '{"a":1}', { id: "" })), calls(call("g", "{}", { id: "" })), end, done],
      [toolCall("f", '{"a":1}'), toolCall("g", "{}")],
    ],
    [
      "Gemini",
      "a thought signature on a call",
      [calls(call("f", "{}", { id: "c1", extra_content: { google: { thought_signature: "sig" } } })), end, done],
      [{ ...toolCall("f", "{}", "c1"), proof: { family: "gemini", kind: "signature", value: "sig" } }],
    ],
    [
      "any",
      "choices missing or empty in the middle",
      [chatDelta({ content: "a" }), { id: "x", choices: [] }, { id: "x" }, end, done],
      [text("a")],
    ],
    [
      "any",
      "two calls under one index with two ids",
      [calls(call("f", "{}", { index: 0, id: "c1" })), calls(call("g", "{}", { index: 0, id: "c2" })), toolEnd, done],
      [toolCall("f", "{}", "c1"), toolCall("g", "{}", "c2")],
    ],
  ];

  test.each(rows)("%s: %s", (_server, _trait, chunks, expected) => {
    expect(parts(...chunks)).toEqual(expected);
  });

  test("calls without ids get ids of their own", () => {
    const ids = parts(calls(call("f", "{}")), calls(call("f", "{}")), end, done)?.map((part) =>
      part.type === "tool-call" ? part.callId : undefined,
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe("finishes, by server", () => {
  type Row = [server: string, word: string | null, withCall: boolean, reason: FinishReason];
  const rows: Row[] = [
    ["Gemini", "stop", true, "tool"],
    ["Mistral", "model_length", false, "context"],
    ["Anthropic", "max_tokens", false, "length"],
    ["Anthropic", "end_turn", false, "stop"],
    ["Anthropic", "stop_sequence", false, "stop_sequence"],
    ["Together", "eos", false, "stop"],
    ["TGI", "eos_token", false, "stop"],
    ["Gemini", "SAFETY", false, "filter"],
    ["Gemini", "recitation", false, "recitation"],
    ["Ollama", "load", false, "other"],
  ];
  test.each(rows)("%s: %s with a call %s is %s", (_server, word, withCall, reason) => {
    const first = withCall ? calls(call("f", "{}", { id: "c" })) : chatDelta({ content: "a" });
    expect(answer(first, chatDelta({}, word), done).candidates[0]?.finish.reason).toBe(reason);
  });

  test.each<[stopReason: JsonValue, finish: Finish]>([
    ["END", { reason: "stop_sequence", stopSequence: "END" }],
    [128009, { reason: "stop" }],
    [null, { reason: "stop" }],
  ])("vLLM: a stop beside the stop_reason %j, whole and streamed", (stop_reason, finish) => {
    const choice = { index: 0, finish_reason: "stop", stop_reason };
    const streamed = answer({ id: "x", choices: [{ ...choice, delta: { content: "a" } }] }, done);
    const whole = decodeResponse({ id: "x", choices: [{ ...choice, message: { content: "a" } }] });
    expect([streamed, whole].map(({ candidates }) => candidates[0]?.finish)).toEqual([finish, finish]);
  });

  test.each(["error", "insufficient_system_resource"])("DeepSeek, Mistral: %s is no end but an error", (word) => {
    expect(errorOf(read(chatDelta({ content: "a" }), chatDelta({}, word), done))).toBeDefined();
  });
});

describe("usage, by server", () => {
  type Row = [server: string, trait: string, chunks: JsonObject[], usage: Usage];
  const total = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const rows: Row[] = [
    [
      "Groq",
      "x_groq on the finish",
      [{ ...end, x_groq: { id: "r", usage: { ...total, queue_time: 0.1 } } }],
      { input: { uncached: 10 }, output: { total: 5 } },
    ],
    [
      "llama.cpp",
      "a chunk of its own, and the older one on the finish",
      [
        { ...end, usage: total },
        { ...end, choices: [], usage: total },
      ],
      { input: { uncached: 10 }, output: { total: 5 } },
    ],
    [
      "DeepSeek",
      "cache hits and misses",
      [{ ...end, usage: { ...total, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 } }],
      { input: { uncached: 6, cacheRead: 4 }, output: { total: 5 } },
    ],
    [
      "xAI",
      "reasoning beside the completion",
      [
        {
          ...end,
          usage: {
            prompt_tokens: 10,
            completion_tokens: 5,
            total_tokens: 22,
            completion_tokens_details: { reasoning_tokens: 7 },
          },
        },
      ],
      { input: { uncached: 10 }, output: { total: 12, reasoning: 7 } },
    ],
    [
      "xAI",
      "on the chunk before the last",
      [chatDelta({}, null, { usage: total }), end],
      { input: { uncached: 10 }, output: { total: 5 } },
    ],
    [
      "Gemini",
      "on every chunk",
      [
        chatDelta({ content: "b" }, null, { usage: { ...total, completion_tokens: 1, total_tokens: 11 } }),
        { ...end, usage: total },
      ],
      { input: { uncached: 10 }, output: { total: 5 } },
    ],
    [
      "any",
      "null behind a figure",
      [
        { ...end, usage: total },
        { ...end, choices: [], usage: null },
      ],
      { input: { uncached: 10 }, output: { total: 5 } },
    ],
  ];
  test.each(rows)("%s: %s", (_server, _trait, chunks, usage) => {
    expect(answer(chatDelta({ content: "a" }), ...chunks, done).usage).toEqual(usage);
  });
});

describe("errors, by server", () => {
  type Row = [server: string, status: number, body: JsonValue, error: Partial<CanonicalError>];
  const rows: Row[] = [
    [
      "llama.cpp",
      400,
      { error: { code: 400, message: "too long", type: "exceed_context_size_error" } },
      { kind: "context_too_long", message: "too long" },
    ],
    [
      "llama.cpp",
      503,
      { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
      { kind: "overloaded", message: "Loading model" },
    ],
    [
      "Ollama",
      404,
      { error: { message: "model not found", type: "not_found_error", param: null, code: null } },
      { kind: "not_found" },
    ],
    [
      "DeepSeek",
      402,
      { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } },
      { kind: "billing" },
    ],
    [
      "Mistral",
      422,
      {
        object: "error",
        message: { detail: [{ type: "extra_forbidden", loc: ["body", "user"] }] },
        type: "invalid_request_error",
        param: null,
        code: null,
      },
      { kind: "bad_request", message: expect.stringContaining("extra_forbidden") },
    ],
    [
      "Mistral",
      400,
      { object: "error", message: "Invalid model: x", type: "invalid_model", code: "1500" },
      { kind: "bad_request", message: "Invalid model: x" },
    ],
    [
      "xAI",
      400,
      { code: "Client specified an invalid argument", error: "bad argument" },
      { kind: "bad_request", message: "bad argument" },
    ],
    ["OpenRouter", 402, { error: { message: "More credits are required", code: 402 } }, { kind: "billing" }],
    [
      "Groq",
      400,
      { error: { message: "property 'x' is unsupported", type: "invalid_request_error" } },
      { kind: "bad_request" },
    ],
    [
      "Groq",
      413,
      { error: { message: "Request Entity Too Large", type: "invalid_request_error" } },
      { kind: "too_large" },
    ],
    [
      "Groq",
      498,
      { error: { message: "Flex tier capacity exceeded", type: "capacity_exceeded" } },
      { kind: "overloaded" },
    ],
    [
      "Gemini",
      429,
      [{ error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED" } }],
      { kind: "rate_limit", message: "Quota" },
    ],
    ["any", 500, "plain words", { message: "plain words" }],
  ];
  test.each(rows)("%s: %d", (_server, status, body, error) => {
    expect(decodeError({ status, headers: {}, body })).toMatchObject(error);
  });

  test("OpenRouter: a failure in the middle of a stream", () => {
    const failed = { ...chatDelta({ content: "" }, "error"), error: { code: 502, message: "Provider disconnected" } };
    expect(errorOf(read(chatDelta({ content: "a" }), failed, done))?.message).toBe("Provider disconnected");
  });

  test("OpenRouter: an error in an answer of status 200", () => {
    expect(() => decodeResponse({ error: { code: 429, message: "slow down" } })).toThrow("slow down");
  });

  test("any: a stream that ends without finish and mark is cut, never a stop", () => {
    expect(errorOf(read(chatDelta({ content: "a" })))?.kind).toBe("upstream_incomplete");
  });
});
