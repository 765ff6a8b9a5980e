import type { ProtocolName } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
});
afterAll(() => test[Symbol.asyncDispose]());

const sse = (frames: readonly unknown[]) => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");

const gemini = (parts: unknown[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}) }],
  responseId: "g",
  modelVersion: "m",
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
});
const chat = (delta: unknown, finish_reason: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const half = { index: 0, id: "call_1", type: "function", function: { name: "read", arguments: '{"path":' } };

/** Answers that say that they are whole, of a model that failed to write its call. */
const streams: [string, ProtocolName, unknown[], ProtocolName[]][] = [
  [
    "Gemini's failed call behind a good one",
    "generate-content",
    [gemini([{ functionCall: { name: "read", args: {} } }]), gemini([], "MALFORMED_FUNCTION_CALL")],
    ["chat-completions", "responses", "messages"],
  ],
  [
    "Gemini's failed call alone",
    "generate-content",
    [gemini([], "MALFORMED_FUNCTION_CALL")],
    ["chat-completions", "responses", "messages"],
  ],
  [
    "a call that ends in the middle of its JSON",
    "chat-completions",
    [chat({ role: "assistant", tool_calls: [half] }), chat({}, "tool_calls")],
    ["responses", "messages"],
  ],
];

const goodEnd = /\[DONE\]|message_stop|response\.completed|"finish_reason":"/;

async function send(client: ProtocolName, upstream: ProtocolName, stream: boolean) {
  const { path, body } = clientCall(client, `to-${upstream}`, stream);
  const response = await test.post(path, body);
  const text = await response.text();
  const record = (await test.calls()).find(({ id }) => id === response.headers.get("x-request-id"));
  return { status: response.status, text, record };
}

describe("S24 an answer that the caller is told has failed is recorded as failed", () => {
  for (const [name, upstream, frames, clients] of streams) {
    it.each(clients)(`${name}, streamed to %s`, async (client) => {
      const text = [
        ...frames.map((frame) => sse([frame])),
        ...(upstream === "chat-completions" ? ["data: [DONE]\n\n"] : []),
      ];
      const body = text.map((frame) => Buffer.from(frame));
      test.sim.setScript({ fault: { kind: "replay", contentType: "text/event-stream", body } });
      const { status, text: shown, record } = await send(client, upstream, true);
      expect(status).toBe(200);
      expect(shown).toMatch(/"error":\{|response\.failed/);
      expect(shown).not.toMatch(goodEnd);
      expect(record).toMatchObject({ outcome: "upstream_incomplete", errorKind: "upstream_bad", lane: "converted" });
    });
  }

  it.each(["chat-completions", "responses", "messages"] as const)("whole, to %s: a 502 of its own", async (client) => {
    const body = JSON.stringify(gemini([], "MALFORMED_FUNCTION_CALL"));
    test.sim.setScript({ fault: { kind: "replay", contentType: "application/json", body } });
    const { status, text, record } = await send(client, "generate-content", false);
    expect(status).toBe(502);
    expect(text).toContain("failed to write its answer");
    expect(record).toMatchObject({ outcome: "failed", errorKind: "upstream_bad", status: 502 });
  });
});
