import { type JsonObject, type ProtocolName, protocolNames } from "@interlingua/protocols";
import { type Script, startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PickyUpstream, startPickyUpstream } from "../../packages/gateway/src/testing/picky-upstream.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { askRaw } from "../support/raw-client.ts";
import { conversations } from "./next-turn.ts";
import { holds, proofsIn, refusals } from "./proofs.ts";

/** What becomes of proofs on their way through clients: looked at where they arrive. */

const upstreamModels: Record<ProtocolName, string> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "sandbox-gemini-3",
};
const families: Record<ProtocolName, string> = {
  "chat-completions": "openai",
  responses: "openai",
  messages: "anthropic",
  "generate-content": "gemini",
};
/** The providers that prove their reasoning. */
const proving = ["responses", "messages", "generate-content"] as const;

const thinking = { kind: "reasoning", text: "Two cities, two calls." } as const;
const called: Script = {
  steps: [
    thinking,
    { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Rome" } },
  ],
};
const closing: Script = { steps: [{ kind: "text", text: "Snow and sun." }] };
const weather = () => "snow";

const secret = "the first secret of these loops and long enough";
const keys = {
  other: "another-key-of-the-same-account-0123456789",
  stranger: "a-key-of-another-account-0123456789abcdef",
};

let sim: UpstreamSim;
let upstream: PickyUpstream;
let gateway: TestGateway;
/** The same installation after a change of its secret, with and without the former one. */
let changed: TestGateway;
let forgetful: TestGateway;

async function start(env: Record<string, string>): Promise<TestGateway> {
  const channels = protocolNames.map((protocol) => ({
    name: protocol,
    protocols: [protocol],
    base_url: protocol === "chat-completions" || protocol === "responses" ? `${upstream.url}/v1` : upstream.url,
    api_key: "sim",
    models: [{ id: `model-${protocol}`, upstream_id: upstreamModels[protocol] }],
  }));
  const access_keys = [
    { name: "other", key: keys.other },
    { name: "stranger", key: keys.stranger, account: "strangers" },
  ];
  return await startTestGateway({ channels, accounts: [{ name: "strangers", billing: "postpaid" }], access_keys }, env);
}

beforeAll(async () => {
  let minted = 0;
  sim = await startUpstreamSim({ clock: () => 1_790_000_000_000, ids: () => `id${++minted}` });
  upstream = await startPickyUpstream();
  upstream.behind = sim.url;
  const next = "the second secret of these loops and long enough";
  gateway = await start({ INTERLINGUA_SECRET: secret });
  changed = await start({ INTERLINGUA_SECRET: next, INTERLINGUA_FORMER_SECRETS: secret });
  forgetful = await start({ INTERLINGUA_SECRET: next });
});
beforeEach(() => {
  upstream.refuses = () => undefined;
});
afterAll(async () => {
  for (const each of [gateway, changed, forgetful]) await each?.close();
  await upstream?.[Symbol.asyncDispose]();
  await sim?.close();
});

interface Turn {
  client: ProtocolName;
  to: ProtocolName;
  stream: boolean;
  script: Script;
  fields: JsonObject;
  at?: TestGateway;
  key?: string;
}

/** One turn: the answer, what the upstream was sent at last, how often, and what it proved. */
async function ask({ client, to, stream, script, fields, at = gateway, key = at.caller.key }: Turn) {
  sim.setScript(script);
  upstream.seen.length = 0;
  upstream.answers.length = 0;
  const raw = await askRaw({ ...at.caller, key }, client, `model-${to}`, stream, fields);
  expect(raw.status, raw.text.slice(0, 800)).toBe(200);
  return {
    answer: raw.answer ?? {},
    sent: JSON.stringify(upstream.seen.at(-1)),
    sends: upstream.seen.length,
    proofs: proofsIn(upstream.answers.join("")),
    notices: raw.headers.get("x-interlingua-notices") ?? "",
  };
}

/** The first turn and the request of the second. */
async function begin(client: ProtocolName, to: ProtocolName, stream: boolean) {
  const conversation = conversations[client];
  const first = conversation.first("Weather in Oslo and Rome?");
  const { answer, proofs } = await ask({ client, to, stream, script: called, fields: first });
  expect(proofs.length).toBeGreaterThan(0);
  return { conversation, proofs, second: conversation.withResults(first, answer, weather) };
}

const ways = protocolNames.flatMap((client) =>
  proving.flatMap((to) => [false, true].map((s) => [client, to, s] as const)),
);

describe("L19 L20 three turns: home byte for byte, and never to another family", () => {
  for (const [client, to, stream] of ways) {
    for (const other of protocolNames) {
      if (families[other] === families[to]) continue;
      test(`${client}: ${to}, ${other}, and back${stream ? ", streaming" : ""}`, async () => {
        const { conversation, proofs, second } = await begin(client, to, stream);
        const away = await ask({ client, to: other, stream, script: closing, fields: second });
        for (const proof of proofs) expect(holds(away.sent, proof)).toBe(false);
        expect(away.sent).not.toMatch(/"gw\dE/);
        const third = conversation.withUser(second, away.answer, "And tomorrow?");
        const home = await ask({ client, to, stream, script: closing, fields: third });
        for (const proof of proofs) expect(home.sent).toContain(JSON.stringify(proof));
        expect(home.sent).not.toMatch(/"gw\dE/);
        for (const proof of away.proofs) if (!proofs.includes(proof)) expect(holds(home.sent, proof)).toBe(false);
      });
    }
  }
});

describe("2.5 a proof that the upstream refuses does not end the session", () => {
  test.each(ways)("%s on %s, stream %s", async (client, to, stream) => {
    const { conversation, proofs, second } = await begin(client, to, stream);
    upstream.refuses = (body) => {
      const text = JSON.stringify(body);
      return proofs.some((proof) => text.includes(proof)) ? refusals[to] : undefined;
    };
    const mended = await ask({ client, to, stream, script: closing, fields: second });
    expect(mended.sends).toBe(2);
    expect(mended.notices).toContain('"reasoning"');
    const third = conversation.withUser(second, mended.answer, "And tomorrow?");
    expect((await ask({ client, to, stream, script: closing, fields: third })).sends).toBe(2);
  });
});

/** Clients that carry a proof of this upstream in an envelope. */
const sealing = ways.filter(([client, to]) => families[client] !== families[to]);

describe("an envelope belongs to its account (L21)", () => {
  test.each(sealing)("%s on %s, stream %s", async (client, to, stream) => {
    const { proofs, second } = await begin(client, to, stream);
    const rotated = await ask({ client, to, stream, script: closing, fields: second, key: keys.other });
    for (const proof of proofs) expect(rotated.sent).toContain(JSON.stringify(proof));
    const strange = await ask({ client, to, stream, script: closing, fields: second, key: keys.stranger });
    for (const proof of proofs) expect(holds(strange.sent, proof)).toBe(false);
    expect(strange.sent).not.toMatch(/gw\dE/);
    expect(strange.notices).toContain("could not be opened");
  });

  test("nor does it go through the direct lane of its maker's family by another account", async () => {
    const { second } = await begin("messages", "responses", false);
    const strange = await ask({
      client: "messages",
      to: "messages",
      stream: false,
      script: closing,
      fields: second,
      key: keys.stranger,
    });
    expect(strange.sent).not.toMatch(/gw\dE/);
    expect(strange.notices).toContain("could not be opened");
  });
});

describe("an envelope outlives a change of the installation's secret as long as the former one is known", () => {
  test.each(sealing.filter(([, , stream]) => !stream))("%s on %s", async (client, to, stream) => {
    const { proofs, second } = await begin(client, to, stream);
    const known = await ask({ client, to, stream, script: closing, fields: second, at: changed });
    for (const proof of proofs) expect(known.sent).toContain(JSON.stringify(proof));
    const lost = await ask({ client, to, stream, script: closing, fields: second, at: forgetful });
    for (const proof of proofs) expect(holds(lost.sent, proof)).toBe(false);
    expect(lost.notices).toContain("could not be opened");
  });
});

describe("L21 a spoilt envelope is absent: told, never sent on, never a 500", () => {
  const spoil: Record<string, (envelope: string) => string> = {
    "a flipped bit": (envelope) => `${envelope.slice(0, 40)}${envelope[40] === "A" ? "B" : "A"}${envelope.slice(41)}`,
    "an unknown key": (envelope) => `${envelope.slice(0, 4)}AAAAAAAA${envelope.slice(12)}`,
    "nothing behind its head": (envelope) => envelope.slice(0, 12),
    "more than any envelope": (envelope) => envelope + "A".repeat(1_100_000),
  };
  for (const [name, change] of Object.entries(spoil)) {
    test.each(sealing.filter(([, , stream]) => !stream))(`${name}: %s on %s`, async (client, to, stream) => {
      const { proofs, second } = await begin(client, to, stream);
      const text = JSON.stringify(second).replace(/"(gw2E[^"]*)"/g, (_, envelope: string) => `"${change(envelope)}"`);
      const spoilt = await ask({ client, to, stream, script: closing, fields: JSON.parse(text) });
      for (const proof of proofs) expect(holds(spoilt.sent, proof)).toBe(false);
      expect(spoilt.sent).not.toMatch(/gw2E/);
      expect(spoilt.notices).toContain("could not be opened");
    });
  }
});
