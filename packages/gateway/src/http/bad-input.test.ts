import { gzipSync } from "node:zlib";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({
    config: (base) => ({
      ...base,
      limits: { ...base.limits, bodyBytes: 100_000 },
      auth: { ...base.auth, failuresPerMinute: 1000 },
    }),
  });
});
afterAll(() => test[Symbol.asyncDispose]());

/** An error in any of the three shapes. */
interface ToldError {
  status: number;
  shape: "openai" | "messages" | "google" | "none";
  message: string;
  param: string | null | undefined;
  requestId: string | null;
}

interface ErrorBody {
  type?: string;
  error?: { message: string; param?: string | null; type?: string; status?: string; code?: string | number | null };
}

async function told(response: Response): Promise<ToldError> {
  const body: ErrorBody = JSON.parse(await response.text());
  const requestId = response.headers.get("x-request-id");
  const base = { status: response.status, message: body.error?.message ?? "", param: body.error?.param, requestId };
  if (body.type === "error" && typeof body.error?.type === "string") return { ...base, shape: "messages" };
  if (typeof body.error?.status === "string" && body.error.code === response.status)
    return { ...base, shape: "google" };
  if (typeof body.error?.type === "string" && "param" in (body.error ?? {})) return { ...base, shape: "openai" };
  return { ...base, shape: "none" };
}

const shapes: Record<ProtocolName, ToldError["shape"]> = {
  "chat-completions": "openai",
  responses: "openai",
  messages: "messages",
  "generate-content": "google",
};

describe.each(protocolNames)("bad input on %s is told in its own shape", (protocol) => {
  const shape = shapes[protocol];
  const good = clientCall(protocol, "to-chat-completions", false);
  const send = async (body: unknown, headers: Record<string, string> = {}, path = good.path) =>
    told(await test.post(path, body, headers));

  it("malformed JSON", async () => {
    const error = await send('{"model": "to-chat-completions", ');
    expect(error).toMatchObject({ status: 400, shape, message: expect.stringContaining("not valid JSON") });
    expect(error.requestId).toMatch(/^call_/);
  });

  it("an empty body, a list, a word", async () => {
    for (const body of ["", "[]", "null", '"x"']) expect(await send(body)).toMatchObject({ status: 400, shape });
  });

  it("duplicate keys", async () => {
    const text = `${JSON.stringify(good.body).slice(0, -1)},"same":1,"same":2}`;
    expect(await send(text)).toMatchObject({ status: 400, shape, message: expect.stringContaining("'same'") });
  });

  it("the main field missing", async () => {
    const { messages: _m, input: _i, contents: _c, ...rest } = good.body;
    const field = protocol === "responses" ? "input" : protocol === "generate-content" ? "contents" : "messages";
    expect(await send(rest)).toMatchObject({ status: 400, shape, message: expect.stringContaining(field) });
  });

  it("the main field of a wrong type", async () => {
    const field = protocol === "responses" ? "input" : protocol === "generate-content" ? "contents" : "messages";
    const error = await send({ ...good.body, [field]: 7 });
    expect(error).toMatchObject({ status: 400, shape, message: expect.stringContaining(field) });
  });

  it.each([3, -0.1, "warm"])("temperature %s", async (temperature) => {
    const body =
      protocol === "generate-content"
        ? { ...good.body, generationConfig: { temperature } }
        : { ...good.body, temperature };
    expect(await send(body)).toMatchObject({ status: 400, shape, message: expect.stringContaining("temperature") });
  });

  it("temperature 3 in the direct lane", async () => {
    const own = clientCall(protocol, `to-${protocol}`, false);
    const body =
      protocol === "generate-content"
        ? { ...own.body, generationConfig: { temperature: 3 } }
        : { ...own.body, temperature: 3 };
    const error = await told(await test.post(own.path, body));
    expect(error).toMatchObject({ status: 400, shape, message: expect.stringContaining("temperature") });
  });

  it("an unknown model", async () => {
    const unknown = clientCall(protocol, "no-such-model", false);
    const error = await told(await test.post(unknown.path, unknown.body));
    expect(error).toMatchObject({ status: 404, shape, message: expect.stringContaining("no-such-model") });
  });

  it("no key", async () => {
    const response = await fetch(test.address + good.path, { method: "POST", body: "{}", headers: {} });
    expect(await told(response)).toMatchObject({ status: 401, shape });
  });

  it.each([
    ["a wrong key", { authorization: `Bearer ${testKey}x` }],
    ["a key with a space in front", { authorization: `Bearer  ${testKey}` }],
    ["a key with a space inside", { authorization: "", "x-api-key": `${testKey.slice(0, 9)} ${testKey.slice(9)}` }],
    ["another scheme", { authorization: `Basic ${testKey}` }],
  ])("%s", async (_name, headers) => {
    const error = await send(good.body, headers);
    expect(error).toMatchObject({ status: 401, shape });
    expect(error.message).not.toContain(testKey.slice(0, 9));
  });

  it("two different keys", async () => {
    const error = await send(good.body, { "x-api-key": "another-key-of-somebody-else-0123456789" });
    expect(error).toMatchObject({ status: 400, shape, message: expect.stringContaining("x-api-key") });
  });

  it("the same key twice is fine", async () => {
    const response = await test.post(good.path, good.body, { "x-api-key": testKey, "x-goog-api-key": testKey });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  it("C5 a body over the limit, declared or not", async () => {
    const large = `{"x":"${"a".repeat(100_001)}"}`;
    expect(await send(large)).toMatchObject({ status: 413, shape });
    const chunked = await fetch(test.address + good.path, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "anthropic-version": "2023-06-01" },
      body: new Blob([large]).stream(),
      duplex: "half",
    });
    expect(await told(chunked)).toMatchObject({ status: 413, shape });
  });

  it("another content type and an unknown coding", async () => {
    expect(await send(good.body, { "content-type": "text/plain" })).toMatchObject({ status: 415, shape });
    expect(await send(good.body, { "content-encoding": "x-unknown" })).toMatchObject({ status: 415, shape });
  });

  it("C11 a compressed body is read, a bomb is not", async () => {
    const zipped = gzipSync(JSON.stringify(good.body));
    const response = await test.post(good.path, zipped, { "content-encoding": "gzip" });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    const bomb = gzipSync(Buffer.alloc(5_000_000, " "));
    expect(await send(bomb, { "content-encoding": "gzip" })).toMatchObject({ status: 413, shape });
    expect(await send(Buffer.from("no gzip"), { "content-encoding": "gzip" })).toMatchObject({ status: 400, shape });
  });

  it("a path trick, a wrong method", async () => {
    expect(await send(good.body, {}, good.path.replace(/\/(\w+)/, "/./$1"))).toBeDefined();
    const response = await fetch(test.address + good.path, { method: "PUT" });
    expect(response.headers.get("allow")).toBe("POST");
    expect(await told(response)).toMatchObject({ status: 405, shape });
  });
});

describe("messages alone", () => {
  const good = clientCall("messages", "to-messages", false);
  const send = async (body: unknown, headers: Record<string, string>) =>
    told(await test.post(good.path, body, headers));

  it("no max_tokens, in both lanes", async () => {
    for (const model of ["to-messages", "to-chat-completions"]) {
      const { max_tokens: _left, ...rest } = good.body;
      const error = await send({ ...rest, model }, {});
      expect(error).toMatchObject({ status: 400, shape: "messages", message: expect.stringContaining("max_tokens") });
    }
  });

  it.each(["", "latest", "2023-02-31"])("version '%s'", async (version) => {
    const error = await send(good.body, { "anthropic-version": version });
    expect(error).toMatchObject({
      status: 400,
      shape: "messages",
      message: expect.stringContaining("anthropic-version"),
    });
  });

  it("takes the specification's spellings of the headers", async () => {
    const response = await fetch(test.address + good.path, {
      method: "POST",
      headers: { "x-partner-api-key": testKey, "partner-version": "2023-06-01", "content-type": "application/json" },
      body: JSON.stringify(good.body),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("request-id")).toBe(response.headers.get("x-request-id"));
    await response.arrayBuffer();
  });
});

describe("addresses", () => {
  it.each([
    ["/v1/messages/unknown", "messages"],
    ["/v1beta/unknown", "google"],
    ["/v1/models/m:embedContent", "google"],
    ["/v1/unknown", "openai"],
    ["/v1/responses/a/b", "openai"],
    ["/v1/chat/unknown", "openai"],
    ["/v1/v1/chat/completions", "openai"],
  ])("404 %s as %s", async (path, shape) => {
    const response = await fetch(test.address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}` },
    });
    expect(await told(response)).toMatchObject({ status: 404, shape });
  });

  it("C10 tricks are 400", async () => {
    for (const path of ["/v1%2fmessages", "/v1//messages", "/v1/messages;a=1"]) {
      expect((await told(await fetch(test.address + path, { method: "POST" }))).status).toBe(400);
    }
  });

  it("answers OPTIONS, the front page and the probes without a key", async () => {
    expect((await fetch(`${test.address}/v1/messages`, { method: "OPTIONS" })).status).toBe(204);
    for (const path of ["/", "/healthz", "/readyz", "/api/hello"]) {
      expect((await fetch(test.address + path)).status).toBe(200);
      expect((await fetch(test.address + path, { method: "HEAD" })).status).toBe(200);
    }
  });

  it("knows no stored response of another's making", async () => {
    const headers = { authorization: `Bearer ${testKey}` };
    const error = await told(await fetch(`${test.address}/v1/responses/resp_1`, { headers }));
    expect(error).toMatchObject({ status: 404, shape: "openai", message: "Response with id 'resp_1' not found." });
  });
});

describe("A6 guessing is slowed", () => {
  it("429 with a wait after the allowed failures, also for a good key", async () => {
    await using own = await startTestGateway({
      config: (base) => ({ ...base, auth: { ...base.auth, failuresPerMinute: 3 } }),
    });
    const { path, body } = clientCall("chat-completions", "to-chat-completions", false);
    for (let turn = 0; turn < 3; turn++) {
      expect((await own.post(path, body, { authorization: "Bearer wrong" })).status).toBe(401);
    }
    const response = await own.post(path, body);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

it("S1 no key reaches the log", () => {
  expect(test.log.length).toBeGreaterThan(0);
  for (const line of test.log) {
    expect(line).not.toContain(testKey);
    expect(line).not.toContain("provider-secret");
  }
});

it("calls that failed behind a good key are recorded as refused", async () => {
  const response = await test.post("/v1/chat/completions", "{");
  const id = response.headers.get("x-request-id");
  const call = (await test.calls()).find((each) => each.id === id);
  expect(call).toMatchObject({ status: 400, outcome: "refused", errorKind: "bad_request", channel: null });
});
