import { describe, expect, test } from "vitest";
import type { CanonicalResponse, JsonObject, Notice, StreamEvent } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { accumulate } from "../shared/accumulate.ts";
import { EventGate } from "../shared/event-gate.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { checkStream } from "../testing/messages-grammar.ts";
import { describeRecorded, recordings, recordingsPresent } from "../testing/recordings.ts";
import { decodeResponse } from "./response-decoder.ts";
import { createStreamDecoder } from "./stream-decoder.ts";
import { createStreamEncoder } from "./stream-encoder.ts";

const utf8 = new TextEncoder();

function context(notices: Notice[] = []): AnswerContext {
  return {
    request: { model: "m", stream: true, turns: [], tools: [], sampling: {}, stopSequences: [] },
    clientBody: {},
    ids: (prefix) => `${prefix}1`,
    now: () => 0,
    vault: plainVault(),
    notice: (notice) => notices.push(notice),
    framing: "sse",
  };
}

/** Events that an encoder gets for these pieces of a stream. */
function gated(pieces: Iterable<Uint8Array>): StreamEvent[] {
  const decoder = createStreamDecoder();
  const gate = new EventGate();
  const events: StreamEvent[] = [];
  const emit = (event: StreamEvent): void => {
    events.push(event);
  };
  for (const piece of pieces) for (const event of decoder.push(piece)) gate.push(event, emit);
  for (const event of decoder.close()) gate.push(event, emit);
  return events;
}

function read(text: string): StreamEvent[] {
  return gated([utf8.encode(text)]);
}

function write(events: Iterable<StreamEvent>, notices: Notice[] = []): string {
  const encoder = createStreamEncoder(context(notices));
  return [...events].map((event) => encoder.write(event)).join("");
}

/** The answer without how it was cut into deltas. */
function whole(events: Iterable<StreamEvent>): CanonicalResponse {
  return accumulate(events);
}

/** Cuts at pseudo-random places, the same on every run. */
function cut(bytes: Uint8Array, seed: number, longest: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let state = seed;
  for (let at = 0; at < bytes.length; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const length = 1 + ((state >>> 8) % longest);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

const streams = recordings("messages").flatMap(({ id, sse }) => (sse ? [[id, sse] as const] : []));
const short = [...streams].sort((a, b) => a[1].length - b[1].length).slice(0, 4);

test.skipIf(!recordingsPresent)("there are recorded streams", () => expect(streams.length).toBeGreaterThan(30));

/** Some recordings join the streams of a whole tool loop in one file: only the first answer is one. */
function firstAnswer(sse: Uint8Array): string {
  const text = new TextDecoder().decode(sse);
  const end = text.indexOf('"type":"message_stop"');
  const stop = end === -1 ? text.search(/"type":\s*"message_stop"/) : end;
  return stop === -1 ? text : text.slice(0, text.indexOf("\n", stop) + 2);
}

describeRecorded("L2 and L11 a recorded stream", () => {
  test.each(streams)("%s comes out legal and means the same", (_id, sse) => {
    const events = read(firstAnswer(sse));
    const notices: Notice[] = [];
    const text = write(events, notices);
    expect(checkStream(text).error).toBeUndefined();
    expect(notices).toEqual([]);
    const { serviceTier: _written, ...again } = whole(read(text));
    const { serviceTier: _told, ...first } = whole(events);
    expect(again).toEqual(first);
  });

  test.each(streams)("L8 %s means what its whole answer means", (_id, sse) => {
    const text = write(read(firstAnswer(sse)));
    const { message } = checkStream(text);
    if (!message) throw new Error("No message.");
    const streamed = whole(read(text));
    const unary = decodeResponse(message);
    expect(plain(streamed)).toEqual(plain(unary));
  });
});

/** Arguments by value: their spelling is the only thing that a whole answer does not keep. */
function plain(response: CanonicalResponse): object {
  return {
    id: response.id,
    usage: response.usage,
    finish: response.candidates[0]?.finish,
    parts: response.candidates[0]?.parts.map(({ extras: _extras, ...part }) =>
      part.type === "tool-call" ? { ...part, arguments: JSON.parse(part.arguments) } : part,
    ),
  };
}

describe("L9 cutting the bytes changes nothing", () => {
  test.each(streams)("%s, at random places", (_id, sse) => {
    const expected = gated([sse]);
    for (const [seed, longest] of [
      [1, 7],
      [2, 64],
      [3, 1500],
    ] as const) {
      expect(gated(cut(sse, seed, longest))).toEqual(expected);
    }
  });

  test.each(short)("%s, at every byte", (_id, sse) => {
    const expected = gated([sse]);
    for (let at = 0; at <= sse.length; at += 1) {
      expect(gated([sse.subarray(0, at), sse.subarray(at)])).toEqual(expected);
    }
  });

  test("S21 one byte at a time, with characters of four bytes", () => {
    const text = stream(textBlock(0, ["日本", "😀é"]));
    const bytes = utf8.encode(text);
    expect(gated(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(gated([bytes]));
  });
});

describeRecorded("L10 framing changes nothing", () => {
  const forms: [string, (text: string) => string][] = [
    ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["CR", (text) => text.replaceAll("\n", "\r")],
    ["no space behind the colon", (text) => text.replaceAll("data: ", "data:").replaceAll("event: ", "event:")],
    ["comments", (text) => text.replaceAll("event: ", ": note\nevent: ")],
    ["a byte order mark", (text) => `\uFEFF${text}`],
    ["no names (123)", (text) => text.replaceAll(/event: .*\n/g, "")],
    ["several data lines (S22)", (text) => text.replaceAll(/^data: \{"type"/gm, 'data: {\ndata: "type"')],
    [
      "newline-delimited JSON",
      (text) =>
        text
          .replaceAll(/event: .*\n/g, "")
          .replaceAll("data: ", "")
          .replaceAll("\n\n", "\n"),
    ],
  ];
  test.each(forms)("%s", (_name, form) => {
    for (const [, sse] of streams.slice(0, 12)) {
      const text = firstAnswer(sse).replaceAll("\r\n", "\n");
      expect(read(form(text))).toEqual(read(text));
    }
  });
});

describe("L12 a cut is never a good end (25, 121)", () => {
  test.each(short)("%s, at every byte before the stop reason", (_id, sse) => {
    const text = firstAnswer(sse);
    const bytes = utf8.encode(text);
    // 3.3: a stop reason that was told counts as the end, even if message_stop got lost.
    const told = utf8.encode(text.slice(0, text.indexOf("message_delta") + 14)).length;
    for (let at = 0; at < told; at += 1) {
      const last = gated([bytes.subarray(0, at)]).at(-1);
      expect(last).toMatchObject({ type: "error", error: { kind: "upstream_incomplete", code: "stream_incomplete" } });
    }
    expect(gated([bytes]).at(-1)).toEqual({ type: "end" });
  });

  test("S25 half a call is not closed as if it were complete", () => {
    const text = stream(callBlock(0, "a", ['{"path": "/tm'])).split("event: content_block_stop")[0] ?? "";
    const written = write(read(text));
    expect(written).not.toContain("content_block_stop");
    expect(checkStream(written)).toMatchObject({ error: { type: "api_error" } });
  });

  test("message_delta with a stop reason, then close, is a good end", () => {
    const text = stream(textBlock(0, ["Hi"])).split("event: message_stop")[0] ?? "";
    expect(read(text).at(-1)).toEqual({ type: "end" });
  });
});

describe("L13 an error frame at any position is one error and no success", () => {
  const error = frame("error", { error: { type: "overloaded_error", message: "Overloaded" } });
  const frames = stream(textBlock(0, ["a", "b"]), callBlock(1, "t", ["{}"])).split(/(?<=\n\n)/);
  test.each(frames.map((_, index) => [index]))("in front of frame %i", (index) => {
    const text = [...frames.slice(0, index), error, ...frames.slice(index)].join("");
    const written = write(read(text));
    expect(checkStream(written).error).toEqual({ type: "overloaded_error", message: "Overloaded" });
    expect(written.match(/event: error/g)).toHaveLength(1);
    expect(written).not.toContain("message_stop");
  });

  test("123 an unnamed error frame counts, and a later [DONE] does not make it a success", () => {
    const text = `${frame("message_start", { message: started() })}data: {"error":{"message":"boom"}}\n\ndata: [DONE]\n\n`;
    expect(read(text).at(-1)).toMatchObject({ type: "error", error: { message: "boom" } });
  });

  test("a web page in the place of a stream", () => {
    expect(read("<html><body>Bad gateway</body></html>").at(-1)).toMatchObject({ error: { kind: "upstream_bad" } });
  });

  test("broken JSON in a frame", () => {
    expect(read(`event: message_start\ndata: {oops\n\n${stream()}`).at(-1)).toMatchObject({
      error: { kind: "upstream_bad" },
    });
  });
});

function frame(type: string, body: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
}

function started(usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): JsonObject {
  return {
    id: "msg_7",
    type: "message",
    role: "assistant",
    model: "c",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}

function block(index: number, content: JsonObject, deltas: JsonObject[]): string {
  return [
    frame("content_block_start", { index, content_block: content }),
    ...deltas.map((delta) => frame("content_block_delta", { index, delta })),
    frame("content_block_stop", { index }),
  ].join("");
}

function textBlock(index: number, texts: string[]): string {
  return block(
    index,
    { type: "text", text: "" },
    texts.map((text) => ({ type: "text_delta", text })),
  );
}

function callBlock(index: number, id: string, pieces: string[], input: JsonObject = {}): string {
  const deltas = pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  return block(index, { type: "tool_use", id, name: "f", input }, deltas);
}

function stream(...blocks: string[]): string {
  const reason = blocks.some((text) => text.includes("tool_use")) ? "tool_use" : "end_turn";
  return [
    frame("message_start", { message: started() }),
    ...blocks,
    frame("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } }),
    frame("message_stop", {}),
  ].join("");
}

describe("traps of an upstream stream", () => {
  test("S35 a call without a fragment is {}", () => {
    expect(whole(read(stream(callBlock(0, "a", []))))).toMatchObject({
      candidates: [{ parts: [{ arguments: "{}" }], finish: { reason: "tool" } }],
    });
  });

  test("S1 a call whose input stands whole in its opening", () => {
    expect(whole(read(stream(callBlock(0, "a", [], { x: 1 }))))).toMatchObject({
      candidates: [{ parts: [{ arguments: '{"x":1}' }] }],
    });
  });

  test("S8 an empty text block is no part", () => {
    expect(whole(read(stream(textBlock(0, [""]), callBlock(1, "a", []))))).toMatchObject({
      candidates: [{ parts: [{ type: "tool-call" }] }],
    });
  });

  test("145 input tokens told only at the end count", () => {
    const text = [
      frame("message_start", { message: started({ input_tokens: 0, output_tokens: 0 }) }),
      frame("message_delta", { delta: { stop_reason: "end_turn" }, usage: { input_tokens: 1200, output_tokens: 3 } }),
      frame("message_stop", {}),
    ].join("");
    expect(whole(read(text)).usage).toEqual({ input: { uncached: 1200 }, output: { total: 3 } });
  });

  test("S10 a zero at the end does not take a true number back", () => {
    const text = stream(textBlock(0, ["a"])).replace(
      '"usage":{"output_tokens":5}',
      '"usage":{"input_tokens":0,"output_tokens":5}',
    );
    expect(whole(read(text)).usage).toEqual({ input: { uncached: 10 }, output: { total: 5 } });
  });

  test("S2 interleaved blocks come out one after another", () => {
    const open = (index: number) =>
      frame("content_block_start", {
        index,
        content_block: { type: "tool_use", id: `t${index}`, name: "f", input: {} },
      });
    const piece = (index: number, text: string) =>
      frame("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: text } });
    const stop = (index: number) => frame("content_block_stop", { index });
    const text = stream(
      open(0),
      open(1),
      piece(0, '{"a"'),
      piece(1, '{"b"'),
      piece(0, ":1}"),
      piece(1, ":2}"),
      stop(1),
      stop(0),
    ).replace('"end_turn"', '"tool_use"');
    const { message } = checkStream(write(read(text)));
    expect(message?.content).toMatchObject([{ input: { a: 1 } }, { input: { b: 2 } }]);
  });

  test("S34 a whole answer where a stream was asked for becomes a stream", () => {
    const body = { ...started(), content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" };
    expect(checkStream(write(read(JSON.stringify(body)))).message?.content).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("a lone error body is an error", () => {
    const body = JSON.stringify({ type: "error", error: { type: "rate_limit_error", message: "Slow." } });
    expect(read(body).at(-1)).toMatchObject({ type: "error", error: { kind: "rate_limit", message: "Slow." } });
  });

  test("85, 88 a signature that comes last is kept, and thinking that was omitted too (L19)", () => {
    const omitted = block(0, { type: "thinking", thinking: "", signature: "" }, [
      { type: "signature_delta", signature: "EqoB" },
    ]);
    const text = write(read(stream(omitted, textBlock(1, ["Hi"]))));
    expect(checkStream(text).message?.content).toEqual([
      { type: "thinking", thinking: "", signature: "EqoB" },
      { type: "text", text: "Hi" },
    ]);
  });

  test("compaction grows by its own deltas and stays whole, and its text is not shown as the answer", () => {
    const compaction = block(0, { type: "compaction", content: null }, [
      { type: "compaction_delta", content: "They said hello.", encrypted_content: "xx" },
    ]);
    expect(whole(read(stream(compaction))).candidates[0]?.parts).toEqual([
      {
        type: "opaque",
        protocol: "messages",
        nativeType: "compaction",
        payload: { type: "compaction", content: "They said hello.", encrypted_content: "xx" },
      },
    ]);
  });

  test("unknown events and pings are skipped", () => {
    const text = stream(textBlock(0, ["Hi"]));
    const noisy = text.replaceAll(/(?<=\n\n)/g, `${frame("ping", {})}${frame("aurora", { colour: "green" })}`);
    expect(whole(read(noisy))).toEqual(whole(read(text)));
  });

  test("L15 a usage that is told twice counts once", () => {
    const delta = frame("message_delta", { delta: { stop_reason: null }, usage: { output_tokens: 5 } });
    const text = stream(textBlock(0, ["Hi"]));
    expect(whole(read(text.replace("event: message_delta", `${delta}event: message_delta`))).usage).toEqual(
      whole(read(text)).usage,
    );
  });

  test("L6.6 the reader never throws on arbitrary bytes", () => {
    for (const text of [
      "",
      "\n\n",
      "data: 5\n\n",
      "data: null\n\n",
      "[1,2]",
      "{}",
      "event: content_block_delta\ndata: {}\n\n",
    ]) {
      expect(read(text).at(-1)?.type).toBe("error");
    }
  });

  test("a search keeps its blocks, and dense indexes, on the way back to its own protocol (S37)", () => {
    const use = block(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }, [
      { type: "input_json_delta", partial_json: '{"query":' },
      { type: "input_json_delta", partial_json: '"cats"}' },
    ]);
    const result = block(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }, []);
    const { message } = checkStream(write(read(stream(use, result, textBlock(2, ["Cats."])))));
    const content = message?.content;
    expect(Array.isArray(content) && content.map((item) => isObject(item) && item.type)).toEqual([
      "server_tool_use",
      "web_search_tool_result",
      "text",
    ]);
    expect(content).toMatchObject([{ input: { query: "cats" } }, {}, {}]);
  });
});
