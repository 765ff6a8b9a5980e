import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/** The official SDKs know a limit of the gateway by their own error for it, and read the wait from it. */
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ sandbox: true, limits: { requests_per_minute: 1 } });
  // The key's one request of this minute.
  const { url, key } = gateway.caller;
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
  await client.messages.create({ model: "sandbox", max_tokens: 16, messages: [{ role: "user", content: "Hello" }] });
});

afterAll(async () => {
  await gateway?.close();
});

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

const wait = /^(60|5\d)$/;

for (const stream of [false, true]) {
  const how = stream ? ", streaming" : "";

  test(`openai, chat completions${how}`, async () => {
    const client = new OpenAI({ apiKey: gateway.caller.key, baseURL: `${gateway.caller.url}/v1`, maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "Hello" }];
    const error = await thrownBy(() => client.chat.completions.create({ model: "sandbox", stream, messages }));
    if (!(error instanceof OpenAI.RateLimitError)) throw new Error(`expected a RateLimitError, got ${String(error)}`);
    expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
    expect(error.headers.get("retry-after")).toMatch(wait);
    expect(error.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  });

  test(`openai, responses${how}`, async () => {
    const client = new OpenAI({ apiKey: gateway.caller.key, baseURL: `${gateway.caller.url}/v1`, maxRetries: 0 });
    const error = await thrownBy(() => client.responses.create({ model: "sandbox", stream, input: "Hello" }));
    if (!(error instanceof OpenAI.RateLimitError)) throw new Error(`expected a RateLimitError, got ${String(error)}`);
    expect(error.code).toBe("rate_limit_exceeded");
    expect(error.headers.get("retry-after")).toMatch(wait);
  });

  test(`@anthropic-ai/sdk${how}`, async () => {
    const client = new Anthropic({ apiKey: gateway.caller.key, baseURL: gateway.caller.url, maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "Hello" }];
    const error = await thrownBy(() => client.messages.create({ model: "sandbox", max_tokens: 16, stream, messages }));
    if (!(error instanceof Anthropic.RateLimitError)) {
      throw new Error(`expected a RateLimitError, got ${String(error)}`);
    }
    expect(error.error).toMatchObject({ error: { type: "rate_limit_error" } });
    expect(error.headers.get("retry-after")).toMatch(wait);
    expect(error.headers.get("anthropic-ratelimit-requests-remaining")).toBe("0");
  });

  test(`@google/genai${how}`, async () => {
    const client = new GoogleGenAI({
      apiKey: gateway.caller.key,
      httpOptions: { baseUrl: gateway.caller.url },
    });
    const request = { model: "sandbox", contents: "Hello" };
    const error = await thrownBy(() =>
      stream ? client.models.generateContentStream(request) : client.models.generateContent(request),
    );
    if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
    expect(error.status).toBe(429);
    expect(JSON.parse(error.message)).toMatchObject({
      error: {
        status: "RESOURCE_EXHAUSTED",
        details: expect.arrayContaining([
          { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: expect.stringMatching(/^(60|5\d)s$/) },
        ]),
      },
    });
  });
}
