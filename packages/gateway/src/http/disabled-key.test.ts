import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandActor } from "../cli/command-actor.ts";
import { withAccessKeys } from "../cli/keys-command.ts";
import type { Config } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const reasons = ["disabled", "expired", "revoked", "replaced"] as const;
let test: TestGateway;
let keys: Record<(typeof reasons)[number], string>;

beforeAll(async () => {
  let config: Config | undefined;
  test = await startTestGateway({
    config: (base) => {
      config = { ...base, auth: { ...base.auth, failuresPerMinute: 1000 } };
      return config;
    },
  });
  if (!config) throw new Error("the gateway started without its configuration");
  // As the command line does it, from beside the running gateway.
  keys = await withAccessKeys(config, systemPlatform(), async (access) => {
    const make = async (name: string) => (await access.create({ name }, commandActor)).key;
    const [disabled, expired, revoked, replaced] = [
      await make("disabled"),
      await make("expired"),
      await make("revoked"),
      await make("replaced"),
    ];
    await access.setState("disabled", "disabled", commandActor);
    await access.set("expired", { expiresAt: 1 }, commandActor);
    await access.revoke("revoked", commandActor);
    await access.rotate("replaced", 0, commandActor);
    return { disabled, expired, revoked, replaced };
  });
});
afterAll(() => test[Symbol.asyncDispose]());

/** The words of 401 in each family (specification.md 6). */
const refusals: Record<ProtocolName, object> = {
  "chat-completions": { error: { type: "invalid_request_error", code: "invalid_api_key" } },
  responses: { error: { type: "invalid_request_error", code: "invalid_api_key" } },
  messages: { type: "error", error: { type: "authentication_error" } },
  "generate-content": { error: { code: 401, status: "UNAUTHENTICATED" } },
};

describe.each(protocolNames)("A1 a key that is no longer good on %s", (protocol) => {
  const refused = async (credential: string) => {
    const { path, body } = clientCall(protocol, "to-chat-completions", false);
    const answer = await test.post(path, body, { authorization: `Bearer ${credential}` });
    const text = await answer.text();
    const id = answer.headers.get("x-request-id") ?? "";
    return {
      status: answer.status,
      retry: answer.headers.get("x-should-retry"),
      text: text.replaceAll(id, "ID"),
    };
  };

  it.each(reasons)("%s: is 401, in the same words as an unknown key", async (reason) => {
    const told = await refused(keys[reason]);
    expect(told).toMatchObject({ status: 401, retry: "false" });
    expect(JSON.parse(told.text)).toMatchObject(refusals[protocol]);
    expect(told).toEqual(await refused("nobodys-key-0123456789-0123456789-0123"));
    expect(test.sim.requests).toHaveLength(0);
  });
});
