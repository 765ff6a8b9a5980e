import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type Notice, type Part, type StreamEvent } from "../canonical/index.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { citation, proof, reasoningPart, refusalPart, response, textPart } from "../testing/arbitraries.ts";
import { context, halved, part, start, vault, write } from "../testing/messages-events-fixture.ts";
import { checkStream } from "../testing/messages-grammar.ts";
import { encodeResponse } from "./response-encoder.ts";
import { createStreamEncoder } from "./stream-encoder.ts";

const closing: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "stop" } }, { type: "end" }];

function content(events: StreamEvent[], notices: Notice[] = []): unknown {
  return checkStream(write([start, ...events, ...closing], notices)).message?.content;
}

const gemini = { family: "gemini", kind: "signature", value: "AA==" } as const;

describe("L8 and L11 any answer of any family", () => {
  const foreign: fc.Arbitrary<Part> = fc.oneof(
    reasoningPart({ family: "openai", content: "summary", proof: "sometimes", kind: "encrypted" }),
    reasoningPart({ family: "gemini", content: "summary", proof: "sometimes" }),
    reasoningPart({ family: "deepseek", content: "text", proof: "never" }),
    reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
    proof("openai", "encrypted").map((value): Part => ({ type: "reasoning", proof: value })),
    proof("anthropic", "redacted").map((value): Part => ({ type: "reasoning", proof: value })),
  );
  const cited = fc.tuple(textPart(), citation()).map(([text, source]): Part => ({ ...text, citations: [source] }));
  const answers = response({
    reasoning: foreign,
    content: fc.oneof(refusalPart(), cited),
    customTools: true,
    candidates: true,
    finishes: ["stop", "length", "stop_sequence", "context", "filter", "refusal", "paused", "other", "recitation"],
    serviceTier: true,
  });
  test("streams legally and means what its whole answer means", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { message } = checkStream(write(responseToEvents(answer)));
        expect(comparable(message)).toEqual(comparable(encodeResponse(answer, context())));
      }),
    );
  });

  test("and may be cut into any deltas", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        expect(checkStream(write(responseToEvents(answer).flatMap(halved))).message).toEqual(
          checkStream(write(responseToEvents(answer))).message,
        );
      }),
    );
  });
});

function comparable(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message));
}

describe("blocks", () => {
  test("S8 an empty text opens no block", () => {
    expect(content(part({ type: "text" }, { type: "text", text: "" }))).toEqual([]);
  });

  test("S17, 8 reasoning, text, reasoning: three blocks with indexes of their own", () => {
    const events = [
      ...part({ type: "reasoning" }, { type: "reasoning", text: "a" }),
      ...part({ type: "text" }, { type: "text", text: "b" }),
      ...part({ type: "reasoning" }, { type: "reasoning", text: "cc" }),
    ];
    expect(content(events)).toMatchObject([{ thinking: "a" }, { text: "b" }, { thinking: "cc" }]);
  });

  test("summary paragraphs are parted by a blank line", () => {
    const deltas = [
      { type: "summary", index: 0, text: "One" },
      { type: "summary", index: 0, text: "." },
      { type: "summary", index: 1, text: "Two." },
    ] as const;
    expect(content(part({ type: "reasoning" }, ...deltas))).toMatchObject([{ thinking: "One.\n\nTwo." }]);
  });

  test("9.2.5 a Gemini proof stands in a block before its call; one that comes late on a text stands behind it", () => {
    const events = [
      ...part(
        { type: "tool-call", callId: "a", name: "f", toolKind: "function", proof: gemini },
        { type: "arguments", text: "{}" },
      ),
      ...part({ type: "text" }, { type: "text", text: "x" }, { type: "proof", proof: gemini }),
    ];
    const notices: Notice[] = [];
    const encoder = createStreamEncoder(context(notices));
    const text = [
      start,
      ...events,
      { type: "finish", candidate: 0, finish: { reason: "tool" } } as const,
      { type: "end" } as const,
    ]
      .map((event) => encoder.write(event))
      .join("");
    expect(checkStream(text).message?.content).toEqual([
      { type: "redacted_thinking", data: vault.seal(gemini) },
      { type: "tool_use", id: "a", name: "f", input: {} },
      { type: "text", text: "x" },
      { type: "redacted_thinking", data: vault.seal(gemini) },
    ]);
  });

  test("T14 arguments that are no object wait and come as one", () => {
    const call = (text: string[], toolKind: "function" | "custom" = "function") =>
      checkStream(
        write([
          start,
          ...part(
            { type: "tool-call", callId: "a", name: "f", toolKind },
            ...text.map((piece) => ({ type: "arguments", text: piece }) as const),
          ),
          { type: "finish", candidate: 0, finish: { reason: "tool" } },
          { type: "end" },
        ]),
      ).message?.content;
    expect(call(["[1", ",2]"])).toMatchObject([{ input: { value: [1, 2] } }]);
    expect(call([" ", "\n", '{"a"', ":1}"])).toMatchObject([{ input: { a: 1 } }]);
    expect(call([])).toMatchObject([{ input: {} }]);
    expect(call([" "])).toMatchObject([{ input: {} }]);
    expect(call(["free ", "text"], "custom")).toMatchObject([{ input: { input: "free text" } }]);
  });

  test("further candidates have no place and are told once", () => {
    const notices: Notice[] = [];
    const other: StreamEvent[] = [
      { type: "part-start", candidate: 1, key: "x", part: { type: "text" } },
      { type: "part-delta", candidate: 1, key: "x", delta: { type: "text", text: "no" } },
      { type: "part-stop", candidate: 1, key: "x" },
    ];
    expect(content(other, notices)).toEqual([]);
    expect(notices).toHaveLength(1);
  });
});

describe("S11, 111 usage", () => {
  test("the start says 0 where nothing is known, the end tells both sides", () => {
    const usage = { input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } };
    const text = write([start, { type: "usage", usage }, ...closing]);
    expect(text).toContain('"usage":{"input_tokens":0,');
    expect(checkStream(text).message?.usage).toMatchObject({
      input_tokens: 201,
      cache_read_input_tokens: 15104,
      output_tokens: 5,
    });
  });

  test("110 message_delta has usage even if the upstream told none", () => {
    expect(checkStream(write([start, ...closing])).message?.usage).toMatchObject({ output_tokens: 0 });
  });
});

describe("S24 errors", () => {
  test("before the start: the error frame alone", () => {
    const text = write([{ type: "error", error: canonicalError("overloaded", "Busy.") }]);
    expect(checkStream(text)).toMatchObject({
      names: ["error"],
      error: { type: "overloaded_error", message: "Busy." },
    });
  });

  test("inside a block: no stop, no success, nothing after it", () => {
    const encoder = createStreamEncoder(context());
    const frames = [
      encoder.write(start),
      encoder.write({ type: "part-start", candidate: 0, key: "a", part: { type: "text" } }),
      encoder.write({ type: "part-delta", candidate: 0, key: "a", delta: { type: "text", text: "x" } }),
      encoder.write({ type: "error", error: canonicalError("upstream_incomplete", "Cut.") }),
      encoder.write({ type: "error", error: canonicalError("internal", "Again.") }),
    ];
    expect(checkStream(frames.join("")).names.at(-1)).toBe("error");
    expect(frames.join("")).not.toContain("content_block_stop");
    expect(encoder.ping()).toBe("");
  });
});

test("S28, 113 a keep-alive is a comment before the start and a ping after it", () => {
  const encoder = createStreamEncoder(context());
  const text = encoder.ping() + encoder.write(start) + encoder.ping();
  expect(checkStream(text, { complete: false })).toMatchObject({ comments: 1, pings: 1 });
});

describe("an event without a lawful place is a defect of ours and throws", () => {
  const open: StreamEvent = { type: "part-start", candidate: 0, key: "a", part: { type: "text" } };
  const cases: [string, StreamEvent[]][] = [
    ["a second start", [start, start]],
    ["content before the start", [open]],
    ["an end without a finish", [start, { type: "end" }]],
    ["a part inside a part", [start, open, { ...open, key: "b" }]],
    [
      "a delta for a closed part",
      [start, { type: "part-delta", candidate: 0, key: "a", delta: { type: "text", text: "x" } }],
    ],
    [
      "arguments of a text",
      [start, open, { type: "part-delta", candidate: 0, key: "a", delta: { type: "arguments", text: "x" } }],
    ],
    ["a finish inside a part", [start, open, { type: "finish", candidate: 0, finish: { reason: "stop" } }]],
    ["a part after the finish", [start, { type: "finish", candidate: 0, finish: { reason: "stop" } }, open]],
    ["anything after the end", [start, ...closing, open]],
  ];
  test.each(cases)("%s", (_name, events) => {
    expect(() => write(events)).toThrow("no lawful place");
  });
});
