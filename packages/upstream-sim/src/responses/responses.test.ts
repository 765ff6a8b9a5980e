import OpenAI from "openai";
import OpenAI6 from "openai6";
import { describe, expect, it } from "vitest";
import { type Json, objectsOf } from "../json.ts";
import type { Script } from "../script.ts";
import type { UpstreamSim } from "../server.ts";
import { errorMessage, post, testSim, WEATHER_SCHEMA } from "../testing/test-sim.ts";

function client(sim: UpstreamSim): OpenAI {
  return new OpenAI({ apiKey: "test", baseURL: `${sim.url}/v1`, maxRetries: 0 });
}

const TOOL = { type: "function" as const, name: "get_weather", parameters: WEATHER_SCHEMA, strict: true };

const RICH: Script = {
  steps: [
    { kind: "reasoning", text: "Two cities are asked for." },
    {
      kind: "text",
      text: "Looking it up, größer 🌍.",
      citations: [{ url: "https://example.com/", title: "Source", start: 0, end: 7 }],
    },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Rome" } },
  ],
};

describe("Responses through the official SDK", () => {
  it("answers plainly and says that it is simulated", async () => {
    const sim = await testSim();
    const answer = await client(sim).responses.create({ model: "sandbox", input: "Hello there" });
    expect(answer.output_text).toMatch(/simulated answer.*Responses.*"Hello there"/);
    expect(answer.status).toBe("completed");
  });

  it("streams what it answers unary, in both SDK generations", async () => {
    const request = { model: "m", input: "x", tools: [TOOL] };
    const unary = (await post(await testSim({ script: RICH }), "/v1/responses", request)).body;
    const options = async () => ({
      apiKey: "test",
      baseURL: `${(await testSim({ script: RICH })).url}/v1`,
      maxRetries: 0,
    });
    const newest = await new OpenAI(await options()).responses.stream(request).finalResponse();
    const older = await new OpenAI6(await options()).responses.stream(request).finalResponse();
    for (const final of [newest, older]) {
      expect(final.output_text).toBe("Looking it up, größer 🌍.");
      expect(final.usage).toEqual(unary.usage);
      expect(final.output).toMatchObject([
        { type: "reasoning", summary: [{ text: "Two cities are asked for." }] },
        { type: "message", content: [{ annotations: [{ type: "url_citation", start_index: 0, end_index: 7 }] }] },
        { type: "function_call", arguments: '{"city":"Oslo"}' },
        { type: "function_call", arguments: '{"city":"Rome"}' },
      ]);
    }
  });

  it("numbers every event without a gap and ends with the one terminal event", async () => {
    const sim = await testSim({ script: RICH });
    const events = [];
    for await (const event of await client(sim).responses.create({ model: "m", input: "x", stream: true })) {
      events.push(event);
    }
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)?.type).toBe("response.completed");
  });

  it("continues a stored response by its id, and only one that was stored", async () => {
    const sim = await testSim();
    const openai = client(sim);
    const first = await openai.responses.create({ model: "sandbox", input: "use get_weather", tools: [TOOL] });
    const call = first.output.find((item) => item.type === "function_call");
    const second = await openai.responses.create({
      model: "sandbox",
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: call?.call_id ?? "", output: "4 C" }],
    });
    expect(second.output_text).toContain("tool get_weather returned 4 C");
    expect((await openai.responses.retrieve(second.id)).output_text).toBe(second.output_text);
    const kept = await openai.responses.create({ model: "sandbox", input: "x", store: false });
    await expect(
      openai.responses.create({ model: "sandbox", input: "x", previous_response_id: kept.id }),
    ).rejects.toMatchObject({ code: "previous_response_not_found" });
  });

  it("replays a stateless reasoning loop and refuses it without its reasoning", async () => {
    const sim = await testSim();
    const ask = (input: Json) =>
      post(sim, "/v1/responses", {
        model: "sandbox",
        store: false,
        reasoning: { effort: "low" },
        tools: [TOOL],
        input,
      });
    const user = { role: "user", content: "use get_weather" };
    const output = objectsOf((await ask([user])).body.output);
    expect(output.map((item) => item.type)).toEqual(["reasoning", "function_call"]);
    const result = { type: "function_call_output", call_id: output[1]?.call_id, output: "4 C" };
    const answered = await ask([user, ...output, result]);
    expect(JSON.stringify(answered.body.output)).toContain("returned 4 C");
    const withoutReasoning = await ask([user, ...output.slice(1), result]);
    expect(errorMessage(withoutReasoning.body)).toMatch(/without its required 'reasoning' item/);
    const forged = await ask([user, { ...output[0], encrypted_content: "gAAAAforged" }, ...output.slice(1), result]);
    expect(forged.body).toMatchObject({ error: { code: "invalid_encrypted_content" } });
  });

  it("ends a capped answer as incomplete", async () => {
    const sim = await testSim();
    const final = await client(sim)
      .responses.stream({ model: "sandbox", input: "x", max_output_tokens: 16 })
      .finalResponse();
    expect(final).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect(final.output).toMatchObject([{ status: "incomplete" }]);
  });

  it("gives generated images as an image_generation_call", async () => {
    const sim = await testSim();
    const final = await client(sim).responses.stream({ model: "sandbox-image", input: "x" }).finalResponse();
    expect(final.output.map((item) => item.type)).toEqual(["message", "image_generation_call"]);
  });

  it("raises an error event of a running stream", async () => {
    const sim = await testSim();
    const stream = client(sim).responses.stream({ model: "sandbox-error-event", input: "x" });
    await expect(stream.finalResponse()).rejects.toThrow("Simulated error inside the answer");
  });

  it("counts the input as the answer's usage does", async () => {
    const sim = await testSim();
    const counted = await client(sim).responses.inputTokens.count({ model: "sandbox", input: "Hello there" });
    const answer = await client(sim).responses.create({ model: "sandbox", input: "Hello there" });
    expect(answer.usage?.input_tokens).toBe(counted.input_tokens);
  });
});

const USER = { role: "user", content: "x" };
const CALL = { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" };
const OUTPUT = { type: "function_call_output", call_id: "call_1", output: "ok" };

describe("Responses strict mode", () => {
  it.each([
    ["a field of Chat Completions", { input: "x", messages: [] }, /Unknown parameter: 'messages'/],
    ["too small a cap", { input: "x", max_output_tokens: 15 }, /Expected a value >= 16, but got 15/],
    ["no input", {}, /must be provided/],
    ["a call without its output", { input: [USER, CALL] }, /No tool output found for function call call_1/],
    [
      "an output without its call",
      { input: [USER, OUTPUT] },
      /No tool call found for function call output with call_id call_1/,
    ],
    [
      "input text from the assistant",
      { input: [{ role: "assistant", content: [{ type: "input_text", text: "x" }] }] },
      /Supported values are: 'output_text' and 'refusal'/,
    ],
    ["a nested tool", { input: "x", tools: [{ type: "function", function: { name: "f" } }] }, /tools\[0\]\.function/],
    [
      "an unknown previous response",
      { input: "x", previous_response_id: "resp_x" },
      /Previous response with id 'resp_x' not found/,
    ],
    [
      "a lone reasoning item",
      { input: [{ type: "reasoning", id: "rs_1", summary: [] }, USER] },
      /required following item/,
    ],
    ["an unknown item", { input: [{ type: "tool", text: "x" }] }, /Invalid value: 'tool'/],
    ["too long a call id", { input: [{ ...CALL, call_id: "x".repeat(65) }, OUTPUT] }, /maximum length 64/],
  ])("refuses %s", async (_name, body, message) => {
    const sim = await testSim();
    const answer = await post(sim, "/v1/responses", { model: "sandbox", ...body });
    expect(answer.status).toBe(400);
    expect(errorMessage(answer.body)).toMatch(message);
  });
});
