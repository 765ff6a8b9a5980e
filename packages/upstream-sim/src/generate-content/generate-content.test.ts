import { ApiError, GoogleGenAI, Type } from "@google/genai";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { issueProof } from "../proof.ts";
import type { Script } from "../script.ts";
import type { UpstreamSim } from "../server.ts";
import { errorMessage, HEADERS, post, testSim, WEATHER_SCHEMA } from "../testing/test-sim.ts";

function client(sim: UpstreamSim): GoogleGenAI {
  return new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: sim.url } });
}

const TOOLS = [{ functionDeclarations: [{ name: "get_weather", parametersJsonSchema: WEATHER_SCHEMA }] }];

const RICH: Script = {
  steps: [
    { kind: "reasoning", text: "Two cities are asked for." },
    {
      kind: "text",
      text: "größer 🌍",
      citations: [{ url: "https://example.com/", title: "Source", start: 0, end: 6 }],
    },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } },
    { kind: "tool-call", name: "get_weather", arguments: { city: "Rome" } },
  ],
  usage: { input: 100, cacheRead: 40, output: 30, reasoning: 12 },
};

describe("generateContent through the official SDK", () => {
  it("answers plainly and says that it is simulated", async () => {
    const sim = await testSim();
    const answer = await client(sim).models.generateContent({ model: "sandbox", contents: "Hello there" });
    expect(answer.text).toMatch(/simulated answer.*generateContent.*"Hello there"/);
  });

  it("streams what it answers unary: all calls of a step in one chunk, the first one signed", async () => {
    const sim = await testSim({ script: RICH });
    const request = { model: "m", contents: "x", config: { tools: TOOLS } };
    const unary = await client(sim).models.generateContent(request);
    const chunks = [];
    for await (const chunk of await client(sim).models.generateContentStream(request)) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.text ?? "").join("")).toBe(unary.text);
    expect(chunks.find((chunk) => chunk.functionCalls)?.functionCalls).toEqual(unary.functionCalls);
    expect(chunks.at(-1)?.usageMetadata).toEqual(unary.usageMetadata);
    expect(unary.usageMetadata).toMatchObject({
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 18,
      thoughtsTokenCount: 12,
      totalTokenCount: 130,
    });
    const signed = unary.candidates?.[0]?.content?.parts?.map((part) => part.thoughtSignature !== undefined);
    expect(signed).toEqual([false, false, true, false]);
    expect(unary.candidates?.[0]?.groundingMetadata?.groundingSupports?.[0]?.segment).toMatchObject({ endIndex: 8 });
  });

  it("keeps a chat's history valid through a signed tool loop", async () => {
    const sim = await testSim();
    const chat = client(sim).chats.create({ model: "sandbox-gemini-3", config: { tools: TOOLS } });
    let call: { id?: string; name?: string } | undefined;
    for await (const chunk of await chat.sendMessageStream({ message: "use get_weather" })) {
      call = chunk.functionCalls?.[0] ?? call;
    }
    const answer = await chat.sendMessage({
      message: [{ functionResponse: { id: call?.id, name: call?.name, response: { output: "4 C" } } }],
    });
    expect(answer.text).toContain("tool get_weather returned 4 C");
    expect(chat.getHistory(true).length).toBeGreaterThanOrEqual(4);
  });

  it("gives a schema answer for Gemini's upper-case types", async () => {
    const sim = await testSim();
    const answer = await client(sim).models.generateContent({
      model: "sandbox",
      contents: "x",
      config: {
        responseMimeType: "application/json",
        responseSchema: { type: Type.OBJECT, properties: { n: { type: Type.INTEGER } }, required: ["n"] },
      },
    });
    expect(JSON.parse(answer.text ?? "")).toEqual({ n: 1 });
  });

  it("streams one JSON array without alt=sse", async () => {
    const sim = await testSim();
    const response = await fetch(`${sim.url}/v1beta/models/sandbox:streamGenerateContent`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify({ contents: [{ parts: [{ text: "x" }] }] }),
    });
    const elements: unknown = await response.json();
    expect(elements).toHaveLength(3);
    expect(response.headers.get("content-type")).toMatch(/application\/json/);
  });

  it("ends blocked and capped answers in the family's way", async () => {
    const sim = await testSim();
    const ask = async (model: string, maxOutputTokens?: number) => {
      const config = maxOutputTokens === undefined ? {} : { maxOutputTokens };
      const answer = await client(sim).models.generateContent({ model, contents: "x", config });
      return answer.candidates?.[0]?.finishReason;
    };
    expect(await ask("sandbox-refusal")).toBe("SAFETY");
    expect(await ask("sandbox", 3)).toBe("MAX_TOKENS");
  });

  it("raises the SDK's own error", async () => {
    const sim = await testSim();
    const ask = (model: string) => client(sim).models.generateContent({ model, contents: "x" });
    await expect(ask("sandbox-missing")).rejects.toMatchObject({ status: 404 });
    await expect(ask("sandbox-error-503")).rejects.toThrow(ApiError);
    const stream = await client(sim).models.generateContentStream({ model: "sandbox-error-event", contents: "x" });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow(/Simulated error inside the answer/);
  });

  it("counts the input as the answer's usage does", async () => {
    const sim = await testSim();
    const counted = await client(sim).models.countTokens({ model: "sandbox", contents: "Hello there" });
    const answer = await client(sim).models.generateContent({ model: "sandbox", contents: "Hello there" });
    expect(answer.usageMetadata?.promptTokenCount).toBe(counted.totalTokens);
  });
});

const USER = { role: "user", parts: [{ text: "x" }] };
const CALL = { functionCall: { name: "f", args: {} } };
const RESULT = { functionResponse: { name: "f", response: { output: "ok" } } };
const model = (...parts: JsonObject[]): JsonObject => ({ role: "model", parts });
const user = (...parts: JsonObject[]): JsonObject => ({ role: "user", parts });

describe("generateContent strict mode", () => {
  it.each([
    ["an unknown field", { contents: [USER], foo: 1 }, 'Unknown name "foo": Cannot find field.'],
    [
      "an unknown config",
      { contents: [USER], generationConfig: { maxTokens: 1 } },
      "Unknown name \"maxTokens\" at 'generation_config'",
    ],
    ["no contents", {}, "contents is not specified"],
    [
      "a role of another family",
      { contents: [{ role: "assistant", parts: [{ text: "x" }] }] },
      "Please use a valid role: user, model.",
    ],
    ["an empty turn", { contents: [{ role: "user", parts: [] }] }, "must not be empty"],
    [
      "a part without data",
      { contents: [user({ thought: true })] },
      "required oneof field 'data' must have one initialized field",
    ],
    [
      "too few results",
      { contents: [USER, model(CALL, CALL), user(RESULT)] },
      "number of function response parts is equal",
    ],
    [
      "results in another order",
      {
        contents: [
          USER,
          model(CALL, { functionCall: { name: "g" } }),
          user({ functionResponse: { name: "g", response: {} } }, RESULT),
        ],
      },
      "answers no call at its place",
    ],
    ["an orphan result", { contents: [user(RESULT)] }, "immediately after a function call turn"],
    [
      "a signature of another family",
      { contents: [USER, model({ ...CALL, thoughtSignature: issueProof("thinking", "f") }), user(RESULT)] },
      "Corrupted thought signature.",
    ],
    [
      "budget and level together",
      { contents: [USER], generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } } },
      "only one of thinking budget and thinking level",
    ],
    [
      "additionalProperties in parameters",
      { contents: [USER], tools: [{ functionDeclarations: [{ name: "f", parameters: WEATHER_SCHEMA }] }] },
      "Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters'",
    ],
    [
      "a schema without its mime type",
      { contents: [USER], generationConfig: { responseSchema: { type: "STRING" } } },
      "response_mime_type",
    ],
    [
      "arguments as text",
      { contents: [USER, model({ functionCall: { name: "f", args: "{}" } }), user(RESULT)] },
      "Invalid value at 'contents[1].parts[0].function_call.args'",
    ],
  ])("refuses %s", async (_name, body, message) => {
    const sim = await testSim();
    const answer = await post(sim, "/v1beta/models/sandbox:generateContent", body);
    expect(answer.status).toBe(400);
    expect(errorMessage(answer.body)).toContain(message);
  });

  it("demands the current turn's signatures from the newest generation only, and takes the bypass string", async () => {
    const sim = await testSim();
    const ask = async (name: string, call: JsonObject) =>
      (await post(sim, `/v1beta/models/${name}:generateContent`, { contents: [USER, model(call), user(RESULT)] }))
        .status;
    expect(await ask("sandbox-gemini-3-pro", CALL)).toBe(400);
    expect(await ask("sandbox", CALL)).toBe(200);
    const bypass = { ...CALL, thoughtSignature: "skip_thought_signature_validator" };
    expect(await ask("sandbox-gemini-3-pro", bypass)).toBe(200);
    const own = { ...CALL, thoughtSignature: issueProof("thought-call", "f") };
    expect(await ask("sandbox-gemini-3-pro", own)).toBe(200);
  });

  it("takes snake_case field names, int64 as text and a key in the query", async () => {
    const sim = await testSim();
    const body = { contents: [USER], generation_config: { max_output_tokens: "40", stop_sequences: ["zzz"] } };
    const answer = await post(sim, "/v1beta/models/sandbox:generateContent?key=k", body, { authorization: "" });
    expect(answer.status).toBe(200);
    const refused = await post(sim, "/v1beta/models/sandbox:generateContent", body, { authorization: "" });
    expect(refused.status).toBe(403);
  });
});
