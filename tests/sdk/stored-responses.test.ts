import { createOpenAI } from "@ai-sdk/openai";
import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { type Script, startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/**
 * The official SDK goes on from an answer by its id alone: thinking, two parallel calls, their results, one more question,
 * against a strict upstream that refuses a proof it did not make and a result without its call. Where the provider
 * speaks the responses protocol the state is its own; everywhere else the gateway keeps it.
 */
const upstreamModels: Record<ProtocolName, string> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "sandbox-gemini-3",
};
const converted = protocolNames.filter((name) => name !== "responses");

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
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const common = {
  tools: [{ type: "function" as const, name: "get_weather", parameters, strict: false }],
  reasoning: { effort: "high" as const, summary: "auto" as const },
  store: true,
};
const otherKey = "another-access-key-0123456789-0123456789";

let sim: UpstreamSim;
let gateway: TestGateway;
let client: OpenAI;
let stranger: OpenAI;

beforeAll(async () => {
  let minted = 0;
  sim = await startUpstreamSim({ clock: () => 1_790_000_000_000, ids: () => `id${++minted}` });
  gateway = await startTestGateway({
    accounts: [{ name: "other", billing: "postpaid" }],
    access_keys: [{ name: "stranger", key: otherKey, account: "other" }],
    channels: protocolNames.map((protocol) => ({
      name: protocol,
      protocols: [protocol],
      base_url: protocol === "chat-completions" || protocol === "responses" ? `${sim.url}/v1` : sim.url,
      api_key: "sim",
      models: [{ id: `model-${protocol}`, upstream_id: upstreamModels[protocol] }],
    })),
  });
  const { url, key } = gateway.caller;
  client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  stranger = new OpenAI({ apiKey: otherKey, baseURL: `${url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await gateway?.close();
  await sim?.close();
});

type Request = OpenAI.Responses.ResponseCreateParamsNonStreaming;

async function ask(script: Script, stream: boolean, request: Request): Promise<OpenAI.Responses.Response> {
  sim.setScript(script);
  if (!stream) return client.responses.create(request);
  const running = client.responses.stream({ ...request, stream: true });
  let created: string | undefined;
  running.on("response.created", (event) => {
    created = event.response.id;
    expect(event.response).toMatchObject({ store: true });
  });
  const response = await running.finalResponse();
  expect(response.id).toBe(created);
  return response;
}

function resultsOf(response: OpenAI.Responses.Response): OpenAI.Responses.ResponseInputItem[] {
  return response.output
    .filter((item) => item.type === "function_call")
    .map(({ call_id, arguments: text }) => ({
      type: "function_call_output",
      call_id,
      output: JSON.parse(text).city === "Oslo" ? "snow" : "sun",
    }));
}

/** Three turns, each by nothing but the id of the one before; `upstreams` names the family that each goes to. */
async function conversation(upstreams: readonly [ProtocolName, ProtocolName, ProtocolName], stream: boolean) {
  const [one, two, three] = upstreams.map((upstream) => `model-${upstream}`);
  const question = "Weather in Oslo and Rome?";
  const instructions = "Only in the first turn.";
  const first = await ask(calls, stream, { ...common, model: one, instructions, input: question });
  const results = resultsOf(first);
  expect(results).toHaveLength(2);
  const second = await ask(closing, stream, {
    ...common,
    model: two,
    previous_response_id: first.id,
    input: results,
  });
  expect(second).toMatchObject({ output_text: "Snow and sun.", store: true });
  if (upstreams[0] !== "responses") expect(second.previous_response_id).toBe(first.id);
  const third = await ask(closing, stream, {
    ...common,
    model: three,
    previous_response_id: second.id,
    input: "And tomorrow?",
  });
  expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  const sent = JSON.stringify(sim.requests.at(-1)?.json);
  return { first, second, third, sent, question, instructions };
}

describe("a conversation by ids", () => {
  for (const stream of [false, true]) {
    const mode = stream ? ", streaming" : "";

    for (const upstream of converted) {
      test(`R1 three turns on ${upstream}: the last request holds them all, without the first one's instructions${mode}`, async () => {
        const { sent, question, instructions } = await conversation([upstream, upstream, upstream], stream);
        for (const text of [question, "Looking.", "snow", "sun", "Snow and sun.", "And tomorrow?"]) {
          expect(sent).toContain(text);
        }
        expect(sent).not.toContain(instructions);
        expect(sent).not.toContain("previous_response_id");
      });

      test(`R1 from ${upstream} to a provider of the responses protocol, where it goes on, and back${mode}`, async () => {
        for (const last of ["responses", upstream] as const) {
          const { sent, question } = await conversation([upstream, "responses", last], stream);
          const texts = [question, "Looking.", "snow", "sun"];
          for (const text of [...texts, "Snow and sun.", "And tomorrow?"]) expect(sent).toContain(text);
          const history = sim.requests.at(-2)?.json as { input: unknown };
          expect(history).toMatchObject({ store: false });
          for (const text of texts) expect(JSON.stringify(history.input)).toContain(text);
        }
      });

      test(`R1 from ${upstream} to each other family${mode}`, async () => {
        for (const other of converted) {
          const { sent, question } = await conversation([upstream, other, upstream], stream);
          expect(sent).toContain(question);
        }
      });
    }

    test(`a provider of the responses protocol keeps its own state: the request is the caller's, byte for byte${mode}`, async () => {
      const { sent, second } = await conversation(["responses", "responses", "responses"], stream);
      expect(JSON.parse(sent)).toEqual({
        ...common,
        model: upstreamModels.responses,
        previous_response_id: second.id,
        input: "And tomorrow?",
        ...(stream ? { stream: true } : {}),
      });
    });
  }
});

describe("what is kept", () => {
  for (const upstream of converted) {
    test(`is read, listed and deleted by its own account alone (${upstream})`, async () => {
      const { second, third } = await conversation([upstream, upstream, upstream], false);
      expect(await client.responses.retrieve(third.id)).toEqual(third);

      const listed: OpenAI.Responses.ResponseItem[] = [];
      const page = await client.responses.inputItems.list(third.id, { order: "asc", limit: 3 });
      expect(page.data).toHaveLength(3);
      for await (const item of page) listed.push(item);
      expect(listed.at(0)).toMatchObject({ type: "message", role: "user" });
      expect(listed.at(-1)).toMatchObject({ content: [{ type: "input_text", text: "And tomorrow?" }] });
      expect(listed.filter(({ type }) => type === "function_call_output")).toHaveLength(2);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
      const [newest] = (await client.responses.inputItems.list(third.id)).data;
      expect(newest).toEqual(listed.at(-1));

      for (const refused of [
        stranger.responses.retrieve(third.id),
        stranger.responses.inputItems.list(third.id),
        stranger.responses.cancel(third.id),
        stranger.responses.delete(third.id),
      ]) {
        await expect(refused).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      }
      const stolen = { ...common, model: `model-${upstream}`, previous_response_id: third.id, input: "Go on" };
      await expect(stranger.responses.create(stolen)).rejects.toMatchObject({
        status: 400,
        code: "previous_response_not_found",
        param: "previous_response_id",
      });

      await expect(client.responses.cancel(third.id)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
      await client.responses.delete(second.id);
      await expect(client.responses.retrieve(second.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      // Each answer stands for itself: one that came later can still be gone on from.
      const fourth = await ask(closing, false, { ...stolen, input: "Go on" });
      expect(fourth.status).toBe("completed");
      await client.responses.delete(third.id);
      await expect(client.responses.create(stolen)).rejects.toMatchObject({ code: "previous_response_not_found" });
    });
  }
});

test("R5 the AI SDK refers to items of earlier answers by their ids alone; they are put in", async () => {
  const { url, key } = gateway.caller;
  let references = 0;
  const counting: typeof fetch = (address, init) => {
    references += String(init?.body).split('"item_reference"').length - 1;
    return fetch(address, init);
  };
  const provider = createOpenAI({ apiKey: key, baseURL: `${url}/v1`, fetch: counting });
  for (const upstream of converted) {
    references = 0;
    sim.setScript(({ json }) => (JSON.stringify(json).includes("snow in") ? closing : calls));
    const { text } = await generateText({
      model: provider.responses(`model-${upstream}`),
      prompt: "Weather in Oslo and Rome?",
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      // Chat completions show no reasoning, behind which the SDK would refer to the text of a model that reasons.
      providerOptions: { openai: { store: true, forceReasoning: upstream !== "chat-completions" } },
      tools: {
        get_weather: tool({
          inputSchema: jsonSchema<{ city: string }>(parameters),
          execute: async ({ city }) => `snow in ${city}`,
        }),
      },
    });
    expect(text).toBe("Snow and sun.");
    expect(references).toBeGreaterThan(0);
    const sent = JSON.stringify(sim.requests.at(-1)?.json);
    for (const said of ["Weather in Oslo and Rome?", "Looking.", "snow in Rome"]) expect(sent).toContain(said);
    expect(sent).not.toContain("item_reference");
  }
});
