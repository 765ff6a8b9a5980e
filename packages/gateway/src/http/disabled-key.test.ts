import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withAccessKeys } from "../cli/keys-command.ts";
import type { Config } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let test: TestGateway;
let key: string;

beforeAll(async () => {
  let config: Config | undefined;
  test = await startTestGateway({
    config: (base) => {
      config = base;
      return base;
    },
  });
  if (!config) throw new Error("the gateway started without its configuration");
  // As the command line does it, from beside the running gateway.
  key = await withAccessKeys(config, systemPlatform(), async (keys) => {
    const made = await keys.create({ name: "laptop" });
    await keys.setState("laptop", "disabled");
    return made.key;
  });
});
afterAll(() => test[Symbol.asyncDispose]());

/** The words of 401 in each family (specification.md 6). */
const refusals: Record<ProtocolName, unknown> = {
  "chat-completions": { error: { type: "invalid_request_error", code: "invalid_api_key" } },
  responses: { error: { type: "invalid_request_error", code: "invalid_api_key" } },
  messages: { type: "error", error: { type: "authentication_error" } },
  "generate-content": { error: { code: 401, status: "UNAUTHENTICATED" } },
};

describe.each(protocolNames)("A1 a disabled key on %s", (protocol) => {
  it("is 401, in the same words as an unknown key", async () => {
    const { path, body } = clientCall(protocol, "to-chat-completions", false);
    const refused = async (credential: string) => {
      const answer = await test.post(path, body, { authorization: `Bearer ${credential}` });
      const text = await answer.text();
      const id = answer.headers.get("x-request-id") ?? "";
      return { status: answer.status, text: text.replaceAll(id, "ID") };
    };
    const disabled = await refused(key);
    expect(disabled.status).toBe(401);
    expect(JSON.parse(disabled.text)).toMatchObject(refusals[protocol] as object);
    expect(disabled).toEqual(await refused("nobodys-key-0123456789-0123456789-0123"));
    expect(test.sim.requests).toHaveLength(0);
  });
});
