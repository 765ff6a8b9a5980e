import Anthropic from "@anthropic-ai/sdk";
import Anthropic0 from "anthropic0";
import { describe, expect, test } from "vitest";
import { type CanonicalResponse, canonicalError } from "../canonical/index.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { context, halved, part, start, write } from "../testing/messages-events-fixture.ts";
import { encodeError } from "./error.ts";
import { encodeResponse } from "./response-encoder.ts";

describe("the vendor's own clients read what is written", () => {
  const answer: CanonicalResponse = {
    id: "resp_1",
    model: "gpt-5",
    candidates: [
      {
        index: 0,
        parts: [
          { type: "reasoning", summary: ["Looking."], proof: { family: "openai", kind: "encrypted", value: "gAAAA" } },
          { type: "text", text: "Checking 日本 both." },
          { type: "tool-call", callId: "call_1", name: "f", toolKind: "function", arguments: '{"city": "Oslo"}' },
          { type: "tool-call", callId: "call_2", name: "f", toolKind: "function", arguments: "{}" },
        ],
        finish: { reason: "tool" },
      },
    ],
    usage: { input: { uncached: 12, cacheRead: 3 }, output: { total: 7, reasoning: 2 } },
  };
  const expected = {
    role: "assistant",
    stop_reason: "tool_use",
    content: [
      { type: "thinking", thinking: "Looking." },
      { type: "text", text: "Checking 日本 both." },
      { type: "tool_use", id: "call_1", name: "f", input: { city: "Oslo" } },
      { type: "tool_use", id: "call_2", name: "f", input: {} },
    ],
    usage: { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 7 },
  };
  const body = { model: "m", max_tokens: 100, messages: [{ role: "user" as const, content: "x" }] };
  const failing = [
    start,
    ...part({ type: "text" }, { type: "text", text: "x" }),
    { type: "error", error: canonicalError("overloaded", "Busy.") } as const,
  ];

  function answering(text: string, status = 200, type = "text/event-stream; charset=utf-8"): () => Promise<Response> {
    return async () => new Response(text, { status, headers: { "content-type": type, "request-id": "req_1" } });
  }

  interface Client {
    stream(): Promise<unknown>;
    create(): Promise<unknown>;
  }
  const versions: [string, (fetch: () => Promise<Response>) => Client][] = [
    [
      "1.x",
      (fetch) => {
        const { messages } = new Anthropic({ apiKey: "k", fetch, maxRetries: 0 });
        return { stream: () => messages.stream(body).finalMessage(), create: () => messages.create(body) };
      },
    ],
    [
      "0.x",
      (fetch) => {
        const { messages } = new Anthropic0({ apiKey: "k", fetch, maxRetries: 0 });
        return { stream: () => messages.stream(body).finalMessage(), create: () => messages.create(body) };
      },
    ],
  ];

  test.each(versions)("SDK %s, streaming", async (_version, client) => {
    const text = write(responseToEvents(answer).flatMap(halved));
    expect(await client(answering(text)).stream()).toMatchObject(expected);
  });

  test.each(versions)("SDK %s, whole", async (_version, client) => {
    const text = JSON.stringify(encodeResponse(answer, context()));
    expect(await client(answering(text, 200, "application/json")).create()).toMatchObject(expected);
  });

  test.each(versions)("SDK %s, an error inside the stream", async (_version, client) => {
    await expect(client(answering(write(failing))).stream()).rejects.toThrow("Busy.");
  });

  test.each(versions)("SDK %s, an error with a status", async (_version, client) => {
    const { status, body: error } = encodeError(canonicalError("overloaded", "Busy."), "req_1");
    const answered = client(answering(JSON.stringify(error), status, "application/json")).create();
    await expect(answered).rejects.toMatchObject({ status: 529, error: { error: { type: "overloaded_error" } } });
  });
});
