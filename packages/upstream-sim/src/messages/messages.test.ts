import Anthropic from "@anthropic-ai/sdk";
import Anthropic0 from "anthropic0";
import { describe, expect, it } from "vitest";
import type { Script } from "../script.ts";
import type { UpstreamSim } from "../server.ts";
import { errorMessage, post, testSim, WEATHER_SCHEMA } from "../testing/test-sim.ts";

function client(sim: UpstreamSim): Anthropic {
  return new Anthropic({ apiKey: "test", baseURL: sim.url, maxRetries: 0 });
}

const TOOL = { name: "get_weather", input_schema: { ...WEATHER_SCHEMA, type: "object" as const } };
const USER = { role: "user" as const, content: "use get_weather" };

const RICH: Script = {
  steps: [
    { kind: "reasoning", text: "Two cities are asked for." },
    { kind: "redacted-reasoning" },
    {
      kind: "text",
      text: "Looking it up, größer 🌍.",
      citations: [{ url: "https://example.com/", title: "Source", start: 0, end: 7 }],
    },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } },
    { kind: "tool-call", name: "get_weather", arguments: {} },
  ],
  usage: { input: 100, cacheRead: 30, cacheWrite: 20, output: 40, reasoning: 10 },
};

describe("Messages through the official SDK", () => {
  it("answers plainly and says that it is simulated, in both SDK generations", async () => {
    const sim = await testSim();
    const options = { apiKey: "test", baseURL: sim.url, maxRetries: 0 };
    const request = { model: "sandbox", max_tokens: 500, messages: [{ role: "user" as const, content: "Hello" }] };
    const said = /simulated answer.*Messages.*"Hello"/;
    const newest = new Anthropic(options);
    expect((await newest.messages.create(request)).content).toMatchObject([{ text: expect.stringMatching(said) }]);
    expect(await newest.messages.stream(request).finalText()).toMatch(said);
    const older = new Anthropic0(options);
    expect((await older.messages.create(request)).content).toMatchObject([{ text: expect.stringMatching(said) }]);
    expect(await older.messages.stream(request).finalText()).toMatch(said);
  });

  it("streams what it answers unary: thinking, citations, calls, usage", async () => {
    const first = await testSim({ script: RICH });
    const second = await testSim({ script: RICH });
    const request = { model: "m", max_tokens: 500, messages: [USER], tools: [TOOL] };
    const unary = await client(first).messages.create(request);
    const streamed = await client(second).messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(unary.content);
    expect(streamed.usage).toEqual(unary.usage);
    expect(streamed.stop_reason).toBe("tool_use");
    expect(streamed.usage).toMatchObject({
      input_tokens: 50,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 20,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 10 },
    });
  });

  it("takes its own signed thinking back and refuses a changed or foreign one", async () => {
    const sim = await testSim();
    const request = {
      model: "sandbox",
      max_tokens: 4000,
      thinking: { type: "enabled" as const, budget_tokens: 2000 },
      tools: [TOOL],
    };
    const first = await client(sim).messages.create({ ...request, messages: [USER] });
    expect(first.content.map((block) => block.type)).toEqual(["thinking", "tool_use"]);
    const call = first.content.find((block) => block.type === "tool_use");
    const result = {
      role: "user" as const,
      content: [{ type: "tool_result" as const, tool_use_id: call?.id ?? "", content: "4 C" }],
    };
    const replay = (content: Anthropic.ContentBlockParam[]) =>
      client(sim).messages.create({ ...request, messages: [USER, { role: "assistant", content }, result] });
    expect(JSON.stringify((await replay(first.content)).content)).toContain("returned 4 C");
    const changed = first.content.map((block) =>
      block.type === "thinking" ? { ...block, thinking: "changed" } : block,
    );
    await expect(replay(changed)).rejects.toThrow(/messages\.1\.content\.0: Invalid `signature` in `thinking` block/);
    await expect(replay(first.content.filter((block) => block.type !== "thinking"))).rejects.toThrow(
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    );
  });

  it("keeps an omitted thinking valid by its signature", async () => {
    const sim = await testSim();
    const request = {
      model: "sandbox",
      max_tokens: 4000,
      thinking: { type: "adaptive" as const, display: "omitted" as const },
      messages: [{ role: "user" as const, content: "x" }],
    };
    const first = await client(sim).messages.stream(request).finalMessage();
    expect(first.content[0]).toMatchObject({ type: "thinking", thinking: "", signature: expect.stringMatching(/./) });
    const next = { role: "user" as const, content: "go on" };
    const second = await client(sim).messages.create({
      ...request,
      messages: [...request.messages, { role: "assistant", content: first.content }, next],
    });
    expect(second.stop_reason).toBe("end_turn");
  });

  it("gives a structured answer, a cap, a stop sequence and a refusal their own endings", async () => {
    const sim = await testSim();
    const base = { model: "sandbox", max_tokens: 500, messages: [{ role: "user" as const, content: "x" }] };
    const structured = await client(sim).messages.create({
      ...base,
      output_config: { format: { type: "json_schema", schema: WEATHER_SCHEMA } },
    });
    expect(structured.content).toEqual([{ type: "text", text: '{"city":"simulated"}' }]);
    const capped = await client(sim).messages.create({ ...base, max_tokens: 3 });
    expect(capped).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 3 } });
    const stopped = await client(sim).messages.create({ ...base, stop_sequences: ["simulated"] });
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "simulated" });
    const refused = await client(sim)
      .messages.stream({ ...base, model: "sandbox-refusal" })
      .finalMessage();
    expect(refused).toMatchObject({ stop_reason: "refusal", stop_details: { type: "refusal" }, content: [] });
  });

  it("raises the SDK's own error classes", async () => {
    const sim = await testSim();
    const ask = (model: string) =>
      client(sim).messages.create({ model, max_tokens: 100, messages: [{ role: "user", content: "x" }] });
    await expect(ask("sandbox-missing")).rejects.toThrow(Anthropic.NotFoundError);
    await expect(ask("sandbox-error-429")).rejects.toThrow(Anthropic.RateLimitError);
    await expect(ask("sandbox-error-529")).rejects.toThrow(/overloaded_error/);
    const stream = client(sim).messages.stream({ model: "sandbox-error-event", max_tokens: 100, messages: [USER] });
    await expect(stream.finalMessage()).rejects.toThrow("Simulated error inside the answer");
  });

  it("counts the input as the answer's usage does", async () => {
    const sim = await testSim();
    const counted = await client(sim).messages.countTokens({ model: "sandbox", messages: [USER] });
    const answer = await client(sim).messages.create({ model: "sandbox", max_tokens: 100, messages: [USER] });
    expect(answer.usage.input_tokens).toBe(counted.input_tokens);
  });
});

const TEXT_USER = { role: "user", content: "x" };
const CALL = { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "f", input: {} }] };
const RESULT = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };
const TEXT = { type: "text", text: "and" };

describe("Messages strict mode", () => {
  it.each([
    ["an unknown field", { foo: 1 }, "foo: Extra inputs are not permitted"],
    [
      "a field of OpenAI in a block",
      { messages: [{ role: "user", content: [{ ...TEXT, annotations: [] }] }] },
      "messages.0.content.0.text.annotations: Extra inputs are not permitted",
    ],
    ["no max_tokens", { max_tokens: undefined }, "max_tokens: Field required"],
    ["a temperature above 1", { temperature: 1.5 }, "temperature: Input should be less than or equal to 1"],
    [
      "an assistant first",
      { messages: [{ role: "assistant", content: "x" }, TEXT_USER] },
      'first message must use the "user" role',
    ],
    [
      "an empty text block",
      { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] },
      "text content blocks must be non-empty",
    ],
    [
      "a call without result",
      { messages: [TEXT_USER, CALL, TEXT_USER] },
      "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1",
    ],
    [
      "a result after text",
      { messages: [TEXT_USER, CALL, { role: "user", content: [TEXT, RESULT] }] },
      "`tool_use` ids were found without `tool_result` blocks immediately after",
    ],
    [
      "an orphan result",
      { messages: [{ role: "user", content: [RESULT] }] },
      "unexpected `tool_use_id` found in `tool_result` blocks: toolu_1",
    ],
    [
      "a foreign call id",
      {
        messages: [
          TEXT_USER,
          { role: "assistant", content: [{ type: "tool_use", id: "call.1", name: "f", input: {} }] },
        ],
      },
      "messages.1.content.0.tool_use.id: String should match pattern",
    ],
    [
      "arguments as text",
      {
        messages: [TEXT_USER, { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: "{}" }] }],
      },
      "tool_use.input: Input should be a object",
    ],
    [
      "a made-up signature",
      {
        messages: [
          TEXT_USER,
          { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "x" }, TEXT] },
          TEXT_USER,
        ],
      },
      "Invalid `signature` in `thinking` block",
    ],
    [
      "a small thinking budget",
      { thinking: { type: "enabled", budget_tokens: 100 } },
      "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    ],
    [
      "a budget above the cap",
      { thinking: { type: "enabled", budget_tokens: 4000 } },
      "`max_tokens` must be greater than `thinking.budget_tokens`",
    ],
    [
      "tool_choice without tools",
      { tool_choice: { type: "any" } },
      "tool_choice may only be specified while providing tools",
    ],
    [
      "five cache breakpoints",
      { messages: [{ role: "user", content: Array(5).fill({ ...TEXT, cache_control: { type: "ephemeral" } }) }] },
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ],
    [
      "an open output schema",
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      "'additionalProperties' must be explicitly set to false",
    ],
    [
      "a beta field without its header",
      { context_management: {} },
      "context_management: Extra inputs are not permitted",
    ],
  ])("refuses %s", async (_name, change, message) => {
    const sim = await testSim();
    const body = { model: "sandbox", max_tokens: 2000, messages: [TEXT_USER], ...change };
    const answer = await post(sim, "/v1/messages", body);
    expect(answer.status).toBe(400);
    expect(errorMessage(answer.body)).toContain(message);
  });

  it("demands a known version, and no sampling in the newest", async () => {
    const sim = await testSim();
    const body = { model: "sandbox", max_tokens: 10, temperature: 1, messages: [TEXT_USER] };
    const ask = async (version: string) =>
      (await post(sim, "/v1/messages", body, { "anthropic-version": version })).status;
    expect(await ask("2023-06-01")).toBe(200);
    expect(await ask("2026-10-21")).toBe(400);
    expect(await ask("1999-01-01")).toBe(400);
  });
});

describe("Threads that the provider holds", () => {
  const betas = ["message-threads-2026-08-12" as const];
  const ask = { model: "sandbox", max_tokens: 500, betas };

  it("go on from an answer with what was said and offered before it, once", async () => {
    const sim = await testSim();
    const messages = client(sim).beta.messages;
    const first = await messages.create({ ...ask, messages: [USER], tools: [TOOL], thread: { type: "create" } });
    const called = first.content.find((block) => block.type === "tool_use");
    const next = {
      ...ask,
      messages: [{ role: "user" as const, content: [result(called?.id ?? "", "It snows.")] }],
      thread: { type: "continue" as const, previous_message_id: first.id },
    };
    expect((await messages.create(next)).content).toMatchObject([
      { text: expect.stringContaining("get_weather returned It snows.") },
    ]);
    await expect(messages.create(next)).rejects.toMatchObject({ errorCode: "thread_already_continued" });
    await expect(
      messages.create({ ...next, thread: { type: "continue", previous_message_id: "msg_nobody" } }),
    ).rejects.toMatchObject({ status: 404, errorCode: "thread_not_found" });
  });
});

function result(tool_use_id: string, content: string) {
  return { type: "tool_result" as const, tool_use_id, content };
}
