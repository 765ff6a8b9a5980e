import { type JsonObject, type ProtocolName, protocolNames } from "@interlingua/protocols";
import { type Script, startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { askRaw } from "../support/raw-client.ts";
import { conversations } from "./next-turn.ts";

/**
 * Most gateways break on turn two. Thinking, two parallel calls, their results, one more question: against a strict
 * upstream that refuses a proof it did not make, a call that lacks the signature it was made with, a result without
 * its call. Then the same with the family changing between the turns, and back.
 */
const upstreamModels: Record<ProtocolName, string> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "sandbox-gemini-3",
};

const thinking = { kind: "reasoning", text: "Two cities, two calls." } as const;
const calls: Script = {
  steps: [
    thinking,
    { kind: "text", text: "Looking." },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Rome" } },
  ],
};
const closing: Script = { steps: [thinking, { kind: "text", text: "Snow and sun." }] };

let sim: UpstreamSim;
let gateway: TestGateway;

beforeAll(async () => {
  let minted = 0;
  sim = await startUpstreamSim({ clock: () => 1_790_000_000_000, ids: () => `id${++minted}` });
  gateway = await startTestGateway({
    channels: protocolNames.map((protocol) => ({
      name: protocol,
      protocols: [protocol],
      base_url: protocol === "chat-completions" || protocol === "responses" ? `${sim.url}/v1` : sim.url,
      api_key: "sim",
      models: [{ id: `model-${protocol}`, upstream_id: upstreamModels[protocol] }],
    })),
  });
});

afterAll(async () => {
  await gateway?.close();
  await sim?.close();
});

async function ask(client: ProtocolName, upstream: ProtocolName, stream: boolean, script: Script, fields: JsonObject) {
  sim.setScript(script);
  const raw = await askRaw(gateway.caller, client, `model-${upstream}`, stream, fields);
  expect(raw.status, raw.text.slice(0, 800)).toBe(200);
  expect(raw.answer, raw.text.slice(-800)).toBeDefined();
  return raw.answer ?? {};
}

const weather = (name: string, args: { city?: string }) => `${name}: ${args.city === "Oslo" ? "snow" : "sun"}`;

/** Three turns; `upstreams` names the family that each goes to. */
async function loop(
  client: ProtocolName,
  upstreams: readonly [ProtocolName, ProtocolName, ProtocolName],
  stream: boolean,
) {
  const conversation = conversations[client];
  const first = conversation.first("Weather in Oslo and Rome?");
  const called = await ask(client, upstreams[0], stream, calls, first);
  expect(conversation.calls(called)).toBe(2);
  const second = conversation.withResults(first, called, weather);
  const answered = await ask(client, upstreams[1], stream, closing, second);
  const third = conversation.withUser(second, answered, "And tomorrow?");
  await ask(client, upstreams[2], stream, closing, third);
}

for (const client of protocolNames) {
  describe(`a client of ${client}`, () => {
    for (const stream of [false, true]) {
      const mode = stream ? ", streaming" : "";
      for (const upstream of protocolNames) {
        test(`three turns on ${upstream}${mode}`, () => loop(client, [upstream, upstream, upstream], stream));
        for (const other of protocolNames) {
          if (other === upstream) continue;
          test(`${upstream}, then ${other}, and back${mode}`, () => loop(client, [upstream, other, upstream], stream));
        }
      }
    }
  });
}
