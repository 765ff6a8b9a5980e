import { describe, expect, test } from "vitest";
import type { CanonicalError, JsonValue } from "../canonical/index.ts";
import { chatDelta } from "../testing/chat-completions-fixture.ts";
import { done, errorOf, read } from "../testing/chat-completions-stream-fixture.ts";
import { decodeError } from "./error.ts";
import { decodeResponse } from "./response-decoder.ts";

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

  test.each<[server: string, frame: JsonValue]>([
    ["Gemini: a list", [{ error: { code: 503, message: "Try later.", status: "UNAVAILABLE" } }]],
    ["xAI: a text", { code: "unavailable", error: "Try later." }],
    ["llama.cpp: a number for a code", { error: { code: 500, message: "Try later.", type: "server_error" } }],
  ])("%s, in the middle of a stream", (_server, frame) => {
    expect(errorOf(read(chatDelta({ content: "a" }), JSON.stringify(frame), done))?.message).toBe("Try later.");
  });

  test("OpenRouter: an error in an answer of status 200", () => {
    expect(() => decodeResponse({ error: { code: 429, message: "slow down" } })).toThrow("slow down");
  });

  test("any: a stream that ends without finish and mark is cut, never a stop", () => {
    expect(errorOf(read(chatDelta({ content: "a" })))?.kind).toBe("upstream_incomplete");
  });
});
