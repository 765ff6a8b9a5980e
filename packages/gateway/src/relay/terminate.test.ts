import { once } from "node:events";
import { request } from "node:http";
import { protocolNames } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { commandActor } from "../cli/command-actor.ts";
import { withAccessKeys } from "../cli/keys-command.ts";
import type { Config } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { clientCall } from "../testing/client-call.ts";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

/* What becomes of running calls when their key is taken away (A3). */

/** An upstream that says a little and then nothing any more. */
const script = { steps: [{ kind: "text", text: "One two three." }], fault: { kind: "stall", afterEvents: 4 } } as const;

async function stage() {
  let config: Config | undefined;
  const test = await startTestGateway({
    script: { steps: [...script.steps], fault: script.fault },
    config: (base) => {
      config = base;
      return base;
    },
  });
  if (!config) throw new Error("the gateway started without its configuration");
  const settings = config;
  return {
    test,
    from: <Result>(task: Parameters<typeof withAccessKeys<Result>>[2]) =>
      withAccessKeys(settings, systemPlatform(), task),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** A streaming call whose answer has begun. */
async function begin(test: TestGateway, protocol: (typeof protocolNames)[number], key: string) {
  const { path, body } = clientCall(protocol, "to-messages", true);
  const sent = request(test.address + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "anthropic-version": "2023-06-01",
    },
  });
  sent.end(JSON.stringify(body));
  const [response] = await once(sent, "response");
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise((resolve) => response.on("close", resolve).on("error", () => undefined));
  await once(response, "data");
  return {
    id: String(response.headers["x-request-id"]),
    text: () => text,
    ended,
    leave: () => sent.destroy(),
  };
}

/** How each family tells of an error within a stream. */
const errorOf = {
  "chat-completions": /data: \{"error":\{"message":"The access key is not valid any more\."/,
  responses: /event: (response\.failed|error)\ndata: .*The access key is not valid any more\./,
  messages: /event: error\ndata: .*The access key is not valid any more\./,
  "generate-content": /"message": ?"The access key is not valid any more\."/,
} as const;

describe.each(protocolNames)("A3 a key that is taken away, on %s", (protocol) => {
  it("ends its running calls within a second where that is asked for, and no other's", async () => {
    await using scene = await stage();
    const { test, from } = scene;
    const { key } = await from((keys) => keys.create({ name: "ci" }, commandActor));
    const call = await begin(test, protocol, key);
    const other = await begin(test, protocol, testKey);
    await from((keys) => keys.setState("ci", "disabled", commandActor, { terminate: true }));
    await call.ended;
    expect(call.text()).toMatch(errorOf[protocol]);
    const recorded = (await test.calls()).find(({ id }) => id === call.id);
    expect(recorded).toMatchObject({ outcome: "drained", abortReason: "key_ended" });
    expect(await test.calls()).toHaveLength(1);
    other.leave();
  });
});

it("A3 running calls of a key that is only disabled go on", async () => {
  await using scene = await stage();
  const { test, from } = scene;
  const made = await from((keys) => keys.create({ name: "ci" }, commandActor));
  const call = await begin(test, "messages", made.key);
  await from((keys) => keys.setState("ci", "disabled", commandActor));
  const refused = async () => {
    const headers = { authorization: `Bearer ${made.key}` };
    return (await fetch(`${test.address}/v1/models`, { headers })).status === 401;
  };
  while (!(await refused())) await new Promise((resolve) => setImmediate(resolve));
  expect(await test.calls()).toEqual([]);
  expect(call.text()).not.toContain("error");
  call.leave();
});
