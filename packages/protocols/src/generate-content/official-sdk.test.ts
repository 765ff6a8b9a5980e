import { createServer, type Server } from "node:http";
import { ApiError, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalError, type JsonObject, type JsonValue, type StreamEvent } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { answerContext, decode, vault, writeStream } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";

/** What the next request gets, and what was asked. */
let answer: { status?: number; type: string; body: string } = { type: "application/json", body: "{}" };
const asked: { path: string; body: JsonObject }[] = [];
let server: Server;
let client: GoogleGenAI;

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body: JsonValue = JSON.parse(Buffer.concat(pieces).toString("utf8"));
      asked.push({ path: request.url ?? "", body: isObject(body) ? body : {} });
      response.writeHead(answer.status ?? 200, { "content-type": answer.type });
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: `http://127.0.0.1:${address.port}` } });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const foreign = { family: "anthropic", kind: "signature", value: "SIG" } as const;
const events: StreamEvent[] = [
  { type: "start", model: "up" },
  { type: "part-start", candidate: 0, key: "1", part: { type: "reasoning" } },
  { type: "part-delta", candidate: 0, key: "1", delta: { type: "reasoning", text: "Two look-ups." } },
  { type: "part-delta", candidate: 0, key: "1", delta: { type: "proof", proof: foreign } },
  { type: "part-stop", candidate: 0, key: "1" },
  { type: "part-start", candidate: 0, key: "2", part: { type: "text" } },
  { type: "part-delta", candidate: 0, key: "2", delta: { type: "text", text: "Let me " } },
  { type: "part-delta", candidate: 0, key: "2", delta: { type: "text", text: "look." } },
  { type: "part-stop", candidate: 0, key: "2" },
  ...["Oslo", "Rome"].flatMap((city, index): StreamEvent[] => [
    {
      type: "part-start",
      candidate: 0,
      key: city,
      part: { type: "tool-call", callId: `call_${index}`, name: "weather", toolKind: "function" },
    },
    { type: "part-delta", candidate: 0, key: city, delta: { type: "arguments", text: JSON.stringify({ city }) } },
    { type: "part-stop", candidate: 0, key: city },
  ]),
  { type: "usage", usage: { input: { uncached: 10 }, output: { total: 20, reasoning: 5 } } },
  { type: "finish", candidate: 0, finish: { reason: "tool" } },
  { type: "end" },
];

const streamed = () => ({ type: "text/event-stream", body: writeStream(events) });
const whole = () => ({
  type: "application/json",
  body: JSON.stringify(generateContent.encodeResponse(accumulate(events), answerContext())),
});
const ask = { model: "gemini-3-flash", contents: "Hi" };

async function collect(stream: AsyncGenerator<GenerateContentResponse>): Promise<GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const calls = [
  { id: "call_0", name: "weather", args: { city: "Oslo" } },
  { id: "call_1", name: "weather", args: { city: "Rome" } },
];

describe("the official SDK reads what we write", () => {
  it("generateContent", async () => {
    answer = whole();
    const response = await client.models.generateContent(ask);
    expect(response.functionCalls).toEqual(calls);
    expect(response.candidates?.[0]?.content?.parts?.[1]?.text).toBe("Let me look.");
    expect(response.candidates?.[0]?.finishReason).toBe("STOP");
    expect(response.usageMetadata).toMatchObject({
      promptTokenCount: 10,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 5,
      totalTokenCount: 30,
    });
  });

  it("generateContentStream", async () => {
    answer = streamed();
    const chunks = await collect(await client.models.generateContentStream(ask));
    expect(chunks.flatMap((chunk) => chunk.functionCalls ?? [])).toEqual(calls);
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBe(30);
    expect(new Set(chunks.map((chunk) => chunk.responseId)).size).toBe(1);
  });

  it("keep-alives do not disturb it", async () => {
    const encoder = generateContent.createStreamEncoder(answerContext());
    answer = {
      type: "text/event-stream",
      body: encoder.ping() + events.map((event) => encoder.write(event) + encoder.ping()).join(""),
    };
    expect(await collect(await client.models.generateContentStream(ask))).toHaveLength(4);
  });

  it.each(["sendMessage", "sendMessageStream"] as const)(
    "chats: the second turn of %s brings back calls, order and proofs",
    async (method) => {
      const chat = client.chats.create({ model: "gemini-3-flash" });
      answer = method === "sendMessage" ? whole() : streamed();
      if (method === "sendMessage") await chat.sendMessage({ message: "Weather?" });
      else await collect(await chat.sendMessageStream({ message: "Weather?" }));
      const results = calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: "fine" } } }));
      answer = whole();
      await chat.sendMessage({ message: results });
      const [, model, user] = decode(asked.at(-1)?.body ?? {}).turns;
      expect(model?.parts.map(({ at: _, ...part }) => part)).toEqual([
        { type: "reasoning", summary: ["Two look-ups."], proof: foreign },
        { type: "text", text: "Let me look." },
        ...calls.map(({ id, name, args }) => ({
          type: "tool-call",
          callId: id,
          name,
          toolKind: "function",
          arguments: JSON.stringify(args),
        })),
      ]);
      expect(user?.parts).toMatchObject([{ callId: "call_0" }, { callId: "call_1" }]);
    },
  );

  it("a blocked prompt", async () => {
    const blocked: StreamEvent[] = [
      { type: "start" },
      { type: "finish", candidate: 0, finish: { reason: "filter" } },
      { type: "end" },
    ];
    answer = { type: "text/event-stream", body: writeStream(blocked) };
    const [chunk] = await collect(await client.models.generateContentStream(ask));
    expect(chunk?.promptFeedback?.blockReason).toBe("SAFETY");
  });

  it("errors, before and inside a stream", async () => {
    const error = canonicalError("rate_limit", "Too many requests.", { retryAfterSeconds: 7 });
    const encoded = generateContent.encodeError(error, "req_1");
    answer = { status: encoded.status, type: "application/json", body: JSON.stringify(encoded.body) };
    await expect(client.models.generateContent(ask)).rejects.toMatchObject({ status: 429 });
    answer = { type: "text/event-stream", body: writeStream([...events.slice(0, 8), { type: "error", error }]) };
    await expect(client.models.generateContentStream(ask).then(collect)).rejects.toBeInstanceOf(ApiError);
  });

  it("countTokens and models", async () => {
    answer = { type: "application/json", body: JSON.stringify(generateContent.tokenCounting.encodeAnswer(42)) };
    expect((await client.models.countTokens(ask)).totalTokens).toBe(42);
    expect(
      generateContent.tokenCounting.decodeRequest(asked.at(-1)?.body ?? {}, { model: "m" }, { vault }).turns,
    ).toHaveLength(1);
  });
});

describe("what the official SDK writes is taken", () => {
  it("with every kind of setting", async () => {
    answer = whole();
    await client.models.generateContent({
      ...ask,
      config: {
        systemInstruction: "Be brief.",
        temperature: 0.5,
        topK: 40,
        candidateCount: 2,
        maxOutputTokens: 100,
        stopSequences: ["x"],
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object", properties: { a: { type: "string" } } },
        thinkingConfig: { includeThoughts: true, thinkingBudget: 512 },
        tools: [
          { functionDeclarations: [{ name: "f", parametersJsonSchema: { type: "object", properties: {} } }] },
          { googleSearch: {} },
        ],
        httpOptions: { timeout: 5000 },
      },
    });
    const request = decode(asked.at(-1)?.body ?? {});
    expect(request).toMatchObject({
      sampling: { temperature: 0.5, topK: 40 },
      candidates: 2,
      maxOutputTokens: 100,
      stopSequences: ["x"],
      format: { type: "schema" },
      reasoning: { budgetTokens: 512, show: "summary" },
      tools: [
        { type: "function", name: "f" },
        { type: "server", tool: "web_search" },
      ],
    });
    expect(request.turns[0]).toMatchObject({ role: "system", parts: [{ text: "Be brief." }] });
    expect(request.extras).toBeUndefined();
  });
});
