import OpenAI from "openai";
import OpenAI6 from "openai6";
import { describe, expect, it } from "vitest";
import type { Script } from "../script.ts";
import type { UpstreamSim } from "../server.ts";
import { errorMessage, post, testSim, WEATHER_SCHEMA } from "../testing/test-sim.ts";

function client(sim: UpstreamSim): OpenAI {
  return new OpenAI({ apiKey: "test", baseURL: `${sim.url}/v1`, maxRetries: 0 });
}

const TOOLS = ["get_weather", "get_time"].map((name) => ({
  type: "function" as const,
  function: { name, parameters: WEATHER_SCHEMA, strict: true },
}));

const CALLS: Script = {
  steps: [
    { kind: "text", text: "Looking both up: größer 🌍." },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } },
    { kind: "tool-call", name: "get_time", arguments: { city: "Rome" } },
  ],
  usage: { input: 100, cacheRead: 40, output: 20, reasoning: 5 },
};

describe("Chat Completions through the official SDK", () => {
  it("answers plainly and says that it is simulated", async () => {
    const sim = await testSim();
    const answer = await client(sim).chat.completions.create({
      model: "sandbox",
      messages: [{ role: "user", content: "Hello there" }],
    });
    expect(answer.choices[0]?.message.content).toMatch(/simulated answer.*Chat Completions.*"Hello there"/);
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    );
  });

  it("streams what it answers unary: text, parallel calls, usage", async () => {
    const sim = await testSim({ script: CALLS });
    const request = { model: "m", messages: [{ role: "user" as const, content: "x" }], tools: TOOLS };
    const unary = await client(sim).chat.completions.create(request);
    const streamed = await client(sim)
      .chat.completions.stream({ ...request, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const { choices, usage } = streamed;
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(choices[0]?.message.content).toBe("Looking both up: größer 🌍.");
    expect(choices[0]?.message.tool_calls?.map((call) => call.type === "function" && call.function.arguments)).toEqual([
      '{"city":"Oslo"}',
      '{"city":"Rome"}',
    ]);
    expect(unary.choices[0]?.message.content).toBe(choices[0]?.message.content);
    expect(usage).toEqual(unary.usage);
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(40);
  });

  it("runs a whole tool loop with the runner of both SDK generations", async () => {
    const sim = await testSim();
    const options = { apiKey: "test", baseURL: `${sim.url}/v1`, maxRetries: 0 };
    const asked: unknown[] = [];
    const answer = (input: string) => {
      asked.push(JSON.parse(input));
      return "4 C, rain";
    };
    const tool = {
      type: "function" as const,
      function: { name: "get_weather", description: "Weather", parameters: WEATHER_SCHEMA, function: answer },
    };
    const messages = [{ role: "user" as const, content: "Please use get_weather" }];
    const request = { model: "sandbox", stream: true as const, messages, tools: [tool] };
    const newest = new OpenAI(options).chat.completions.runTools(request);
    expect(await newest.finalContent()).toContain("tool get_weather returned 4 C, rain");
    const older = new OpenAI6(options).chat.completions.runTools(request);
    expect(await older.finalContent()).toContain("tool get_weather returned 4 C, rain");
    expect(asked).toEqual([{ city: "simulated" }, { city: "simulated" }]);
  });

  it("gives a json_schema answer that the SDK parses", async () => {
    const sim = await testSim();
    const answer = await client(sim)
      .chat.completions.stream({
        model: "sandbox",
        messages: [{ role: "user", content: "x" }],
        response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema: WEATHER_SCHEMA } },
      })
      .finalChatCompletion();
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual({ city: "simulated" });
  });

  it("shows reasoning only in the field that a script names", async () => {
    const steps: Script["steps"] = [
      { kind: "reasoning", text: "thinking it over" },
      { kind: "text", text: "done" },
    ];
    const sim = await testSim({ script: { steps } });
    const body = { model: "m", messages: [{ role: "user", content: "x" }] };
    expect(JSON.stringify((await post(sim, "/v1/chat/completions", body)).body)).not.toContain("thinking it over");
    sim.setScript({ steps, chatReasoning: "reasoning_content" });
    expect((await post(sim, "/v1/chat/completions", body)).body.choices).toMatchObject([
      { message: { content: "done", reasoning_content: "thinking it over" } },
    ]);
  });

  it("gives a refusal in the refusal field with content null", async () => {
    const sim = await testSim();
    const answer = await client(sim).chat.completions.create({
      model: "sandbox-refusal",
      messages: [{ role: "user", content: "x" }],
    });
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: null } });
    expect(answer.choices[0]?.message.refusal).toContain("refusal");
  });

  it("stops at the cap and at a stop string", async () => {
    const sim = await testSim();
    const messages = [{ role: "user" as const, content: "x" }];
    const capped = await client(sim).chat.completions.create({ model: "sandbox", max_completion_tokens: 5, messages });
    expect(capped.choices[0]).toMatchObject({ finish_reason: "length" });
    expect(capped.usage?.completion_tokens).toBe(5);
    const stopped = await client(sim).chat.completions.create({ model: "sandbox", stop: ["simulated"], messages });
    expect(stopped.choices[0]?.message.content).toBe("Hello! This is a ");
  });

  it("gives n choices, interleaved when streamed", async () => {
    const sim = await testSim();
    const answer = await client(sim)
      .chat.completions.stream({ model: "sandbox", n: 2, messages: [{ role: "user", content: "x" }] })
      .finalChatCompletion();
    expect(answer.choices.map((choice) => choice.message.content)).toEqual(
      Array(2).fill(expect.stringContaining("simulated")),
    );
  });

  it("raises the SDK's own error classes", async () => {
    const sim = await testSim();
    const messages = [{ role: "user" as const, content: "x" }];
    const ask = (model: string) => client(sim).chat.completions.create({ model, messages });
    await expect(ask("sandbox-missing")).rejects.toThrow(OpenAI.NotFoundError);
    await expect(ask("sandbox-error-429")).rejects.toThrow(OpenAI.RateLimitError);
    await expect(ask("sandbox-error-500")).rejects.toThrow(OpenAI.InternalServerError);
    const stream = client(sim).chat.completions.stream({ model: "sandbox-error-event", messages });
    await expect(stream.finalContent()).rejects.toThrow("Simulated error inside the answer");
  });
});

const USER = { role: "user", content: "x" };
const CALL = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
};
const RESULT = { role: "tool", tool_call_id: "call_1", content: "ok" };

describe("Chat Completions strict mode", () => {
  it.each([
    ["an unknown field", { messages: [USER], foo: 1 }, /Unknown parameter: 'foo'/],
    [
      "an unknown field of a message",
      { messages: [{ ...USER, reasoning_content: "x" }] },
      /'messages\[0\]\.reasoning_content'/,
    ],
    ["no messages", {}, /Missing required parameter: 'messages'/],
    ["an empty history", { messages: [] }, /Invalid 'messages': empty array/],
    ["a temperature out of range", { messages: [USER], temperature: 3 }, /Expected a value <= 2, but got 3/],
    [
      "a wrong type",
      { messages: [USER], stream: "yes" },
      /Invalid type for 'stream': expected a boolean, but got a string/,
    ],
    ["stream_options without stream", { messages: [USER], stream_options: { include_usage: true } }, /stream_options/],
    ["an unanswered call", { messages: [USER, CALL, USER] }, /did not have response messages: call_1/],
    ["an orphan result", { messages: [USER, RESULT] }, /must be a response to a preceeding message/],
    [
      "tool_choice without tools",
      { messages: [USER], tool_choice: "required" },
      /only allowed when 'tools' are specified/,
    ],
    [
      "a tool name with a dot",
      { messages: [USER], tools: [{ type: "function", function: { name: "a.b" } }] },
      /matches the pattern/,
    ],
    [
      "json_object without the word",
      { messages: [USER], response_format: { type: "json_object" } },
      /must contain the word 'json'/,
    ],
    [
      "a strict schema with an optional property",
      {
        messages: [USER],
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "s",
            strict: true,
            schema: {
              type: "object",
              properties: { a: { type: "string" } },
              required: [],
              additionalProperties: false,
            },
          },
        },
      },
      /Missing 'a'/,
    ],
  ])("refuses %s", async (_name, body, message) => {
    const sim = await testSim();
    const answer = await post(sim, "/v1/chat/completions", { model: "sandbox", ...body });
    expect(answer.status).toBe(400);
    expect(errorMessage(answer.body)).toMatch(message);
  });

  it("takes a tool loop as it belongs, and anything in lax mode", async () => {
    const strict = await testSim();
    expect((await post(strict, "/v1/chat/completions", { model: "m", messages: [USER, CALL, RESULT] })).status).toBe(
      200,
    );
    const lax = await testSim({ strict: false });
    expect((await post(lax, "/chat/completions", { model: "m", messages: [USER, RESULT], foo: 1 })).status).toBe(200);
  });

  it("asks for a credential in the family's words", async () => {
    const sim = await testSim();
    const answer = await post(sim, "/v1/chat/completions", { model: "m", messages: [USER] }, { authorization: "" });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ error: { code: "invalid_api_key", param: null } });
  });
});
