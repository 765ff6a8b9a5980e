import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/** The official SDKs know a caller who cannot pay by their own error for a 403, and do not try again. */
let gateway: TestGateway;

const callers = [
  {
    who: "a prepaid account without money",
    key: "no-money-access-key-0123456789-0123456789",
    says: /balance is too low/,
  },
  { who: "a key whose quota is used up", key: "no-quota-access-key-0123456789-0123456789", says: /quota is used up/ },
];

beforeAll(async () => {
  gateway = await startTestGateway({
    sandbox: true,
    prices: [{ model: "sandbox", request: 1 }],
    accounts: [{ name: "poor" }],
    access_keys: [
      { name: "no-money", key: callers[0]?.key ?? "", account: "poor" },
      { name: "no-quota", key: callers[1]?.key ?? "", quota: "0.99", quota_period: "day" },
    ],
  });
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

describe.each(callers)("M2 $who", ({ key, says }) => {
  for (const stream of [false, true]) {
    const how = stream ? ", streaming" : "";

    test(`openai, chat completions${how}`, async () => {
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway.caller.url}/v1` });
      const messages = [{ role: "user" as const, content: "Hello" }];
      const error = await thrownBy(() => client.chat.completions.create({ model: "sandbox", stream, messages }));
      if (!(error instanceof OpenAI.PermissionDeniedError)) throw new Error(`expected a 403, got ${String(error)}`);
      expect(error).toMatchObject({ code: "insufficient_quota", type: "insufficient_quota" });
      expect(error.message).toMatch(says);
    });

    test(`openai, responses${how}`, async () => {
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway.caller.url}/v1` });
      const error = await thrownBy(() => client.responses.create({ model: "sandbox", stream, input: "Hello" }));
      if (!(error instanceof OpenAI.PermissionDeniedError)) throw new Error(`expected a 403, got ${String(error)}`);
      expect(error.code).toBe("insufficient_quota");
      expect(error.message).toMatch(says);
    });

    test(`@anthropic-ai/sdk${how}`, async () => {
      const client = new Anthropic({ apiKey: key, baseURL: gateway.caller.url });
      const messages = [{ role: "user" as const, content: "Hello" }];
      const error = await thrownBy(() =>
        client.messages.create({ model: "sandbox", max_tokens: 16, stream, messages }),
      );
      if (!(error instanceof Anthropic.PermissionDeniedError)) throw new Error(`expected a 403, got ${String(error)}`);
      expect(error.error).toMatchObject({ error: { type: "permission_error", message: expect.stringMatching(says) } });
    });

    test(`@google/genai${how}`, async () => {
      const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.caller.url } });
      const request = { model: "sandbox", contents: "Hello" };
      const error = await thrownBy(() =>
        stream ? client.models.generateContentStream(request) : client.models.generateContent(request),
      );
      if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
      expect(error.status).toBe(403);
      const told = { error: { status: "PERMISSION_DENIED", message: expect.stringMatching(says) } };
      expect(JSON.parse(error.message)).toMatchObject(told);
    });
  }
});
