import { describe, expect, it } from "vitest";
import { canonicalError, type JsonObject, type Notice, type Proof, type StreamEvent } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { answerContext, decode, showing, vault, writeStream } from "../testing/generate-content-fixture.ts";
import { checkStream } from "../testing/generate-content-grammar.ts";
import { generateContent } from "./codec.ts";
import { absentSignature } from "./wire.ts";

const start: StreamEvent = { type: "start", model: "up" };
const end: StreamEvent = { type: "end" };
const finish = (reason: "stop" | "tool" | "filter" | "refusal" | "paused" = "stop", candidate = 0): StreamEvent => ({
  type: "finish",
  candidate,
  finish: { reason },
});
const open = (key: string, part: Extract<StreamEvent, { type: "part-start" }>["part"], candidate = 0): StreamEvent => ({
  type: "part-start",
  candidate,
  key,
  part,
});
const delta = (
  key: string,
  change: Extract<StreamEvent, { type: "part-delta" }>["delta"],
  candidate = 0,
): StreamEvent => ({ type: "part-delta", candidate, key, delta: change });
const close = (key: string, candidate = 0): StreamEvent => ({ type: "part-stop", candidate, key });
const text = (key: string, ...texts: string[]): StreamEvent[] => [
  open(key, { type: "text" }),
  ...texts.map((one) => delta(key, { type: "text", text: one })),
  close(key),
];
const call = (key: string, args = "{}", proof?: Proof): StreamEvent[] => [
  open(key, { type: "tool-call", callId: `call_${key}`, name: "f", toolKind: "function", ...(proof ? { proof } : {}) }),
  delta(key, { type: "arguments", text: args }),
  close(key),
];
const thought = (key: string, words: string, proof?: Proof): StreamEvent[] => [
  open(key, { type: "reasoning" }),
  delta(key, { type: "reasoning", text: words }),
  ...(proof ? [delta(key, { type: "proof", proof })] : []),
  close(key),
];
const foreign = (value: string): Proof => ({ family: "anthropic", kind: "signature", value });
const sealed = (value: string) => vault.seal(foreign(value));

/** The contents of the candidates that stand in an answer or a chunk. */
function contentsOf(body: JsonObject | undefined): { parts: JsonObject[] }[] {
  const candidates = Array.isArray(body?.candidates) ? body.candidates : [];
  return candidates.map((candidate) => {
    const content = isObject(candidate) ? candidate.content : undefined;
    if (!isObject(content) || !Array.isArray(content.parts)) throw new Error("no content");
    return { ...content, parts: content.parts.filter(isObject) };
  });
}

const partsOf = (stream: string) => contentsOf(checkStream(stream).response).map(({ parts }) => parts);

describe("what a Gemini client gets", () => {
  it("texts as they come, a last chunk with a filler, the finish reason and the usage", () => {
    const usage: StreamEvent = {
      type: "usage",
      usage: { input: { uncached: 10 }, output: { total: 5200, reasoning: 5000 } },
    };
    const { chunks } = checkStream(writeStream([start, ...text("1", "Hel", "lo"), usage, finish(), end]));
    expect(chunks).toEqual([
      {
        candidates: [{ content: { parts: [{ text: "Hel" }], role: "model" }, index: 0 }],
        modelVersion: "up",
        responseId: "id1",
      },
      {
        candidates: [{ content: { parts: [{ text: "lo" }], role: "model" }, index: 0 }],
        modelVersion: "up",
        responseId: "id1",
      },
      {
        candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP", index: 0 }],
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 200,
          thoughtsTokenCount: 5000,
          totalTokenCount: 5210,
        },
        modelVersion: "up",
        responseId: "id1",
      },
    ]);
  });

  it("all calls of a step in one chunk, with the finish reason STOP", () => {
    const { chunks } = checkStream(
      writeStream([start, ...text("1", "a"), ...call("2", '{"x":1}'), ...call("3", ""), finish("tool"), end]),
    );
    expect(chunks).toHaveLength(2);
    expect(chunks[1]).toMatchObject({
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { id: "call_2", name: "f", args: { x: 1 } } },
              { functionCall: { id: "call_3", args: {} } },
            ],
          },
          finishReason: "STOP",
        },
      ],
    });
  });

  it("2.5 the proof of reasoning on the part that follows, on the first chunk of a text, on a filler at the end", () => {
    expect(
      partsOf(
        writeStream([start, ...thought("1", "t", foreign("A")), ...call("2"), ...call("3"), finish("tool"), end]),
      )[0],
    ).toMatchObject([
      { text: "t", thought: true },
      { functionCall: { id: "call_2" }, thoughtSignature: sealed("A") },
      { functionCall: { id: "call_3" } },
    ]);
    expect(
      partsOf(
        writeStream([
          start,
          ...thought("1", "t", foreign("A")),
          ...thought("2", "u", foreign("B")),
          ...text("3", "a", "b"),
          finish(),
          end,
        ]),
      )[0],
    ).toEqual([
      { text: "t", thought: true },
      { text: "", thoughtSignature: sealed("A") },
      { text: "u", thought: true },
      { text: "ab", thoughtSignature: sealed("B") },
    ]);
    expect(
      partsOf(writeStream([start, ...text("1", "a"), ...thought("2", "t", foreign("A")), finish(), end]))[0],
    ).toEqual([{ text: "a" }, { text: "t", thought: true }, { text: "", thoughtSignature: sealed("A") }]);
  });

  it("the documented stand-in on the first call of a step that nobody signed, which the way back takes for none", () => {
    const events = [start, ...call("1"), ...call("2"), ...text("3", "a"), ...call("4"), finish("tool"), end];
    const [parts] = partsOf(writeStream(events));
    expect(parts?.map((part) => part.thoughtSignature)).toEqual([
      absentSignature,
      undefined,
      undefined,
      absentSignature,
    ]);
    const whole = generateContent.encodeResponse(accumulate(events), answerContext());
    expect(contentsOf(whole)[0]?.parts).toEqual(parts);
    expect(generateContent.decodeResponse(whole).candidates[0]?.parts.some((part) => part.proof)).toBe(false);
    for (const thoughtSignature of [absentSignature, absentSignature.replaceAll("_", "/"), btoa(absentSignature)]) {
      const model = { role: "model", parts: [{ functionCall: { name: "f" }, thoughtSignature }] };
      const asking = { role: "user", parts: [{ text: "Hi" }] };
      expect(decode({ contents: [asking, model, asking] }).turns[1]?.parts[0]?.proof).toBeUndefined();
    }
  });

  it("its own family's proof as it is", () => {
    const proof: Proof = { family: "gemini", kind: "signature", value: "c2ln" };
    expect(partsOf(writeStream([start, ...call("1", "{}", proof), finish("tool"), end]))[0]).toMatchObject([
      { thoughtSignature: "c2ln" },
    ]);
  });

  it("no thoughts unasked, but their proof", () => {
    const { reasoning: _, ...request } = showing;
    const stream = writeStream(
      [start, ...thought("1", "secret", foreign("A")), ...text("2", "a"), finish(), end],
      answerContext({ request }),
    );
    expect(partsOf(stream)[0]).toEqual([{ text: "a", thoughtSignature: sealed("A") }]);
  });

  it("paragraphs of a summary apart", () => {
    const events = [
      start,
      open("1", { type: "reasoning" }),
      delta("1", { type: "summary", index: 0, text: "one" }),
      delta("1", { type: "summary", index: 1, text: "two" }),
      close("1"),
      ...text("2", "a"),
      finish(),
      end,
    ];
    expect(partsOf(writeStream(events))[0]?.[0]).toEqual({ text: "one\n\ntwo", thought: true });
  });

  it("promptFeedback where the prompt was blocked, SAFETY where the answer was", () => {
    expect(checkStream(writeStream([start, finish("filter"), end])).response).toMatchObject({
      promptFeedback: { blockReason: "SAFETY" },
    });
    const some = checkStream(writeStream([start, ...text("1", "a"), finish("filter"), end])).response;
    expect(some).toMatchObject({ candidates: [{ finishReason: "SAFETY" }] });
    const refused = checkStream(writeStream([start, finish("refusal"), end])).response;
    expect(refused).toMatchObject({ candidates: [{ finishReason: "SAFETY" }] });
    const own: StreamEvent = { type: "finish", candidate: 0, finish: { reason: "filter", native: "SAFETY" } };
    expect(checkStream(writeStream([start, own, end])).response).toMatchObject({
      candidates: [{ finishReason: "SAFETY" }],
    });
  });

  it("S32 candidates by their index", () => {
    const events = [
      start,
      open("1", { type: "text" }),
      open("1", { type: "text" }, 1),
      delta("1", { type: "text", text: "a" }),
      delta("1", { type: "text", text: "b" }, 1),
      close("1"),
      close("1", 1),
      finish(),
      finish("stop", 1),
      end,
    ];
    expect(partsOf(writeStream(events))).toEqual([[{ text: "a" }], [{ text: "b" }]]);
  });

  it("S20 the array form, written bit by bit", () => {
    const encoder = generateContent.createStreamEncoder(answerContext({ framing: "json-array" }));
    const frames = [start, ...text("1", "a", "b"), finish(), end]
      .map((event) => encoder.write(event))
      .filter((frame) => frame !== "");
    expect(frames.map((frame) => frame.slice(0, 4))).toEqual(['[{"c', ",\r\n{", ",\r\n{", "]"]);
    expect(JSON.parse(frames.join(""))).toHaveLength(3);
    checkStream(frames.join(""));
  });

  it.each(["sse", "json-array"] as const)(
    "S24 an error before, in and behind the content, in the framing %s",
    (framing) => {
      const error = {
        type: "error",
        error: canonicalError("upstream_incomplete", "Cut.", { code: "stream_incomplete" }),
      } as const;
      for (const before of [[], [start], [start, ...text("1", "a")], [start, ...call("1")]]) {
        const stream = checkStream(writeStream([...before, error], answerContext({ framing })));
        expect(stream.error).toMatchObject({ code: 503, status: "UNAVAILABLE", message: "Cut." });
        expect(JSON.stringify(stream.chunks)).not.toContain("finishReason");
        // A call that was waiting for its chunk must not look complete (S25).
        expect(JSON.stringify(stream.chunks)).not.toContain("functionCall");
      }
    },
  );

  it.each(["sse", "json-array"] as const)(
    "S28 keep-alives are lawful at every moment, in the framing %s",
    (framing) => {
      const encoder = generateContent.createStreamEncoder(answerContext({ framing }));
      let stream = encoder.ping();
      for (const event of [start, ...text("1", "a"), ...call("2"), finish("tool"), end])
        stream += encoder.write(event) + encoder.ping();
      checkStream(stream);
      expect(encoder.ping()).toBe("");
    },
  );

  it("arguments that are no JSON are told", () => {
    const notices: Notice[] = [];
    const stream = writeStream([start, ...call("1", "{broken"), finish("tool"), end], answerContext({ notices }));
    expect(partsOf(stream)[0]).toMatchObject([{ functionCall: { args: { _raw: "{broken" } } }]);
    expect(notices).toHaveLength(1);
  });

  it("a paused answer is not told as a good end", () => {
    const notices: Notice[] = [];
    const stream = writeStream([start, ...text("1", "a"), finish("paused"), end], answerContext({ notices }));
    expect(checkStream(stream).response).toMatchObject({ candidates: [{ finishReason: "OTHER" }] });
    expect(notices).toHaveLength(1);
  });
});

describe("an event without a lawful place throws", () => {
  it.each<[string, StreamEvent[]]>([
    ["content before the start", text("1", "a")],
    ["two starts", [start, start]],
    ["a part inside another", [start, open("1", { type: "text" }), open("2", { type: "text" })]],
    ["a delta of no part", [start, delta("1", { type: "text", text: "a" })]],
    ["a delta of the wrong kind", [start, open("1", { type: "text" }), delta("1", { type: "arguments", text: "a" })]],
    ["a stop of another part", [start, open("1", { type: "text" }), close("2")]],
    ["a finish inside a part", [start, open("1", { type: "text" }), finish()]],
    ["two finishes", [start, finish(), finish()]],
    ["content after the finish", [start, finish(), open("1", { type: "text" })]],
    ["an end without a finish", [start, ...text("1", "a"), end]],
    ["anything after the end", [start, finish(), end, start]],
  ])("%s", (_name, events) => {
    expect(() => writeStream(events)).toThrow(Error);
  });
});

describe("2.6 pair 12: two turns of a loop with signed reasoning (L19)", () => {
  it("brings every proof back to its reasoning", () => {
    const stream = writeStream([
      start,
      ...thought("1", "why", foreign("A")),
      ...text("2", "Let me", " see."),
      ...thought("3", "then", foreign("B")),
      ...call("4"),
      ...call("5"),
      finish("tool"),
      end,
    ]);
    // The official client keeps one content for each chunk.
    const contents = checkStream(stream).chunks.flatMap(contentsOf);
    const results = ["call_4", "call_5"].map((id) => ({
      functionResponse: { id, name: "f", response: { output: "ok" } },
    }));
    const [, model] = decode({
      contents: [{ role: "user", parts: [{ text: "Hi" }] }, ...contents, { role: "user", parts: results }],
    }).turns;
    expect(model?.parts.map(({ at: _, ...part }) => part)).toEqual([
      { type: "reasoning", summary: ["why"], proof: foreign("A") },
      { type: "text", text: "Let me see." },
      { type: "reasoning", summary: ["then"], proof: foreign("B") },
      { type: "tool-call", callId: "call_4", name: "f", toolKind: "function", arguments: "{}" },
      { type: "tool-call", callId: "call_5", name: "f", toolKind: "function", arguments: "{}" },
    ]);
  });
});
