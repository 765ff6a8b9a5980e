import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { protocolNames } from "@interlingua/protocols";
import type { Script } from "@interlingua/upstream-sim";
import { describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { simChannel, startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

const text = { kind: "text", text: "One two three four five six seven eight nine ten." } as const;
const answer = (more: Partial<Script> = {}): Script => ({ steps: [text], ...more });

async function send(test: TestGateway, client: (typeof protocolNames)[number], model: string, stream: boolean) {
  const { path, body } = clientCall(client, model, stream);
  const response = await test.post(path, body);
  const id = response.headers.get("x-request-id");
  const answered = await response.text();
  return { status: response.status, headers: response.headers, text: answered, id };
}

async function recordOf(test: TestGateway, id: string | null) {
  const calls = (await test.calls()).filter((call) => call.id === id);
  expect(calls).toHaveLength(1);
  return calls[0];
}

/** Nothing in it may look like a good end. */
const goodEnd = /\[DONE\]|message_stop|response\.completed|"finishReason": ?"STOP"/;

describe("fail-over before the first byte (R1, R16)", () => {
  const both = (first: string) => (url: string) => [
    simChannel(first, "chat-completions", { name: "first", models: [{ id: "m", upstreamId: "sandbox" }] }),
    simChannel(url, "messages", { name: "second", models: [{ id: "m", upstreamId: "sandbox" }] }),
  ];

  it("goes from a refused connection to the next channel, in the other lane", async () => {
    await using test = await startTestGateway({ script: answer(), channels: both("http://127.0.0.1:1") });
    const { status, text: body, id } = await send(test, "chat-completions", "m", true);
    expect(status).toBe(200);
    expect(body).toMatch(/\[DONE\]/);
    expect(await recordOf(test, id)).toMatchObject({ channel: "second", lane: "converted", outcome: "succeeded" });
  });

  it.each([429, 500, 502, 503, 529, 401, 403])("goes from a %i to the next channel", async (status) => {
    await using test = await startTestGateway({
      script: (request) =>
        request.path.includes("chat") ? answer({ fault: { kind: "http-error", status } }) : answer(),
      channels: (url) => both(url)(url),
    });
    expect((await send(test, "chat-completions", "m", false)).status).toBe(200);
    expect(test.sim.requests.map((request) => request.path)).toEqual(["/v1/chat/completions", "/v1/messages"]);
  });

  it("does not try another channel for the caller's own mistake", async () => {
    await using test = await startTestGateway({
      script: answer({ fault: { kind: "http-error", status: 400 } }),
      channels: (url) => both(url)(url),
    });
    expect((await send(test, "chat-completions", "m", false)).status).toBe(400);
    expect(test.sim.requests).toHaveLength(1);
  });

  it("R11 tells the smallest wait where all are limited", async () => {
    await using test = await startTestGateway({
      script: (request) => {
        const wait = request.path.includes("chat") ? "5" : "60";
        return answer({ fault: { kind: "http-error", status: 429, headers: { "retry-after": wait } } });
      },
      channels: (url) => both(url)(url),
    });
    const { status, headers } = await send(test, "chat-completions", "m", false);
    expect({ status, wait: headers.get("retry-after") }).toEqual({ status: 429, wait: "5" });
  });

  it("never after the first byte (S26)", async () => {
    await using test = await startTestGateway({
      script: answer({ fault: { kind: "cut", afterEvents: 5 } }),
      channels: (url) => both(url)(url),
    });
    await send(test, "chat-completions", "m", true);
    expect(test.sim.requests).toHaveLength(1);
  });

  it("says 502 where nothing can be reached", async () => {
    await using test = await startTestGateway({ channels: (_url) => both("http://127.0.0.1:1")("http://127.0.0.1:1") });
    const { status, id } = await send(test, "chat-completions", "m", false);
    expect(status).toBe(502);
    expect(await recordOf(test, id)).toMatchObject({ outcome: "failed", errorKind: "upstream_bad" });
  });

  it("a disabled channel takes nothing, one under observation does", async () => {
    const disabled = { name: "off", status: "disabled", models: [{ id: "off" }] } as const;
    const observed = {
      name: "new",
      status: "under_observation",
      models: [{ id: "new", upstreamId: "sandbox" }],
    } as const;
    await using test = await startTestGateway({
      script: answer(),
      channels: (url) => [simChannel(url, "messages", disabled), simChannel(url, "messages", observed)],
    });
    expect((await send(test, "chat-completions", "off", false)).status).toBe(503);
    expect((await send(test, "chat-completions", "new", false)).status).toBe(200);
  });
});

describe("law 2: the direct lane changes nothing but the model", () => {
  it("sends the caller's own bytes on", async () => {
    await using test = await startTestGateway({ script: answer(), strict: false });
    const body = `{ "messages":[{"role":"user","content":"h\\u00e9 \u{1f600}"}],\n "seed": 7, "x_future":{"b":12345678901234567890,"a":2.50}, "model" : "to-chat-completions" }`;
    const response = await test.post("/v1/chat/completions", body);
    expect(response.status).toBe(200);
    const sent = Buffer.from(test.sim.requests[0]?.body ?? []).toString("utf8");
    expect(sent).toBe(body.replace('"to-chat-completions"', '"sandbox"'));
  });

  it("S5 headers pass by a list: the vendor's to its own protocol, nothing else, never the caller's key", async () => {
    await using test = await startTestGateway({ script: answer() });
    const { body } = clientCall("messages", "to-messages", false);
    const extra = {
      "anthropic-beta": "a-2025-01-01,b",
      "x-stainless-lang": "js",
      cookie: "c=1",
      "x-forwarded-for": "1.2.3.4",
    };
    await (await test.post("/v1/messages", body, extra)).arrayBuffer();
    await (await test.post("/v1/messages", { ...body, model: "to-chat-completions" }, extra)).arrayBuffer();
    const [direct, converted] = test.sim.requests.map((request) => request.headers);
    expect(direct).toMatchObject({ "anthropic-beta": "a-2025-01-01,b", "x-api-key": "provider-secret" });
    expect(converted).not.toHaveProperty("anthropic-beta");
    for (const headers of [direct, converted]) {
      for (const name of ["x-stainless-lang", "cookie", "x-forwarded-for"]) expect(headers).not.toHaveProperty(name);
      expect(JSON.stringify(headers)).not.toContain(testKey);
    }
  });

  it("hands on the upstream's frames byte for byte", async () => {
    const frames = [
      'data: {"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"x [DONE] y"},"finish_reason":null}],"x_new":1.50}\r\n\r\n',
      ': comment\n\ndata: {"id":"a","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
      'data: {"id":"a","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}\n\ndata: [DONE]\n\n',
    ].join("");
    for (const size of [1, 7, 1000]) {
      const fault = { kind: "replay", contentType: "text/event-stream", body: frames, chunkSizes: [size] } as const;
      await using test = await startTestGateway({ script: answer({ fault }) });
      const asked = {
        ...clientCall("chat-completions", "to-chat-completions", true).body,
        stream_options: { include_usage: true },
      };
      const response = await test.post("/v1/chat/completions", asked);
      expect(await response.text()).toBe(frames);
      const id = response.headers.get("x-request-id");
      const usage = { input: { uncached: 3 }, output: { total: 4 } };
      expect(await recordOf(test, id)).toMatchObject({ outcome: "succeeded", usage });
    }
  });

  it("meters a stream whose caller did not ask for usage, and does not show it", async () => {
    await using test = await startTestGateway({ script: answer({ usage: { input: 11, output: 7 } }) });
    const { text: body, id } = await send(test, "chat-completions", "to-chat-completions", true);
    expect(body).toMatch(/"finish_reason": ?"stop"[\s\S]*\[DONE\]\n\n$/);
    expect(body).not.toMatch(/"choices": ?\[\]|total_tokens/);
    expect(await recordOf(test, id)).toMatchObject({ usage: { input: { uncached: 11 }, output: { total: 7 } } });
  });

  it("S24 [DONE] behind an error does not make it a success", async () => {
    const frames =
      'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\ndata: {"error":{"message":"overloaded","type":"server_error"}}\n\ndata: [DONE]\n\n';
    const fault = { kind: "replay", contentType: "text/event-stream", body: frames } as const;
    await using test = await startTestGateway({ script: answer({ fault }) });
    const { text: body, id } = await send(test, "chat-completions", "to-chat-completions", true);
    expect(body).toContain("overloaded");
    expect(body).not.toContain("[DONE]");
    expect(await recordOf(test, id)).toMatchObject({ outcome: "upstream_incomplete" });
  });

  it("S23 a finish reason and a close without [DONE] is a good end", async () => {
    const frames = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n';
    const fault = { kind: "replay", contentType: "text/event-stream", body: frames } as const;
    await using test = await startTestGateway({ script: answer({ fault }) });
    const { text: body, id } = await send(test, "chat-completions", "to-chat-completions", true);
    expect(body).toBe(frames);
    expect(await recordOf(test, id)).toMatchObject({ outcome: "succeeded" });
  });

  it("a host that ignores the stream wish is turned into a stream", async () => {
    const whole = {
      id: "a",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "whole answer" }, finish_reason: "stop" }],
    };
    const fault = { kind: "replay", contentType: "application/json", body: JSON.stringify(whole) } as const;
    await using test = await startTestGateway({ script: answer({ fault }) });
    const { text: body, headers } = await send(test, "chat-completions", "to-chat-completions", true);
    expect(headers.get("content-type")).toContain("text/event-stream");
    expect(body).toMatch(/whole answer[\s\S]*\[DONE\]/);
  });
});

describe("law 1: nothing is lost silently", () => {
  const body = { ...clientCall("chat-completions", "to-messages", false).body, max_tokens: 64, logit_bias: { "5": 1 } };

  it("notices go into the header and the record", async () => {
    await using test = await startTestGateway({ script: answer() });
    const response = await test.post("/v1/chat/completions", body);
    expect(response.status).toBe(200);
    const told = JSON.parse(response.headers.get("x-interlingua-notices") ?? "[]");
    expect(told).toContainEqual(expect.objectContaining({ field: "logit_bias", verdict: "dropped" }));
    const call = await recordOf(test, response.headers.get("x-request-id"));
    expect(call?.notices).toEqual(told);
  });

  it.each([
    ["the request's wish", { "x-interlingua-lossy": "refuse" }, "allow"],
    ["the key's setting", {}, "refuse"],
  ] as const)("%s refuses the loss and names the field", async (_name, headers, lossy) => {
    await using test = await startTestGateway({ script: answer(), lossy });
    const response = await test.post("/v1/chat/completions", body, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "logit_bias" } });
    expect(test.sim.requests).toHaveLength(0);
    const direct = await test.post("/v1/chat/completions", { ...body, model: "to-chat-completions" }, headers);
    expect(direct.status).toBe(200);
  });
});

/** A call over a bare socket whose end the test decides. */
async function openCall(test: TestGateway, model: string): Promise<{ response: IncomingMessage; leave: () => void }> {
  const { path, body } = clientCall("messages", model, true);
  const request = httpRequest(test.address + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${testKey}`,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    },
  });
  request.end(JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("no response");
  response.on("error", () => undefined);
  return { response, leave: () => request.destroy() };
}

async function eventually<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("every exit records the call exactly once", () => {
  it.each(["to-messages", "to-chat-completions"])("C1 the caller leaves in the middle of %s", async (model) => {
    await using test = await startTestGateway({ script: answer({ fault: { kind: "stall", afterEvents: 4 } }) });
    const { response, leave } = await openCall(test, model);
    await once(response, "data");
    leave();
    const call = await eventually(async () => (await test.calls())[0]);
    expect(call).toMatchObject({ outcome: "client_closed", stream: true });
  });

  it.each(["to-messages", "to-chat-completions"])("O3 a shutdown ends %s by the protocol's error", async (model) => {
    await using test = await startTestGateway({ script: answer({ fault: { kind: "stall", afterEvents: 4 } }) });
    const { response } = await openCall(test, model);
    let body = "";
    response.on("data", (chunk) => {
      body += chunk;
    });
    await once(response, "data");
    await test.gateway.close({ drainMs: 0 });
    expect(body).toMatch(/event: error\ndata: .*\n\n$/);
    expect(body).not.toMatch(goodEnd);
    expect((await test.calls())[0]).toMatchObject({ outcome: "drained" });
  });

  it("lets a running call finish while it drains", async () => {
    await using test = await startTestGateway({ script: answer({ pace: { everyMs: 20 } }) });
    const { response } = await openCall(test, "to-chat-completions");
    let body = "";
    response.on("data", (chunk) => {
      body += chunk;
    });
    await once(response, "data");
    await test.gateway.close({ drainMs: 10_000 });
    expect(body).toContain("message_stop");
    expect((await test.calls())[0]).toMatchObject({ outcome: "succeeded" });
  });
});
