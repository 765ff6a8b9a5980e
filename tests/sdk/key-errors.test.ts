import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandActor } from "../../packages/gateway/src/cli/command-actor.ts";
import { withAccounts } from "../../packages/gateway/src/cli/open-accounts.ts";
import { systemPlatform } from "../../packages/gateway/src/platform.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/** The official SDKs know what is wrong with a key by their own errors for it, and do not try again. */
let gateway: TestGateway;
let keys: Record<"good" | "disabled" | "expired" | "revoked" | "narrow" | "elsewhere" | "suspended", string>;

beforeAll(async () => {
  gateway = await startTestGateway({ sandbox: true, auth: { failures_per_minute: 1000 } });
  keys = await withAccounts(gateway.config, systemPlatform(), async ({ accounts, keys: access }) => {
    const make = async (name: string, settings: object = {}) =>
      (await access.create({ name, ...settings }, commandActor)).key;
    await accounts.create({ name: "late" }, commandActor);
    const made = {
      good: await make("good"),
      disabled: await make("disabled"),
      expired: await make("expired"),
      revoked: await make("revoked"),
      narrow: await make("narrow", { models: ["sandbox"] }),
      elsewhere: await make("elsewhere", { addresses: ["192.0.2.0/24"] }),
      suspended: await make("suspended", { account: "late" }),
    };
    await access.setState("disabled", "disabled", commandActor);
    await access.set("expired", { expiresAt: 1 }, commandActor);
    await access.revoke("revoked", commandActor);
    await accounts.setState("late", "suspended", commandActor);
    return made;
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

type Ask = (key: string, model: string) => Promise<unknown>;
// The SDKs' own number of tries, so that a second one would be seen.
const openai = (key: string) => new OpenAI({ apiKey: key, baseURL: `${gateway.caller.url}/v1` });
const chat: Ask = (key, model) =>
  openai(key).chat.completions.create({ model, messages: [{ role: "user", content: "Hello" }] });
const responses: Ask = (key, model) => openai(key).responses.create({ model, input: "Hello" });
const messages: Ask = (key, model) =>
  new Anthropic({ apiKey: key, baseURL: gateway.caller.url }).messages.create({
    model,
    max_tokens: 16,
    messages: [{ role: "user", content: "Hello" }],
  });
const generate: Ask = (key, model) =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.caller.url } }).models.generateContent({
    model,
    contents: "Hello",
  });

const cases = [
  { name: "an unknown key", key: () => "nobodys-key-0123456789-0123456789-0123", model: "sandbox", status: 401 },
  { name: "a disabled key", key: () => keys.disabled, model: "sandbox", status: 401 },
  { name: "an expired key", key: () => keys.expired, model: "sandbox", status: 401 },
  { name: "a revoked key", key: () => keys.revoked, model: "sandbox", status: 401 },
  { name: "a model that the key may not name", key: () => keys.narrow, model: "sandbox-responses", status: 403 },
  {
    name: "an address that the key may not be used from",
    key: () => keys.elsewhere,
    model: "sandbox",
    status: 403,
  },
  { name: "a suspended account", key: () => keys.suspended, model: "sandbox", status: 403 },
  { name: "a model that does not exist", key: () => keys.good, model: "nothing", status: 404 },
] as const;

const openaiErrors = {
  401: { type: OpenAI.AuthenticationError, code: "invalid_api_key" },
  403: { type: OpenAI.PermissionDeniedError, code: "permission_denied" },
  404: { type: OpenAI.NotFoundError, code: "model_not_found" },
};
const anthropicErrors = {
  401: { type: Anthropic.AuthenticationError, word: "authentication_error" },
  403: { type: Anthropic.PermissionDeniedError, word: "permission_error" },
  404: { type: Anthropic.NotFoundError, word: "not_found_error" },
};
const googleWords = { 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND" };

describe.each(cases)("$name is $status", ({ key, model, status }) => {
  test.each([
    ["chat completions", chat],
    ["responses", responses],
  ])("openai, %s", async (_protocol, ask) => {
    const { type, code } = openaiErrors[status];
    const error = await thrownBy(() => ask(key(), model));
    if (!(error instanceof type)) throw new Error(`expected a ${type.name}, got ${String(error)}`);
    expect(error).toMatchObject({ status, code });
    expect(error.headers.get("x-should-retry")).toBe("false");
  });

  test("@anthropic-ai/sdk", async () => {
    const { type, word } = anthropicErrors[status];
    const error = await thrownBy(() => messages(key(), model));
    if (!(error instanceof type)) throw new Error(`expected a ${type.name}, got ${String(error)}`);
    expect(error).toMatchObject({ status, error: { error: { type: word } } });
    expect(error.headers.get("x-should-retry")).toBe("false");
  });

  test("@google/genai", async () => {
    const error = await thrownBy(() => generate(key(), model));
    if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
    expect(error.status).toBe(status);
    expect(JSON.parse(error.message)).toMatchObject({ error: { status: googleWords[status] } });
  });
});

test("a good key is answered", async () => {
  for (const ask of [chat, responses, messages, generate]) expect(await ask(keys.narrow, "sandbox")).toBeDefined();
});
