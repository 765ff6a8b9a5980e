import { type JsonObject, type ProtocolName, protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCall } from "../calls/read-call.ts";
import { clientCall } from "../testing/client-call.ts";
import { type PickyUpstream, type Refusal, startPickyUpstream } from "../testing/picky-upstream.ts";
import { simChannel, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const neighbour = "test-access-key-of-a-neighbour-0123456789";
let upstream: PickyUpstream;
let gateway: TestGateway;
/** What is remembered of an upstream is remembered by its model: each test has its own. */
let model = 0;

beforeAll(async () => {
  upstream = await startPickyUpstream();
  gateway = await startTestGateway({
    channels: (simUrl) => {
      upstream.behind = simUrl;
      return protocolNames.map((protocol) => simChannel(upstream.url, protocol, { models: [modelEntry(protocol)] }));
    },
    config: (base) => ({
      ...base,
      accounts: [{ name: "neighbour", billing: "postpaid", creditLimit: null, markupPpm: 1_000_000, limits: {} }],
      accessKeys: [...base.accessKeys, { name: "neighbour", key: neighbour, account: "neighbour", lossy: "allow" }],
    }),
  });
});
const modelEntry = (protocol: ProtocolName) => ({ id: `${protocol}-*` });
beforeEach(() => {
  model += 1;
  upstream.seen.length = 0;
  upstream.refuses = () => undefined;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const modelOf = (protocol: ProtocolName) => `${protocol}-${model}`;

async function send(client: ProtocolName, to: ProtocolName, more: JsonObject, headers: Record<string, string> = {}) {
  const { path, body } = clientCall(client, modelOf(to), false);
  const response = await gateway.post(path, { ...body, ...more }, headers);
  const notices: { field: string; verdict: string }[] = JSON.parse(
    response.headers.get("x-interlingua-notices") ?? "[]",
  );
  const id = response.headers.get("x-request-id") ?? "";
  const text = await response.text();
  const call = await gateway.withDatabase((database) => readCall(database, id));
  return { status: response.status, fields: notices.map(({ field }) => field), text, call };
}

/** Conversations with proofs that no provider made, and the words in which each family refuses them. */
const conversations: Record<ProtocolName, { body: JsonObject; proof: string; refusal: JsonObject }> = {
  messages: {
    body: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "cHJvb2Y=" },
            { type: "text", text: "Yes." },
          ],
        },
        { role: "user", content: "And?" },
      ],
    },
    proof: "cHJvb2Y=",
    refusal: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "messages.1.content.0: Invalid `signature` in `thinking` block",
      },
    },
  },
  responses: {
    body: {
      input: [
        { role: "user", content: "Hi" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "cHJvb2Y=" },
        {
          type: "message",
          role: "assistant",
          id: "msg_1",
          status: "completed",
          content: [{ type: "output_text", text: "Yes.", annotations: [] }],
        },
        { role: "user", content: "And?" },
      ],
    },
    proof: "cHJvb2Y=",
    refusal: {
      error: {
        message: "The encrypted content cHJvb2Y= could not be verified.",
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    },
  },
  "generate-content": {
    body: {
      contents: [
        { role: "user", parts: [{ text: "Hi" }] },
        { role: "model", parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: "cHJvb2Y=" }] },
        { role: "user", parts: [{ functionResponse: { name: "f", response: { output: "ok" } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: "f" }] }],
    },
    proof: "cHJvb2Y=",
    refusal: { error: { code: 400, message: "Corrupted thought signature.", status: "INVALID_ARGUMENT" } },
  },
  "chat-completions": {
    body: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Yes.", reasoning_details: [{ type: "reasoning.encrypted", data: "cHJvb2Y=" }] },
        { role: "user", content: "And?" },
      ],
    },
    proof: "cHJvb2Y=",
    refusal: {
      error: {
        message: "Reasoning was not issued to this caller.",
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    },
  },
};

const refusesProof =
  (protocol: ProtocolName) =>
  (body: JsonObject): Refusal | undefined => {
    const { proof, refusal } = conversations[protocol];
    return JSON.stringify(body).includes(proof) ? { status: 400, body: refusal } : undefined;
  };

describe("a refused proof bricks no session (2.5)", () => {
  it.each(protocolNames)(
    "%s: the call goes once more to the same channel without it, and is told of it",
    async (protocol) => {
      upstream.refuses = refusesProof(protocol);
      const { status, fields, call, text } = await send(protocol, protocol, conversations[protocol].body);
      expect(status, text).toBe(200);
      expect(fields).toContain("reasoning");
      expect(upstream.seen).toHaveLength(2);
      expect(JSON.stringify(upstream.seen[1])).not.toContain(conversations[protocol].proof);
      expect(call).toMatchObject({ outcome: "succeeded", lane: "direct", errorKind: null });
      expect(call?.attempts.map(({ status: answered, errorKind }) => [answered, errorKind])).toEqual([
        [400, "bad_request"],
        [200, null],
      ]);
      expect(call?.attempts.map(({ possiblyBilled }) => possiblyBilled)).toEqual([false, false]);
      expect(call?.notices.map(({ field }) => field)).toContain("reasoning");
    },
  );

  it("a stream likewise", async () => {
    upstream.refuses = refusesProof("messages");
    const { path, body } = clientCall("messages", modelOf("messages"), true);
    const response = await gateway.post(path, { ...body, ...conversations.messages.body });
    expect(response.headers.get("x-interlingua-notices")).toContain("reasoning");
    expect(await response.text()).toContain("message_stop");
  });

  it("once: what is refused again is told as it came, and the channel is as well as before", async () => {
    const { refusal } = conversations.responses;
    upstream.refuses = () => ({ status: 400, body: refusal });
    const { status, text, call } = await send("responses", "responses", conversations.responses.body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual(refusal);
    expect(upstream.seen).toHaveLength(2);
    expect(call).toMatchObject({ outcome: "failed", errorKind: "bad_request" });
    upstream.refuses = () => undefined;
    expect((await send("responses", "responses", { input: "Hi" })).status).toBe(200);
  });

  it("nothing is sent again where there is no proof in the call, or the caller wants no loss", async () => {
    const { body, refusal } = conversations.messages;
    upstream.refuses = () => ({ status: 400, body: refusal });
    expect((await send("messages", "messages", {})).status).toBe(400);
    expect(upstream.seen).toHaveLength(1);
    const { status, text } = await send("messages", "messages", body, { "x-interlingua-lossy": "refuse" });
    expect([status, JSON.parse(text)]).toEqual([400, refusal]);
    expect(upstream.seen).toHaveLength(2);
  });
});

const unsupported = (param: string): Refusal => {
  const message = `Unsupported parameter: '${param}' is not supported with this model.`;
  return {
    status: 400,
    body: { error: { message, type: "invalid_request_error", param, code: "unsupported_parameter" } },
  };
};
/** A server's refusal of `user` that repeats what the caller wrote there. */
const quoting = (text: string): Refusal => ({
  status: 400,
  body: { error: { message: `Extra inputs are not permitted, field: 'user', value: '${text}'` } },
});
const refusesField = (field: string) => (body: JsonObject) =>
  body[field] === undefined ? undefined : unsupported(field);

describe("a refused parameter that only tunes is left out (7)", () => {
  it.each(["chat-completions", "responses", "messages", "generate-content"] as const)(
    "from %s: sent once more without exactly that, and left out at once from then on",
    async (client) => {
      upstream.refuses = refusesField("temperature");
      const tuned: JsonObject =
        client === "generate-content"
          ? { generationConfig: { temperature: 0.5, topP: 0.9 } }
          : { temperature: 0.5, top_p: 0.9 };
      const first = await send(client, "chat-completions", tuned);
      expect(first.status, first.text).toBe(200);
      const spelt = client === "generate-content" ? "generationConfig.temperature" : "temperature";
      expect(first.fields).toContain(spelt);
      const [refused, taken] = upstream.seen;
      const { temperature, ...rest } = refused ?? {};
      expect(temperature).toBe(0.5);
      expect(taken).toEqual(rest);
      expect(first.call?.attempts).toHaveLength(2);

      upstream.seen.length = 0;
      const second = await send(client, "chat-completions", tuned);
      expect(second.status).toBe(200);
      expect(second.fields).toContain(spelt);
      expect(upstream.seen).toEqual([rest]);
      expect(second.call?.attempts).toHaveLength(1);

      upstream.seen.length = 0;
      const untouched = await send(client, "chat-completions", {});
      expect(untouched.fields).not.toContain(spelt);
    },
  );

  it("is remembered of this model alone, and not where the call failed all the same", async () => {
    upstream.refuses = refusesField("temperature");
    await send("chat-completions", "chat-completions", { temperature: 0.5 });
    model += 1;
    upstream.refuses = () => unsupported("temperature");
    expect((await send("chat-completions", "chat-completions", { temperature: 0.5 })).status).toBe(400);
    upstream.seen.length = 0;
    upstream.refuses = () => undefined;
    const { fields } = await send("chat-completions", "chat-completions", { temperature: 0.5 });
    expect(fields).toEqual([]);
    expect(upstream.seen[0]?.temperature).toBe(0.5);
  });

  it.each([
    ["beside other fields alone", unsupported("temperature"), { reasoning_effort: "high" }],
    ["in words that the caller put into the refusal", quoting("Unsupported parameter: 'temperature'"), { user: "odd" }],
  ] as const)("what an account had refused %s, another one goes on to send", async (_how, refusal, odd) => {
    const [oddField] = Object.keys(odd);
    upstream.refuses = (body) =>
      body[oddField ?? ""] !== undefined && body.temperature !== undefined ? refusal : undefined;
    const taught = await send("chat-completions", "chat-completions", { temperature: 0.5, ...odd });
    expect(taught.status, taught.text).toBe(200);
    expect(taught.fields).toContain("temperature");
    upstream.seen.length = 0;
    const headers = { authorization: `Bearer ${neighbour}` };
    const { status, fields } = await send("chat-completions", "chat-completions", { temperature: 0.5 }, headers);
    expect([status, fields]).toEqual([200, []]);
    expect(upstream.seen).toMatchObject([{ temperature: 0.5 }]);
  });

  it("a caller who wants no loss is told of the refusal, also where it is foreseen", async () => {
    upstream.refuses = refusesField("temperature");
    await send("chat-completions", "chat-completions", { temperature: 0.5 });
    upstream.seen.length = 0;
    const { status, text } = await send(
      "chat-completions",
      "chat-completions",
      { temperature: 0.5 },
      { "x-interlingua-lossy": "refuse" },
    );
    expect([status, JSON.parse(text).error.param]).toEqual([400, "temperature"]);
    expect(upstream.seen).toHaveLength(1);
  });

  it("what says what the answer must be is never left out", async () => {
    upstream.refuses = refusesField("stop");
    const { status, text } = await send("chat-completions", "chat-completions", { stop: ["x"] });
    expect([status, JSON.parse(text)]).toEqual([400, unsupported("stop").body]);
    expect(upstream.seen).toHaveLength(1);
  });

  it("one repair of each kind: a proof and a field in one call, and no second field", async () => {
    const { body } = conversations["chat-completions"];
    const refuses =
      (...fields: string[]) =>
      (sent: JsonObject) =>
        refusesProof("chat-completions")(sent) ??
        fields.map((field) => refusesField(field)(sent)).find((refusal) => refusal);
    upstream.refuses = refuses("temperature");
    const mended = await send("chat-completions", "chat-completions", { ...body, temperature: 0.5 });
    expect(mended.status, mended.text).toBe(200);
    expect(mended.fields.toSorted()).toEqual(["reasoning", "temperature"]);
    expect(upstream.seen).toHaveLength(3);
    model += 1;
    upstream.seen.length = 0;
    upstream.refuses = refuses("seed", "top_p");
    expect((await send("chat-completions", "chat-completions", { seed: 1, top_p: 0.5 })).status).toBe(400);
    expect(upstream.seen).toHaveLength(2);
  });

  it("the record of the call holds no price for what was refused", async () => {
    upstream.refuses = refusesField("temperature");
    const mended = await send("chat-completions", "chat-completions", { temperature: 0.5 });
    const plain = await send("chat-completions", "chat-completions", {});
    expect(mended.call?.usage).toEqual(plain.call?.usage);
    expect(mended.call?.charge).toBe(plain.call?.charge);
    // The answer begins with the second try: a caller who leaves before it owes nothing for the refusal.
    const [, second] = mended.call?.attempts ?? [];
    expect(mended.call?.timings.firstByte).toBeGreaterThan(second?.started ?? Number.POSITIVE_INFINITY);
  });
});
