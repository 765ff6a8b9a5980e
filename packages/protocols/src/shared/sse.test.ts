import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordings, recordingsPresent } from "../testing/recordings.ts";
import { type SseEvent, SseOverflow, SseReader } from "./sse.ts";

const encoder = new TextEncoder();

function readAll(chunks: Iterable<Uint8Array>): SseEvent[] {
  const reader = new SseReader();
  const events: SseEvent[] = [];
  for (const chunk of chunks) events.push(...reader.push(chunk));
  return [...events, ...reader.close()];
}

function read(text: string): SseEvent[] {
  return readAll([encoder.encode(text)]);
}

function* singly(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
}

const nasty = [
  "\ufeffevent: a",
  "data: first",
  "data: second 🙂 ä",
  "",
  ": a comment",
  "data:no space",
  "data",
  "id: 7",
  "",
  "",
  "event: nothing",
  "",
  "data:  two spaces",
].join("\n");

const expected: SseEvent[] = [
  { event: "a", data: "first\nsecond 🙂 ä" },
  { event: undefined, data: "no space\n" },
  { event: undefined, data: " two spaces" },
];

describe("S22 the fields of an event", () => {
  test("several data lines are joined by LF, one space is stripped, comments and unknown fields are skipped", () => {
    expect(read(nasty)).toEqual(expected);
  });

  test("an event name without data is no event and does not name the next one", () => {
    expect(read("event: x\n\ndata: 1\n\n")).toEqual([{ event: undefined, data: "1" }]);
  });

  test("the last event counts without its blank line", () => {
    expect(read("data: [DONE]")).toEqual([{ event: undefined, data: "[DONE]" }]);
  });

  test("a byte order mark inside the stream stays data", () => {
    expect(read("data: 1\n\n\ufeffdata: 2\n\n")).toEqual([{ event: undefined, data: "1" }]);
  });
});

describe("L10 line ends", () => {
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("%s gives the same events, cut at every byte", (_name, end) => {
    const bytes = encoder.encode(nasty.replaceAll("\n", end));
    expect(readAll(singly(bytes))).toEqual(expected);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
    }
  });

  test("mixed line ends in one stream", () => {
    expect(read("data: 1\r\rdata: 2\r\n\ndata: 3\n\r\n")).toEqual([
      { event: undefined, data: "1" },
      { event: undefined, data: "2" },
      { event: undefined, data: "3" },
    ]);
  });

  test("S21 a blank line ends an event at once, even while the LF of its CRLF is still on the way", () => {
    const reader = new SseReader();
    expect(reader.push(encoder.encode("data: 1\r\n\r"))).toEqual([{ event: undefined, data: "1" }]);
    expect(reader.push(encoder.encode("\ndata: 2\n\n"))).toEqual([{ event: undefined, data: "2" }]);
  });
});

describe("L9 chunking", () => {
  test("any cuts of any stream give the events of the whole", () => {
    const line = fc.oneof(
      fc.constantFrom("", "data", "data:", "data: x", "event: e", ": c", "retry: 1"),
      fc.string({ unit: "grapheme" }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r"))).map((lines) => lines.flat().join(""));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400)), (text, cuts) => {
        const bytes = encoder.encode(text);
        const places = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (const to of places) {
          chunks.push(bytes.subarray(from, to));
          from = to;
        }
        expect(readAll(chunks)).toEqual(readAll([bytes]));
      }),
    );
  });

  test.skipIf(!recordingsPresent)("recorded streams, one byte at a time", () => {
    for (const { sse } of recordings("generate-content").slice(0, 20)) {
      if (!sse) continue;
      const whole = readAll([sse]);
      expect(whole.length).toBeGreaterThan(0);
      expect(readAll(singly(sse))).toEqual(whole);
    }
  });
});

describe("R9 limits", () => {
  test("an event over 8 MiB is refused, on one line or on many", () => {
    const megabyte = encoder.encode("x".repeat(1024 * 1024));
    const reader = new SseReader();
    reader.push(encoder.encode("data: "));
    for (let i = 0; i < 7; i += 1) reader.push(megabyte);
    expect(() => {
      reader.push(megabyte);
      reader.push(megabyte);
    }).toThrow(SseOverflow);

    const lines = new SseReader();
    const line = encoder.encode(`data: ${"x".repeat(1024 * 1024)}\n`);
    expect(() => {
      for (let i = 0; i < 9; i += 1) lines.push(line);
    }).toThrow(SseOverflow);
  });

  test("a long line in small chunks takes linear time", () => {
    // Quadratic work would copy some 60 GB here; the limit is generous for a loaded machine.
    const reader = new SseReader();
    const piece = encoder.encode("x".repeat(64));
    const started = performance.now();
    reader.push(encoder.encode("data: "));
    for (let i = 0; i < 65_536; i += 1) reader.push(piece);
    const [event] = reader.push(encoder.encode("\n\n"));
    expect(event?.data.length).toBe(64 * 65_536);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
