import { protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { simChannel, startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
});
afterAll(() => test[Symbol.asyncDispose]());

/** The same answer as each family streams it. */
const streams = {
  "chat-completions": [
    {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta: { content: "Hello there" }, finish_reason: null }],
    },
    {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    },
    {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    },
  ],
  responses: [
    { type: "response.created", response: response("in_progress", []) },
    {
      type: "response.completed",
      response: response("completed", [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Hello there", annotations: [] }],
        },
      ]),
    },
  ],
  messages: [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello there" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ],
  "generate-content": [
    {
      candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Hello there" }] }, finishReason: "STOP" }],
      responseId: "g",
      modelVersion: "m",
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 },
    },
  ],
} as const;

function response(status: string, output: unknown[]) {
  const usage = { input_tokens: 5, output_tokens: 3, total_tokens: 8 };
  return { id: "resp_1", object: "response", created_at: 1, model: "m", status, output, usage };
}

const pairs = protocolNames.flatMap((client) => protocolNames.map((upstream) => [client, upstream] as const));

describe("S34 a host that streams whatever it is asked", () => {
  it.each(pairs)("to %s from %s: the caller who wanted no stream has a whole answer", async (client, upstream) => {
    const body = streams[upstream].map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
    test.sim.setScript({ fault: { kind: "replay", contentType: "text/event-stream", body } });
    const { path, body: asked } = clientCall(client, `to-${upstream}`, false);
    const got = await test.post(path, asked);
    expect(got.headers.get("content-type")).toContain("application/json");
    expect(got.status).toBe(200);
    expect(JSON.stringify(await got.json())).toContain("Hello there");
    const [record] = await test.calls();
    expect(record).toMatchObject({ outcome: "succeeded", usage: { input: { uncached: 5 }, output: { total: 3 } } });
  });

  it.each(pairs)("to %s from %s: a stream that broke off is no answer", async (client, upstream) => {
    const [first] = streams[upstream];
    const begun =
      upstream === "generate-content"
        ? { ...first, candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Hello" }] } }] }
        : first;
    test.sim.setScript({
      fault: { kind: "replay", contentType: "text/event-stream", body: `data: ${JSON.stringify(begun)}\n\n` },
    });
    const { path, body } = clientCall(client, `to-${upstream}`, false);
    const got = await test.post(path, body);
    expect(got.status).toBe(client === "generate-content" ? 503 : 502);
    const [record] = await test.calls();
    expect(record).toMatchObject({ outcome: "failed", errorKind: "upstream_incomplete" });
  });
});

it("L35 an upstream that cannot be reached leaves neither its address nor a key in an answer or in the log", async () => {
  await using away = await startTestGateway({
    channels: (simUrl) =>
      protocolNames.map((name) => simChannel(simUrl, name, { baseUrl: "http://127.0.0.1:9/secret-path" })),
  });
  for (const client of protocolNames) {
    for (const stream of [false, true]) {
      const { path, body } = clientCall(client, "to-messages", stream);
      const got = await away.post(path, body);
      const told = `${JSON.stringify([...got.headers])}${await got.text()}`;
      expect(got.status).toBeGreaterThanOrEqual(500);
      expect(told).not.toMatch(/127\.0\.0\.1:9|secret-path|provider-secret|ECONNREFUSED/);
    }
  }
  expect(away.log.join("\n")).not.toMatch(/provider-secret|secret-path/);
  expect(away.log.join("\n")).not.toContain(testKey);
});
