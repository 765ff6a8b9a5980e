import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/** Bugs of peers that only a whole gateway can have: several sends for one call, codings, statuses. */

interface Seen {
  headers: IncomingMessage["headers"];
  body: string;
}

const seen: Seen[] = [];
let answer: (seen: Seen, response: ServerResponse) => void = (_, response) => response.end();
const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
    seen.push(one);
    answer(one, response);
  });
});
let gateway: TestGateway;

beforeAll(async () => {
  await new Promise<void>((done) => upstream.listen(0, "127.0.0.1", done));
  // An address of a listening TCP server is an object.
  const { port } = upstream.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const channel = (protocol: string, base_url: string) => {
    return {
      name: protocol,
      protocols: [protocol],
      base_url,
      api_key: "k",
      models: [{ id: `to-${protocol}`, upstream_id: "m" }],
    };
  };
  gateway = await startTestGateway({
    channels: [channel("responses", `${url}/v1`), channel("chat-completions", `${url}/v1`)],
  });
});

beforeEach(() => {
  seen.length = 0;
});

afterAll(async () => {
  await gateway?.close();
  upstream.closeAllConnections();
  await new Promise((done) => upstream.close(done));
});

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const { url, key } = gateway.caller;
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, coding: response.headers.get("content-encoding"), text: await response.text() };
}

const stream = [
  '{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}',
  '{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  "[DONE]",
]
  .map((data) => `data: ${data}\n\n`)
  .join("");
const hello = { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] };

test("peer bug 32: a Gemini client that counts tokens is answered, also where the upstream has no counter", async () => {
  const body = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
  const { status, text } = await post("/v1beta/models/to-chat-completions:countTokens", body);
  expect(status).toBe(200);
  expect(JSON.parse(text).totalTokens).toBeGreaterThan(0);
});

/** Refuses what holds this proof, in the words of the vendor. */
function refusesProof(code: string | undefined) {
  answer = ({ body }, response) => {
    const isRefused = body.includes("c2VhbGVk");
    const error = {
      message: "The encrypted content c2VhbGVk could not be verified.",
      type: "invalid_request_error",
      code,
    };
    const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] };
    const whole = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed", output: [item] };
    response.writeHead(isRefused ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefused ? { error } : whole));
  };
}
const withProof = {
  model: "to-responses",
  input: [
    { role: "user", content: "Hi" },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk" },
    {
      type: "message",
      role: "assistant",
      id: "msg_0",
      status: "completed",
      content: [{ type: "output_text", text: "Yes.", annotations: [] }],
    },
    { role: "user", content: "And?" },
  ],
};

test("peer bug 53 2.5: reasoning that the upstream cannot read any more is taken out, and the call sent once more", async () => {
  refusesProof("invalid_encrypted_content");
  expect((await post("/v1/responses", withProof)).status).toBe(200);
  expect(seen).toHaveLength(2);
  const [, mended] = seen;
  // With the reasoning goes the id of what came out of it, which the vendor would else look for.
  const input: { type?: string; id?: string }[] = JSON.parse(mended?.body ?? "{}").input;
  expect(input.map(({ type, id }) => [type, id])).toEqual([
    [undefined, undefined],
    ["message", undefined],
    [undefined, undefined],
  ]);
});

test("peer bug 133 2.5: a refused proof is known by its words, where the host drops the code", async () => {
  refusesProof(undefined);
  expect((await post("/v1/responses", withProof)).status).toBe(200);
  expect(seen).toHaveLength(2);
});

test("2.5: a host that refuses whatever it is sent is asked twice, not for ever", async () => {
  answer = (_, response) => {
    const error = { message: "The encrypted content could not be verified.", type: "invalid_request_error" };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  };
  expect((await post("/v1/responses", withProof)).status).toBe(400);
  expect(seen).toHaveLength(2);
});

test("2.5: a caller who wants no loss is told of the refusal", async () => {
  refusesProof("invalid_encrypted_content");
  expect((await post("/v1/responses", withProof, { "x-interlingua-lossy": "refuse" })).status).toBe(400);
  expect(seen).toHaveLength(1);
});

describe("peer bug 74 S29: a caller's wish for compression is not the upstream's to fulfil", () => {
  it.each(["gzip", "br", "zstd"])("%s", async (coding) => {
    answer = (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(stream);
    const body = { ...hello, model: "to-chat-completions", stream: true };
    const { status, text } = await post("/v1/messages", body, { "accept-encoding": coding });
    expect(status).toBe(200);
    expect(text).toContain("message_stop");
    expect(seen[0]?.headers["accept-encoding"] ?? "identity").toBe("identity");
  });
});

describe("peer bug 140 S29: an answer that comes compressed unasked is read", () => {
  const codings = [
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const;
  it.each(codings)("%s", async (coding, compress) => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": coding });
      response.end(compress(stream));
    };
    for (const path of ["/v1/messages", "/v1/chat/completions"]) {
      const { text, coding: outgoing } = await post(path, { ...hello, model: "to-chat-completions", stream: true });
      expect(text).toContain(path === "/v1/messages" ? "message_stop" : "data: [DONE]");
      expect(text).toContain("Hi");
      expect(outgoing).toBeNull();
    }
  });
});

test("peer bug 135 1.5.8: a request that is too large is told by its status and sent once, streaming or not", async () => {
  answer = (_, response) => {
    response.writeHead(413, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "Too large.", type: "invalid_request_error" } }));
  };
  for (const stream of [false, true]) {
    seen.length = 0;
    const { status } = await post("/v1/responses", { model: "to-chat-completions", input: "Hi", stream });
    expect(status).toBe(413);
    expect(seen).toHaveLength(1);
  }
});
