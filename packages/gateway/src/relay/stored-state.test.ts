import type { JsonObject } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProcessRateCounters } from "../coordination/process-rate-counters.ts";
import { exampleKey } from "../testing/example-key.ts";
import { paying } from "../testing/paying-gateway.ts";
import { ask, hello, read, streamed } from "../testing/responses-caller.ts";
import { startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { withStoredState } from "./stored-state.ts";

const ownId = "resp_01m7z38syx3gs59fjx16bcbsej";
const steps = [{ kind: "text" as const, text: "Good day." }];

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({ script: { steps } });
});
afterAll(() => test[Symbol.asyncDispose]());

describe("what a call costs that uses no stored state", () => {
  const unread = {
    storedResponses: {
      keeperFor: () => undefined,
      read: () => Promise.reject(new Error("read")),
      findItems: () => Promise.reject(new Error("read")),
    },
    counters: createProcessRateCounters(() => 0),
  };
  const call = (client: IncomingCall["client"], value: JsonObject): IncomingCall => ({
    id: "call_1",
    client,
    key: exampleKey(),
    startedAt: 0,
    started: 0,
    lossy: "allow",
    envelope: {},
    framing: "sse",
    idempotencyKey: null,
    protocolHeaders: {},
    document: { value, bytes: Buffer.from(JSON.stringify(value)) },
  });

  it.each<[string, IncomingCall["client"], JsonObject]>([
    ["another protocol", "messages", { previous_response_id: ownId }],
    ["a text", "responses", { input: "Hi" }],
    ["whole items", "responses", { input: [{ type: "message", id: "msg_1", role: "user", content: "Hi" }] }],
    ["the provider's own answer", "responses", { previous_response_id: "resp_68a1f00dcafe", input: "Hi" }],
    ["the provider's own item", "responses", { input: [{ type: "item_reference", id: "msg_68a1f00dcafe" }] }],
    ["what the decoder refuses", "responses", { previous_response_id: ownId, input: 3 }],
    ["a list that holds no item", "responses", { input: [{ type: "item_reference", id: ownId }, 3] }],
  ])("nothing is read and nothing copied for %s", (_name, client, value) => {
    const incoming = call(client, value);
    expect(withStoredState(unread, incoming)).toBe(incoming);
  });

  it("C13 a caller that is beyond its limits has nothing read either", async () => {
    const incoming = call("responses", { previous_response_id: ownId });
    const { id: keyId, limits, account } = incoming.key;
    for (let turn = 0; turn < 100_000 && unread.counters.admitRead({ keyId, limits, account }).ok; turn++);
    await expect(withStoredState(unread, incoming)).rejects.toMatchObject({ error: { kind: "rate_limit" } });
  });
});

describe("R1 R2 whether an answer is kept", () => {
  it("it is where the caller asks for it: what is read later is what the caller got", async () => {
    const answer = await ask(test, { store: true });
    expect(answer).toMatchObject({ http: 200, store: true, notices: null });
    const { http: _http, notices: _notices, ...body } = answer;
    expect(await (await read(test, answer.id)).json()).toEqual(body);
  });

  it("silence is no wish, and the answer says so", async () => {
    const answer = await ask(test, {});
    expect(answer).toMatchObject({ store: false, notices: null });
    expect((await read(test, answer.id)).status).toBe(404);
  });

  it("silence is one where the operator reads it so; `false` never is", async () => {
    const config = { keep: "default" as const, ttlMs: 60_000, maxBytes: 100_000 };
    await using own = await startTestGateway({ config: (base) => ({ ...base, storedResponses: config }) });
    const [silent, unwilling] = [await ask(own, {}), await ask(own, { store: false })];
    expect([silent.store, unwilling.store]).toEqual([true, false]);
    expect([(await read(own, silent.id)).status, (await read(own, unwilling.id)).status]).toEqual([200, 404]);
  });

  it("an operator who keeps none has callers told, and those who accept no loss refused", async () => {
    const config = { keep: "never" as const, ttlMs: 60_000, maxBytes: 100_000 };
    await using own = await startTestGateway({ config: (base) => ({ ...base, storedResponses: config }) });
    const answer = await ask(own, { store: true });
    expect(answer).toMatchObject({ http: 200, store: false, notices: expect.stringContaining("store") });
    const refused = await ask(own, { store: true }, { "x-interlingua-lossy": "refuse" });
    expect(refused).toMatchObject({ http: 400, error: { param: "store" } });
  });

  it("an answer that grew too large is not: its last event and its record say so", async () => {
    const config = { keep: "asked" as const, ttlMs: 60_000, maxBytes: 400 };
    await using own = await startTestGateway({
      script: { steps },
      config: (base) => ({ ...base, storedResponses: config }),
    });
    const events = await streamed(own, { store: true });
    expect(events["response.created"]?.store).toBe(true);
    expect(events["response.completed"]?.store).toBe(false);
    expect(await ask(own, { store: true })).toMatchObject({ store: false, notices: expect.stringContaining("store") });
    expect((await read(own, events["response.completed"]?.id ?? "")).status).toBe(404);
    const calls = await own.calls();
    expect(calls.map(({ notices }) => notices.map(({ field }) => field))).toEqual([["store"], ["store"]]);
  });

  it("an answer that broke off is not, and says so", async () => {
    await using own = await startTestGateway({ script: { steps, fault: { kind: "no-terminal" } } });
    const events = await streamed(own, { store: true });
    const failed = events["response.failed"];
    expect(failed?.store).toBe(false);
    expect((await read(own, failed?.id ?? "")).status).toBe(404);
  });

  it("M1 an answer whose call cannot be recorded is not, and is not declared finished", async () => {
    await using own = await startTestGateway({ script: { steps } });
    const rule = "create trigger no_more before insert on call begin select raise(abort, 'no more'); end";
    await own.withDatabase(({ write }) => write([{ sql: rule, parameters: [] }]));
    expect((await ask(own, { store: true })).http).toBe(503);
    expect(Object.keys(await streamed(own, { store: true }))).not.toContain("response.completed");
    const kept = await own.withDatabase(({ read: from }) => from.selectFrom("stored_response").selectAll().execute());
    expect(kept).toEqual([]);
  });

  it("an answer whose caller left in the middle is not", async () => {
    await using own = await startTestGateway({ script: { steps, fault: { kind: "stall", afterEvents: 3 } } });
    const leave = new AbortController();
    const response = await fetch(`${own.address}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ ...hello, stream: true, store: true }),
      signal: leave.signal,
    });
    await response.body?.getReader().read();
    leave.abort();
    await expect.poll(async () => (await own.calls()).map(({ outcome }) => outcome)).toEqual(["client_closed"]);
    const kept = await own.withDatabase(({ read: from }) => from.selectFrom("stored_response").selectAll().execute());
    expect(kept).toEqual([]);
  });

  it("an answer that reached its limit is: it can be gone on from", async () => {
    await using own = await startTestGateway({ script: { steps, finish: "length" } });
    const first = (await streamed(own, { store: true }))["response.incomplete"];
    expect(first?.store).toBe(true);
    const next = await ask(own, { previous_response_id: first?.id ?? "", input: "Go on" });
    expect(next.http).toBe(200);
    expect(JSON.stringify(own.sim.requests.at(-1)?.json)).toContain("Good day.");
  });
});

describe("R1 R3 R5 what is refused", () => {
  it.each<[string, JsonObject, string, string]>([
    [
      "an answer that is not stored",
      { previous_response_id: ownId },
      "previous_response_id",
      "previous_response_not_found",
    ],
    [
      "a provider's answer",
      { previous_response_id: "resp_68a1" },
      "previous_response_id",
      "previous_response_not_found",
    ],
    [
      "an item that is not stored",
      { input: [{ type: "item_reference", id: "msg_01m7z38syx3gs59fjx16bcbsej" }] },
      "input[0]",
      "unsupported_parameter",
    ],
    ["a conversation", { conversation: "conv_1" }, "conversation", "unsupported_parameter"],
    [
      "a conversation and an answer",
      { conversation: "conv_1", previous_response_id: ownId },
      "conversation",
      "invalid_value",
    ],
    ["background work", { background: true, store: true }, "background", "unsupported_parameter"],
  ])("%s", async (_name, body, param, code) => {
    expect(await ask(test, body)).toMatchObject({ http: 400, error: { param, code } });
  });

  it("the caller's own items keep their places in what is told of them", async () => {
    const first = await ask(test, { store: true });
    const bad = {
      previous_response_id: first.id,
      input: [
        { role: "user", content: "x" },
        { type: "function_call", name: "x" },
      ],
    };
    const refused = await ask(test, bad);
    expect(refused).toMatchObject({ http: 400, error: { param: expect.stringMatching(/^input\[1\]/) } });
  });
});

describe("R1 custom calls", () => {
  it("of an earlier answer are what they were, though their tool ran as a function", async () => {
    const tools = [{ type: "custom", name: "shell", description: "Runs a command" }];
    const call = { kind: "tool-call" as const, name: "shell", arguments: { input: "ls -l" } };
    await using own = await startTestGateway({ script: { steps: [call] } });
    const first = await ask(own, { store: true, tools });
    const { output } = (await (await read(own, first.id)).json()) as { output: { type: string; call_id: string }[] };
    expect(output.at(-1)).toMatchObject({ type: "custom_tool_call", name: "shell", input: "ls -l" });
    own.sim.setScript({ steps });
    const result = { type: "custom_tool_call_output", call_id: output.at(-1)?.call_id ?? "", output: "total 0" };
    expect((await ask(own, { tools, previous_response_id: first.id, input: [result] })).http).toBe(200);
    const sent = own.sim.requests.at(-1)?.json as { messages: { content: unknown }[] };
    const [called, answered] = sent.messages.slice(-2).map(({ content }) => content);
    expect(called).toMatchObject([{ type: "tool_use", name: "shell", input: { input: "ls -l" } }]);
    expect(answered).toMatchObject([{ type: "tool_result" }]);
  });
});

describe("R5 references", () => {
  it("to an item of the history is the item where it stands, once", async () => {
    const first = await ask(test, { store: true });
    const { output } = (await (await read(test, first.id)).json()) as { output: { id: string }[] };
    const reference = { type: "item_reference", id: output[0]?.id ?? "" };
    const user = { role: "user", content: "And now?" };
    const next = await ask(test, { previous_response_id: first.id, input: [reference, user] });
    expect(next.http).toBe(200);
    const sent = test.sim.requests.at(-1)?.json as { messages: { role: string }[] };
    expect(sent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });
});

describe("R1 a provider of the same protocol that is to go on from what the gateway keeps", () => {
  it("keeps nothing where the caller asked for it here: the conversation stays here, and goes back from there", async () => {
    const first = await ask(test, { store: true });
    const next = await ask(test, { model: "to-responses", store: true, previous_response_id: first.id, input: "And?" });
    expect(next).toMatchObject({ http: 200, store: true, previous_response_id: first.id, notices: null });
    expect(test.sim.requests.at(-1)?.json).toMatchObject({ store: false });
    expect((await read(test, next.id)).status).toBe(200);
    const back = await ask(test, { previous_response_id: next.id, input: "And then?" });
    expect(back.http).toBe(200);
    const sent = test.sim.requests.at(-1)?.json as { messages: { role: string }[] };
    expect(sent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
  });

  it("gets the history in the input, and the caller is told", async () => {
    const first = await ask(test, { store: true });
    const next = await ask(test, { model: "to-responses", previous_response_id: first.id, input: "And now?" });
    expect(next.http).toBe(200);
    const told: unknown = JSON.parse(next.notices ?? "[]");
    expect(told).toEqual([
      { field: "previous_response_id", verdict: "emulated", detail: expect.stringContaining("put it into the input") },
    ]);
    const sent = test.sim.requests.at(-1)?.json as { input: { role: string }[] };
    expect(sent.input.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(sent).not.toHaveProperty("previous_response_id");
  });

  it("is not pointed at thoughts that it never had; they stay in the list of what was said, under one id", async () => {
    const thought = { kind: "reasoning" as const, text: "Hm." };
    await using own = await startTestGateway({
      script: { steps: [thought, ...steps], chatReasoning: "reasoning_content" },
      // A server that shows its thoughts takes them back, too, which OpenAI does not.
      strict: false,
    });
    const first = await ask(own, { model: "to-chat-completions", store: true });
    const next = await ask(own, { model: "to-chat-completions", store: true, previous_response_id: first.id });
    const listed = async (id: string): Promise<{ type: string; id: string }[]> =>
      JSON.parse(await (await read(own, `${id}/input_items`)).text()).data;
    const output = JSON.parse(await (await read(own, first.id)).text()).output as { type: string; id: string }[];
    const [said] = output.filter(({ type }) => type === "reasoning");
    expect(said?.id).toMatch(/^rs_/);
    expect((await listed(next.id)).filter(({ type }) => type === "reasoning")).toEqual([said]);
    expect((await ask(own, { model: "to-responses", previous_response_id: next.id })).http).toBe(200);
    expect(JSON.stringify(own.sim.requests.at(-1)?.json)).not.toContain('"rs_');
  });

  it("keeps its answer as it would have, where nobody asked for it here: unless told not to", async () => {
    const first = await ask(test, { store: true });
    const sent: unknown[] = [];
    for (const wish of [{}, { store: false }]) {
      await ask(test, { model: "to-responses", previous_response_id: first.id, ...wish });
      sent.push(test.sim.requests.at(-1)?.json);
    }
    expect(sent).toMatchObject([{ store: true, model: "sandbox" }, { store: false }]);
  });

  it("is asked to answer in the background as the caller asked", async () => {
    const first = await ask(test, { store: true });
    await ask(test, { model: "to-responses", store: true, background: true, previous_response_id: first.id });
    expect(test.sim.requests.at(-1)?.json).toMatchObject({ store: true, background: true });
  });
});

describe("what is counted and charged", () => {
  it("a token count counts the history, too", async () => {
    const first = await ask(test, { store: true, input: "A long story. ".repeat(200) });
    const count = async (body: JsonObject) => {
      const response = await test.post("/v1/responses/input_tokens", { model: "to-messages", input: "Go on", ...body });
      const { input_tokens }: { input_tokens: number } = JSON.parse(await response.text());
      return input_tokens;
    };
    const alone = await count({});
    expect(await count({ previous_response_id: first.id })).toBeGreaterThan(alone + 200);
  });

  it("the history is input: as much money is set aside for it as if the caller had sent it", async () => {
    await using own = await paying({ billing: "postpaid" }, { script: { steps } });
    const input = "A long story. ".repeat(200);
    const first = await ask(own, { store: true, input });
    await ask(own, { previous_response_id: first.id, input: "Go on" });
    await ask(own, { input: "Go on" });
    const [alone, told] = await own.calls();
    // 1,000 nano-dollars a token, a token a byte.
    expect(Number((told?.reserved ?? 0n) - (alone?.reserved ?? 0n))).toBeGreaterThan(input.length * 1000);
    expect(Number(told?.charge ?? 0n)).toBeGreaterThan(Number(alone?.charge ?? 0n));
  });
});
