import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandActor } from "../cli/command-actor.ts";
import { withAccounts } from "../cli/open-accounts.ts";
import type { Config } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

/* A good key that may not do what it asks for (reliability.md 3). */

let test: TestGateway;
let keys: { suspended: string; elsewhere: string; narrow: string; none: string };

beforeAll(async () => {
  let config: Config | undefined;
  test = await startTestGateway({
    config: (base) => {
      config = { ...base, server: { ...base.server, trustedProxies: ["127.0.0.0/8"] } };
      return config;
    },
  });
  if (!config) throw new Error("the gateway started without its configuration");
  keys = await withAccounts(config, systemPlatform(), async ({ accounts, keys: access }) => {
    const make = async (name: string, settings: object) =>
      (await access.create({ name, ...settings }, commandActor)).key;
    await accounts.create({ name: "late" }, commandActor);
    const made = {
      suspended: await make("suspended", { account: "late" }),
      elsewhere: await make("elsewhere", { addresses: ["192.0.2.0/24", "2001:db8::/32"] }),
      narrow: await make("narrow", { models: ["to-messages", "to-gen*"] }),
      none: await make("none", { models: [] }),
    };
    await accounts.setState("late", "suspended", commandActor);
    return made;
  });
});
afterAll(() => test[Symbol.asyncDispose]());

const call = async (protocol: ProtocolName, model: string, key: string, headers: Record<string, string> = {}) => {
  const { path, body } = clientCall(protocol, model, false);
  const answer = await test.post(path, body, { authorization: `Bearer ${key}`, ...headers });
  return { status: answer.status, retry: answer.headers.get("x-should-retry"), body: await answer.json() };
};

/** The words of 403 in each family. */
function forbidden(protocol: ProtocolName, message: string): object {
  switch (protocol) {
    case "chat-completions":
    case "responses":
      return { error: { type: "permission_error", code: "permission_denied", message } };
    case "messages":
      return { type: "error", error: { type: "permission_error", message } };
    case "generate-content":
      return { error: { code: 403, status: "PERMISSION_DENIED", message } };
  }
}

const unknown: Record<ProtocolName, object> = {
  "chat-completions": { error: { code: "model_not_found" } },
  responses: { error: { code: "model_not_found" } },
  messages: { type: "error", error: { type: "not_found_error" } },
  "generate-content": { error: { code: 404, status: "NOT_FOUND" } },
};

describe.each(protocolNames)("403 on %s", (protocol) => {
  it("A2 where the account is suspended", async () => {
    const message = "The account of this access key is suspended.";
    const answer = await call(protocol, "to-messages", keys.suspended);
    expect(answer).toMatchObject({ status: 403, retry: "false", body: forbidden(protocol, message) });
  });

  it("A2 where the key may not be used from the caller's address, and none where it may", async () => {
    const message = "This access key may not be used from this address.";
    const answer = await call(protocol, "to-messages", keys.elsewhere);
    expect(answer).toMatchObject({ status: 403, retry: "false", body: forbidden(protocol, message) });
    const invented = await call(protocol, "to-messages", keys.elsewhere, {
      "x-forwarded-for": "192.0.2.9, 198.51.100.1",
    });
    expect(invented.status).toBe(403);
    const good = await call(protocol, "to-messages", keys.elsewhere, { "x-forwarded-for": "10.0.0.1, 192.0.2.9" });
    expect(good.status).toBe(200);
  });

  it("A2 where the key may not name the model, before anything is sent", async () => {
    const before = test.sim.requests.length;
    const message = "This access key may not use the model 'to-responses'.";
    for (const key of [keys.narrow, keys.none]) {
      const answer = await call(protocol, "to-responses", key);
      expect(answer).toMatchObject({ status: 403, retry: "false", body: forbidden(protocol, message) });
    }
    expect(test.sim.requests).toHaveLength(before);
    const [newest] = await test.calls();
    expect(newest).toMatchObject({ status: 403, outcome: "refused", errorKind: "forbidden", model: "to-responses" });
    expect((await call(protocol, "to-messages", keys.narrow)).status).toBe(200);
    expect((await call(protocol, "to-generate-content", keys.narrow)).status).toBe(200);
  });

  it("but 404 where the model does not exist, whatever the key", async () => {
    for (const key of [keys.narrow, testKey]) {
      const answer = await call(protocol, "nothing", key);
      expect(answer).toMatchObject({ status: 404, retry: "false", body: unknown[protocol] });
    }
  });
});

describe("what a key may not name", () => {
  const get = async (path: string, key: string) => {
    const answer = await fetch(test.address + path, { headers: { authorization: `Bearer ${key}` } });
    const body: Record<string, unknown> = JSON.parse(await answer.text());
    return { status: answer.status, body };
  };
  const listed = async (key: string) => {
    const { body } = await get("/v1/models", key);
    return Array.isArray(body.data) ? body.data.map((model: { id: string }) => model.id).toSorted() : body;
  };

  it("is not listed, and not shown", async () => {
    expect(await listed(keys.narrow)).toEqual(["to-generate-content", "to-messages"]);
    expect(await listed(keys.none)).toEqual([]);
    expect(await listed(testKey)).toHaveLength(4);
    expect((await get("/v1/models/to-messages", keys.narrow)).status).toBe(200);
    expect((await get("/v1/models/to-responses", keys.narrow)).status).toBe(404);
  });

  it("is not counted", async () => {
    const count = (model: string) =>
      test.post(
        "/v1/messages/count_tokens",
        { model, messages: [{ role: "user", content: "Hello" }] },
        { authorization: `Bearer ${keys.narrow}` },
      );
    expect((await count("to-messages")).status).toBe(200);
    expect((await count("to-responses")).status).toBe(403);
    expect((await count("nothing")).status).toBe(404);
  });
});

describe("A6 who guesses behind a proxy", () => {
  it("is slowed down alone, and a refused good key is no guess", async () => {
    const guess = (from: string, key = "nobodys-key-0123456789-0123456789-0123") =>
      call("messages", "to-messages", key, { "x-forwarded-for": from });
    for (let failure = 0; failure < 20; failure++) expect((await guess("198.51.100.7")).status).toBe(401);
    expect((await guess("198.51.100.7")).status).toBe(429);
    expect((await guess("198.51.100.8")).status).toBe(401);
    for (let refused = 0; refused < 21; refused++)
      expect((await guess("198.51.100.9", keys.elsewhere)).status).toBe(403);
    expect((await guess("198.51.100.9", testKey)).status).toBe(200);
  });
});
