import { describe, expect, it } from "vitest";
import type { CanonicalResponse, JsonObject, JsonValue } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { readStream } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const sse = (...chunks: JsonValue[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");
const parts = (list: JsonObject[], more: JsonObject = {}) => ({
  candidates: [{ content: { role: "model", parts: list }, ...more }],
  responseId: "r1",
});
const stop = { finishReason: "STOP" };
const read = (...chunks: JsonValue[]): CanonicalResponse => accumulate(readStream(bytes(sse(...chunks))));
const partsOf = (response: CanonicalResponse) => response.candidates[0]?.parts;
const last = (text: string) => readStream(bytes(text)).at(-1);
const own = (value: string) => ({ family: "gemini", kind: "signature", value });

describe("traps of a Gemini upstream", () => {
  it("S1 a whole call in one chunk keeps its arguments and decides the finish", () => {
    const answer = read(parts([{ functionCall: { id: "c1", name: "Bash", args: { command: "ls" } } }], stop));
    expect(answer.candidates[0]).toMatchObject({
      parts: [{ callId: "c1", name: "Bash", arguments: '{"command":"ls"}' }],
      finish: { reason: "tool" },
    });
  });

  it("S18 a signature on an empty part goes to the call behind it", () => {
    const answer = read(
      parts([{ text: "a" }]),
      parts([{ text: "", thoughtSignature: "UzE=" }]),
      parts([{ functionCall: { name: "f" } }], stop),
    );
    expect(partsOf(answer)).toMatchObject([
      { type: "text", text: "a" },
      { type: "tool-call", arguments: "{}", proof: own("UzE=") },
    ]);
  });

  it("S18 else to the last text", () => {
    const answer = read(parts([{ text: "a" }]), parts([{ text: "", thoughtSignature: "UzE=" }], stop));
    expect(partsOf(answer)).toEqual([{ type: "text", text: "a", proof: own("UzE=") }]);
  });

  it("S18 on an empty thought, and a call that has its own", () => {
    const answer = read(
      parts([
        { text: "t", thought: true },
        { text: "", thought: true, thoughtSignature: "UzE=" },
      ]),
      parts([{ functionCall: { name: "f" }, thoughtSignature: "UzI=" }, { functionCall: { name: "g" } }], stop),
    );
    expect(partsOf(answer)).toMatchObject([
      { type: "reasoning", summary: ["t"] },
      { type: "text", text: "", proof: own("UzE=") },
      { name: "f", proof: own("UzI=") },
      { name: "g" },
    ]);
    expect(partsOf(answer)?.[3]?.proof).toBeUndefined();
  });

  it("two signatures never meet on one part", () => {
    const answer = read(
      parts([{ text: "a", thoughtSignature: "UzE=" }]),
      parts([{ text: "b", thoughtSignature: "UzI=" }], stop),
    );
    expect(partsOf(answer)).toMatchObject([
      { text: "a", proof: own("UzE=") },
      { text: "b", proof: own("UzI=") },
    ]);
  });

  it("S19 arguments that come by path are put together", () => {
    const piece = (functionCall: JsonObject, more: JsonObject = {}) => parts([{ functionCall }], more);
    const answer = read(
      piece({ name: "f", willContinue: true }),
      piece({ partialArgs: [{ jsonPath: "$.city", stringValue: "Os", willContinue: true }], willContinue: true }),
      piece({
        partialArgs: [
          { jsonPath: "$.city", stringValue: "lo" },
          { jsonPath: "$.n", numberValue: 2 },
        ],
        willContinue: true,
      }),
      piece({
        partialArgs: [
          { jsonPath: "$.list[0].ok", boolValue: true },
          { jsonPath: "$.list[1]", nullValue: "NULL_VALUE" },
        ],
        willContinue: true,
      }),
      piece({ partialArgs: [{ jsonPath: "$['__proto__'].x", stringValue: "y" }], willContinue: true }),
      piece({}, stop),
    );
    const [call] = partsOf(answer) ?? [];
    expect(call?.type === "tool-call" && call.arguments).toBe(
      '{"city":"Oslo","n":2,"list":[{"ok":true},null],"__proto__":{"x":"y"}}',
    );
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  it("S19 a call whose name was lost is the upstream's fault, never a call without a name", () => {
    const lost = parts([
      { functionCall: { partialArgs: [{ jsonPath: "$.a", stringValue: "b" }], willContinue: true } },
    ]);
    for (const chunks of [
      [lost, parts([{ functionCall: {} }], stop)],
      [parts([{ functionCall: { args: { a: 1 } } }], stop)],
    ]) {
      expect(() => read(...chunks)).toThrow("without a name");
    }
    const ended = read(parts([{ functionCall: { name: "f" } }]), parts([{ functionCall: {} }], stop));
    expect(partsOf(ended)).toHaveLength(1);
  });

  it("S25 a call that never ends is no call, whatever the finish reason says", () => {
    const answer = read(parts([{ functionCall: { name: "f", willContinue: true } }], stop));
    expect(answer.candidates[0]).toEqual({ index: 0, parts: [], finish: { reason: "malformed_tool" } });
  });

  it("S20 the array form, in pieces, gives the same events", () => {
    const chunks = [parts([{ text: "a" }]), parts([{ text: "b" }], stop)];
    const array = `[${chunks.map((chunk) => JSON.stringify(chunk)).join("\n,\r\n")}\n]`;
    const expected = readStream(bytes(sse(...chunks)));
    expect(
      readStream(
        bytes(array),
        Array.from({ length: array.length }, () => 1),
      ),
    ).toEqual(expected);
  });

  it("S20 an array that is cut is an error", () => {
    const array = `[${JSON.stringify(parts([{ text: "a" }]))},\n`;
    expect(last(array)).toMatchObject({ type: "error" });
  });

  it("S34 a whole answer where a stream was asked for", () => {
    const events = readStream(bytes(JSON.stringify(parts([{ text: "a" }], stop), null, 2)));
    expect(partsOf(accumulate(events))).toEqual([{ type: "text", text: "a" }]);
  });

  it("S12, S32 the strongest finish counts, for each candidate by itself", () => {
    const both = (a: JsonObject, b: JsonObject) => ({ candidates: [a, b] });
    const content = (text: string) => ({ content: { parts: [{ text }] } });
    const answer = read(
      both({ ...content("a"), ...stop }, { index: 1, ...content("b") }),
      both({ finishReason: "RECITATION" }, { index: 1, finishReason: "MAX_TOKENS" }),
    );
    expect(answer.candidates.map(({ finish }) => finish.reason)).toEqual(["recitation", "length"]);
  });

  it("S10 usage counts once, the last word of each counter", () => {
    const usage = (usageMetadata: JsonObject) => ({ ...parts([{ text: "a" }], stop), usageMetadata });
    const answer = read(
      usage({ promptTokenCount: 64, totalTokenCount: 91, thoughtsTokenCount: 27 }),
      usage({ promptTokenCount: 64, candidatesTokenCount: 30, thoughtsTokenCount: 27 }),
    );
    expect(answer.usage).toEqual({ input: { uncached: 64 }, output: { total: 57, reasoning: 27 } });
  });

  it("a blocked prompt is one candidate that finished by a filter (bug 26, 27)", () => {
    const answer = read({ promptFeedback: { blockReason: "SAFETY" } }, { promptFeedback: { blockReason: "SAFETY" } });
    expect(answer.candidates).toEqual([
      { index: 0, parts: [], finish: { reason: "filter", native: "promptFeedback.SAFETY" } },
    ]);
  });

  it("answers in an envelope, names with a namespace, constants as numbers, another protocol's end mark", () => {
    const answer = read({ response: parts([{ functionCall: { name: "default_api:f" } }], { finishReason: 1 }) });
    expect(answer.candidates[0]).toMatchObject({ parts: [{ name: "f" }], finish: { reason: "tool" } });
    expect(last(`${sse(parts([{ text: "a" }], stop))}data: [DONE]\n\n`)).toEqual({ type: "end" });
  });

  it("S24, L13 an error frame at any place is one error and no end", () => {
    const error = {
      error: { code: 429, message: "Slow down.", status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "7s" }] },
    };
    const chunks: JsonValue[] = [parts([{ text: "a" }]), parts([{ text: "b" }], stop)];
    for (let at = 0; at <= chunks.length; at += 1) {
      for (const form of [error, [error]]) {
        const events = readStream(bytes(sse(...chunks.slice(0, at), form, ...chunks.slice(at))));
        expect(events.filter(({ type }) => type === "error" || type === "end")).toMatchObject([
          { type: "error", error: { kind: "rate_limit", retryAfterSeconds: 7 } },
        ]);
      }
    }
  });

  it.each(["<html>oops</html>", "data: {broken\n\n", "data: 1\n\n", "[1]", "{}", "", "data: null\n\n", "\u0000"])(
    "any bytes give an error, never a throw: %j",
    (text) => {
      expect(last(text)).toMatchObject({ type: "error" });
    },
  );

  it("T3 minted ids are the same on both ways and differ between answers", () => {
    const id = (responseId: string) => {
      const body = { ...parts([{ functionCall: { name: "f" } }, { functionCall: { name: "f" } }], stop), responseId };
      const whole = partsOf(generateContent.decodeResponse(body))?.map(
        (part) => part.type === "tool-call" && part.callId,
      );
      expect(partsOf(read(body))?.map((part) => part.type === "tool-call" && part.callId)).toEqual(whole);
      return whole ?? [];
    };
    expect(new Set([...id("r1"), ...id("r2")]).size).toBe(4);
  });

  it("S36 offsets count UTF-16 units of the whole text, also where the sources come early", () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }],
      groundingSupports: [{ segment: { startIndex: 5, endIndex: 9, text: "Rome" }, groundingChunkIndices: [0] }],
    };
    const answer = read(
      parts([{ text: "🌍 " }], { groundingMetadata }),
      parts([{ text: "Rome" }], { ...stop, groundingMetadata }),
    );
    expect(partsOf(answer)).toEqual([
      {
        type: "text",
        text: "🌍 Rome",
        citations: [{ kind: "url", url: "https://a.example", title: "A", quote: "Rome", start: 3, end: 7 }],
      },
    ]);
  });
});

describe("whole answers", () => {
  it.each<JsonValue>([null, 1, "text", [], {}, { candidates: [] }, { candidates: "a" }])("%j is no answer", (body) => {
    expect(() => generateContent.decodeResponse(body)).toThrow();
  });
  it("an error body is the upstream's error", () => {
    expect(() =>
      generateContent.decodeResponse({ error: { code: 503, message: "Overloaded.", status: "UNAVAILABLE" } }),
    ).toThrow("Overloaded.");
  });
});
