import { describe, expect, test } from "vitest";
import type { CanonicalResponse, Notice } from "../canonical/index.ts";
import { write } from "../testing/messages-events-fixture.ts";
import { checkStream } from "../testing/messages-grammar.ts";
import { callBlock, gated, read, stream, textBlock, utf8, whole } from "../testing/messages-stream-fixture.ts";
import { describeRecorded, recordings, recordingsPresent } from "../testing/recordings.ts";
import { decodeResponse } from "./response-decoder.ts";

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
