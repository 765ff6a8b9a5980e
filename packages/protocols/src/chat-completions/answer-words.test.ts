import { describe, expect, it } from "vitest";
import {
  canonicalError,
  type ErrorKind,
  type FinishReason,
  type JsonValue,
  type Part,
  type Usage,
} from "../canonical/index.ts";
import { answerContext, minimalRequest } from "../testing/chat-completions-fixture.ts";
import { recordings, recordingsPresent } from "../testing/recordings.ts";
import { decodeError, encodeError } from "./error.ts";
import { decodeFinish, encodeFinish } from "./finish.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

describe("usage (1.5.6)", () => {
  it.each<[string, JsonValue, Usage]>([
    [
      "cache reads are parts of the prompt",
      { prompt_tokens: 15305, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 15104 } },
      { input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } },
    ],
    [
      "and so are cache writes",
      {
        prompt_tokens: 7540,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 7537 },
      },
      { input: { uncached: 3, cacheRead: 0, cacheWrite: 7537 }, output: { total: 1 } },
    ],
    [
      "DeepSeek's hits and misses",
      { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 },
      { input: { uncached: 6, cacheRead: 4 }, output: { total: 1 } },
    ],
    [
      "cached tokens at the top",
      { prompt_tokens: 10, completion_tokens: 1, cached_tokens: 4 },
      { input: { uncached: 6, cacheRead: 4 }, output: { total: 1 } },
    ],
    [
      "reasoning beside the completion, as the total shows",
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 115,
        completion_tokens_details: { reasoning_tokens: 100 },
      },
      { input: { uncached: 10 }, output: { total: 105, reasoning: 100 } },
    ],
    [
      "reasoning inside the completion",
      { prompt_tokens: 10, completion_tokens: 105, total_tokens: 115, reasoning_tokens: 100 },
      { input: { uncached: 10 }, output: { total: 105, reasoning: 100 } },
    ],
    [
      "a counter that is not told is absent",
      { prompt_tokens: 3, completion_tokens: null },
      { input: { uncached: 3 }, output: {} },
    ],
    [
      "no counter is ever negative or more than the whole",
      { prompt_tokens: 3, completion_tokens: -1, prompt_tokens_details: { cached_tokens: 9 } },
      { input: { uncached: 0, cacheRead: 3 }, output: {} },
    ],
  ])("%s", (_name, told, usage) => {
    expect(decodeUsage(told)).toEqual(usage);
  });

  it("the total is the sum, and every input counter is part of the prompt (L14)", () => {
    const usage: Usage = {
      input: { uncached: 3, cacheRead: 5, cacheWrite5m: 7, cacheWrite1h: 11, toolPrompt: 13 },
      output: { total: 5200, reasoning: 5000 },
    };
    expect(encodeUsage(usage)).toEqual({
      prompt_tokens: 39,
      completion_tokens: 5200,
      total_tokens: 5239,
      prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 18 },
      completion_tokens_details: { reasoning_tokens: 5000 },
    });
  });
});

describe("finish reasons (1.5.7)", () => {
  it.each<[string, FinishReason]>([
    ["stop", "stop"],
    ["length", "length"],
    ["tool_calls", "tool"],
    ["function_call", "tool"],
    ["content_filter", "filter"],
    ["model_length", "context"],
    ["max_tokens", "length"],
    ["end_turn", "stop"],
    ["eos", "stop"],
    ["SAFETY", "filter"],
    ["insufficient_system_resource", "error"],
    ["toString", "other"],
    ["brand_new", "other"],
  ])("L24 %s reads as %s", (native, reason) => {
    expect(decodeFinish(native, false).reason).toBe(reason);
  });

  it("an unknown word keeps its spelling", () => {
    expect(decodeFinish("brand_new", false)).toEqual({ reason: "other", native: "brand_new" });
  });

  it.each<[FinishReason, string | undefined, boolean]>([
    ["stop", "stop", false],
    ["stop_sequence", "stop", false],
    ["tool", "tool_calls", false],
    ["length", "length", false],
    ["context", "length", false],
    ["filter", "content_filter", false],
    ["recitation", "content_filter", false],
    ["refusal", "content_filter", false],
    ["paused", "stop", true],
    ["malformed_tool", undefined, false],
    ["error", undefined, false],
    ["other", "stop", true],
  ])("L24 %s is written as %s", (reason, native, noticed) => {
    const encoded = encodeFinish({ reason }, { text: false, refusal: false, toolCall: false });
    expect(encoded?.native).toBe(native);
    expect(encoded?.notice !== undefined).toBe(noticed);
  });
});

describe("errors (1.5.8)", () => {
  it.each<[string, number, JsonValue | undefined, ErrorKind, string]>([
    [
      "wrapped",
      400,
      { error: { message: "Bad.", type: "invalid_request_error", param: "n", code: null } },
      "bad_request",
      "Bad.",
    ],
    [
      "flat",
      422,
      { object: "error", message: { detail: [{ msg: "extra" }] }, type: "x" },
      "bad_request",
      '{"detail":[{"msg":"extra"}]}',
    ],
    ["only a detail", 401, { detail: "Invalid API Key" }, "unauthenticated", "Invalid API Key"],
    ["a text in error", 400, { code: "x", error: "Bad." }, "bad_request", "Bad."],
    [
      "an array",
      429,
      [{ error: { code: 429, message: "Slow.", status: "RESOURCE_EXHAUSTED" } }],
      "rate_limit",
      "Slow.",
    ],
    ["a numeric code", 402, { error: { code: 402, message: "Pay." } }, "billing", "Pay."],
    [
      "a code that no number can be made of",
      402,
      { code: { toString: "", valueOf: 1 }, message: "Pay." },
      "billing",
      "Pay.",
    ],
    ["text", 500, "boom", "internal", "boom"],
    ["HTML", 502, "<html></html>", "upstream_bad", "The upstream answered with status 502."],
    ["nothing", 503, undefined, "overloaded", "The upstream answered with status 503."],
  ])("L25 %s", (_name, status, body, kind, message) => {
    expect(decodeError({ status, headers: {}, body })).toMatchObject({ kind, message });
  });

  it("retry-after is told in whole seconds", () => {
    const failure = { status: 429, headers: { "retry-after": "2" }, body: undefined };
    const encoded = encodeError(decodeError(failure), "req_1");
    expect(encoded.headers).toEqual({ "x-request-id": "req_1", "x-should-retry": "true", "retry-after": "2" });
  });

  it("has all four keys, and stops retries of what cannot succeed", () => {
    const encoded = encodeError(canonicalError("billing", "Empty."), "r");
    expect(encoded.body).toEqual({
      error: { message: "Empty.", type: "insufficient_quota", param: null, code: "insufficient_quota" },
    });
    expect(encoded).toMatchObject({ status: 403, headers: { "x-should-retry": "false" } });
  });

  it.skipIf(!recordingsPresent)("recorded errors keep the upstream's words", () => {
    const failed = recordings("chat-completions").filter(({ status, sse }) => status >= 400 && !sse);
    expect(failed.length).toBeGreaterThan(5);
    for (const { response, status } of failed) {
      const error = decodeError({ status, headers: {}, body: response });
      expect(JSON.stringify(response)).toContain(JSON.stringify(error.message).slice(1, 60).replace(/"$/, ""));
      expect(error.kind).not.toBe("upstream_bad");
    }
  });
});

describe("whole answers", () => {
  function answer(...parts: Part[]) {
    return { candidates: [{ index: 0, parts, finish: { reason: "stop" } as const }] };
  }

  it.each<[string, JsonValue]>([
    ["no object", "Hi"],
    ["no choices", { id: "x" }],
    ["empty choices", { choices: [] }],
    ["a choice without a message", { choices: [{}] }],
    ["a call without a name", { choices: [{ message: { tool_calls: [{ id: "a", function: {} }] } }] }],
    ["an error with status 200", { error: { message: "boom" } }],
  ])("%s is no answer", (_name, body) => {
    expect(() => decodeResponse(body)).toThrow();
  });

  it("have every key that the vendor always writes", () => {
    const encoded = encodeResponse(answer(), answerContext());
    expect(encoded).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "", refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
    });
  });

  it("calls without text have content null, and several texts are one", () => {
    const call: Part = { type: "tool-call", callId: "a", name: "f", toolKind: "function", arguments: "" };
    const [choice] = [encodeResponse(answer(call), answerContext()).choices].flat();
    expect(choice).toMatchObject({ message: { content: null, tool_calls: [{ function: { arguments: "{}" } }] } });
    const texts = encodeResponse(answer({ type: "text", text: "a" }, { type: "text", text: "b" }), answerContext());
    expect(JSON.stringify(texts)).toContain('"content":"ab"');
  });

  it("a provider's tool traffic is dropped with a notice, a picture is shown with one", () => {
    const context = answerContext();
    const encoded = encodeResponse(
      answer(
        { type: "server-tool", role: "call", tool: "web_search", protocol: "messages", payload: {} },
        { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
      ),
      context,
    );
    expect(context.notices.map((notice) => notice.verdict)).toEqual(["dropped", "approximated"]);
    expect(JSON.stringify(encoded)).toContain("data:image/png;base64,AAAA");
  });

  it("old-style functions are answered in today's form, and the client is told", () => {
    const context = answerContext({ clientBody: { functions: [{ name: "f" }] } });
    encodeResponse(answer(), context);
    expect(context.notices).toMatchObject([{ field: "functions", verdict: "approximated" }]);
  });

  it("a second candidate that nobody asked for is left out and told", () => {
    const two = { candidates: [0, 1].map((index) => ({ index, parts: [], finish: { reason: "stop" } as const })) };
    const context = answerContext();
    expect(encodeResponse(two, context).choices).toHaveLength(1);
    expect(context.notices).toMatchObject([{ field: "n" }]);
    expect(encodeResponse(two, answerContext({ request: minimalRequest({ candidates: 2 }) })).choices).toHaveLength(2);
  });

  it("calls without ids get ids that are unique and stable", () => {
    const calls = [0, 1].map(() => ({ function: { name: "f", arguments: "{}" } }));
    const read = (id: string) =>
      decodeResponse({ id, choices: [{ message: { tool_calls: calls } }] }).candidates[0]?.parts.map((part) =>
        part.type === "tool-call" ? part.callId : "",
      );
    expect(new Set([...(read("x") ?? []), ...(read("y") ?? [])]).size).toBe(4);
    expect(read("x")).toEqual(read("x"));
  });
});
