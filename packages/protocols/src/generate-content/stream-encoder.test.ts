import { describe, expect, it } from "vitest";
import { canonicalError, type Notice, type StreamEvent } from "../canonical/index.ts";
import {
  call,
  close,
  delta,
  end,
  finish,
  foreign,
  open,
  partsOf,
  sealed,
  start,
  text,
  thought,
} from "../testing/generate-content-events-fixture.ts";
import { answerContext, showing, writeStream } from "../testing/generate-content-fixture.ts";
import { checkStream } from "../testing/generate-content-grammar.ts";
import { generateContent } from "./codec.ts";

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

  it("all calls of a step in one chunk, also around what the client cannot see", () => {
    const unseen: StreamEvent = {
      type: "part",
      candidate: 0,
      part: { type: "opaque", protocol: "responses", nativeType: "x", payload: null },
    };
    const between = [unseen, ...text("t1"), open("r1", { type: "reasoning" }), close("r1")];
    const { chunks } = checkStream(writeStream([start, ...call("1"), ...between, ...call("2"), finish("tool"), end]));
    expect(chunks).toMatchObject([
      { candidates: [{ content: { parts: [{ functionCall: {} }, { functionCall: {} }] }, finishReason: "STOP" }] },
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
