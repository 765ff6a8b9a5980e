import { describe, expect, test } from "vitest";
import type { Finish, FinishReason, JsonObject, JsonValue, Part, Usage } from "../canonical/index.ts";
import { chatDelta } from "../testing/chat-completions-fixture.ts";
import { answer, done, errorOf, parts, read } from "../testing/chat-completions-stream-fixture.ts";
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

describe("whole answers, by server and trait (chat-completions.md 12)", () => {
  type Row = [server: string, trait: string, message: JsonObject, parts: unknown[]];
  const rows: Row[] = [
    [
      "vLLM",
      "reasoning, and no calls in a list",
      { content: "a", reasoning: "Hm.", tool_calls: [] },
      [reasoning("Hm."), text("a")],
    ],
    ["DeepSeek", "reasoning_content", { content: "a", reasoning_content: "Hm." }, [reasoning("Hm."), text("a")]],
    [
      "any",
      "the same thought under both names",
      { content: "a", reasoning: "Hm.", reasoning_content: "Hm." },
      [reasoning("Hm."), text("a")],
    ],
    [
      "Mistral",
      "content as a list with thinking parts",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
          { type: "text", text: "a" },
        ],
      },
      [reasoning("Hm."), text("a")],
    ],
    [
      "OpenRouter",
      "reasoning and reasoning_details side by side are one text",
      { content: "a", reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm.", index: 0 }] },
      [expect.objectContaining({ type: "reasoning", text: "Hm." }), text("a")],
    ],
    [
      "Gemini",
      "calls without ids, one of them signed",
      {
        content: null,
        tool_calls: [
          call("f", "{}", { id: "", extra_content: { google: { thought_signature: "sig" } } }),
          call("g", "{}"),
        ],
      },
      [{ ...toolCall("f", "{}"), proof: { family: "gemini", kind: "signature", value: "sig" } }, toolCall("g", "{}")],
    ],
    [
      "any",
      "one id for all calls",
      { tool_calls: [call("f", "{}", { id: "c" }), call("g", "{}", { id: "c" })] },
      [toolCall("f", "{}", "c"), toolCall("g", "{}")],
    ],
    [
      "Ollama",
      "arguments that are parsed",
      { tool_calls: [{ id: "c", function: { name: "f", arguments: { a: 1 } } }] },
      [toolCall("f", '{"a":1}', "c")],
    ],
  ];

  test.each(rows)("%s: %s", (_server, _trait, message, parts) => {
    const { candidates } = decodeResponse({ id: "x", choices: [{ index: 0, message, finish_reason: "stop" }] });
    expect(candidates[0]?.parts).toEqual(parts);
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
