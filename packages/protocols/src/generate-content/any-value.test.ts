import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, type JsonValue, ProtocolError } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { answerContext, decode, readStream, writeStream } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";

const request: JsonObject = {
  systemInstruction: { role: "user", parts: [{ text: "s" }] },
  contents: [
    {
      role: "user",
      parts: [
        { text: "a" },
        { inlineData: { mimeType: "image/png", data: "AAAA" } },
        { fileData: { fileUri: "gs://b/c" } },
      ],
    },
    {
      role: "model",
      parts: [
        { text: "t", thought: true },
        { functionCall: { id: "c", name: "f", args: { a: 1 } }, thoughtSignature: "c2ln" },
      ],
    },
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "c",
            name: "f",
            response: { output: "x" },
            parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
          },
        },
      ],
    },
    {
      role: "model",
      parts: [
        { executableCode: { language: "PYTHON", code: "1" } },
        { codeExecutionResult: { outcome: "OUTCOME_OK" } },
        { toolCall: { id: "1", toolType: "FILE_SEARCH" } },
      ],
    },
    { role: "user", parts: [{ text: "b" }] },
  ],
  tools: [
    { functionDeclarations: [{ name: "f", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } }] },
    { googleSearch: {} },
  ],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
  generationConfig: {
    temperature: 1,
    stopSequences: ["x"],
    responseMimeType: "application/json",
    responseSchema: { type: "OBJECT" },
    thinkingConfig: { thinkingBudget: 1 },
  },
  safetySettings: [{ category: "A", threshold: "B" }],
};

const answer: JsonObject = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          { text: "t", thought: true },
          { text: "a", thoughtSignature: "c2ln" },
          { functionCall: { name: "f", args: {}, partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] } },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { toolCall: { toolType: "X" } },
        ],
      },
      finishReason: "STOP",
      index: 0,
      logprobsResult: {
        chosenCandidates: [{ token: "a", logProbability: -1 }],
        topCandidates: [{ candidates: [{ token: "a", logProbability: -1 }] }],
      },
      groundingMetadata: {
        groundingChunks: [{ web: { uri: "u" } }],
        groundingSupports: [{ segment: { endIndex: 1 }, groundingChunkIndices: [0] }],
      },
      citationMetadata: { citationSources: [{ uri: "u", endIndex: 1 }] },
    },
  ],
  promptFeedback: { blockReason: "SAFETY" },
  usageMetadata: {
    promptTokenCount: 1,
    totalTokenCount: 2,
    promptTokensDetails: [{ modality: "AUDIO", tokenCount: 1 }],
  },
  modelVersion: "m",
  responseId: "r",
  createTime: "2026-01-01T00:00:00Z",
};

/** Every place of a body, as the keys that lead to it. */
function places(value: JsonValue | undefined, path: (string | number)[] = []): (string | number)[][] {
  const below = Array.isArray(value)
    ? value.map((entry, index) => [index, entry] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...below.flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function replaced(value: JsonValue | undefined, path: readonly (string | number)[], by: JsonValue): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((entry, index) => (index === key ? replaced(entry, rest, by) : entry));
  return isObject(value) ? { ...value, [key]: replaced(value[key], rest, by) } : by;
}

const anyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    0,
    -1,
    1.5,
    1e300,
    "",
    "x",
    true,
    [],
    {},
    [null],
    [[]],
    { text: 1 },
    { parts: [null] },
    ["x"],
  ),
  fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value))),
);

describe("any value at any place", () => {
  it("of a request is taken or refused by its field, and what is taken can be sent on", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places(request)), anyValue, (path, value) => {
        const body = replaced(request, path, value);
        if (!isObject(body)) return;
        try {
          generateContent.encodeRequest(decode(body), { model: "gemini-2.0-flash", stream: false });
        } catch (cause) {
          if (!(cause instanceof ProtocolError)) throw cause;
          expect(cause.error.status).toBe(400);
          expect(cause.error.message).not.toBe("");
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("of a whole answer is read or told as the upstream's fault, and what is read can be written", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places(answer)), anyValue, (path, value) => {
        try {
          generateContent.encodeResponse(
            generateContent.decodeResponse(replaced(answer, path, value)),
            answerContext(),
          );
        } catch (cause) {
          if (!(cause instanceof ProtocolError)) throw cause;
          expect(cause.error.status).toBeGreaterThanOrEqual(400);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("of a stream's chunk gives a stream that can be read, well ended or with one error", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places(answer)), anyValue, (path, value) => {
        const frame = `data: ${JSON.stringify(replaced(answer, path, value))}\n\n`;
        const events = readStream(new TextEncoder().encode(frame + frame));
        expect(["end", "error"]).toContain(events.at(-1)?.type);
        // Parts of unknown kinds pass as they came, so the strict grammar is not asked here.
        for (const frame of writeStream(events).split("\n\n").slice(0, -1)) JSON.parse(frame.slice("data: ".length));
      }),
      { numRuns: 2000 },
    );
  });

  it("bytes of any kind", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readStream(bytes).at(-1)?.type).toBe("error");
      }),
    );
  });
});
