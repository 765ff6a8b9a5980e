import fc from "fast-check";
import type { ProtocolName } from "../../packages/protocols/src/canonical/index.ts";
import { utf8, wireFrames } from "../../packages/protocols/src/testing/carrying.ts";
import { disorder, disturbed } from "../../packages/protocols/src/testing/frame-disorder.ts";
import { strangeValue } from "../../packages/protocols/src/testing/mutation.ts";
import { protocolLike } from "../../packages/protocols/src/testing/protocol-like.ts";
import { type Side, sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { recordings, recordingsPresent } from "../../packages/protocols/src/testing/recordings.ts";

/** Longest recorded stream that is drawn from, so that many can be tried. */
const mostBytes = 30_000;

/** A place in bytes, as a share of them. */
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** One change of a stream's bytes. */
type Change =
  | { kind: "cut"; from: number; length: number }
  | { kind: "double"; from: number; length: number }
  | { kind: "flip"; at: number; bit: number }
  | { kind: "insert"; at: number; bytes: Uint8Array }
  | { kind: "line ends"; as: string }
  | { kind: "swap"; from: number; length: number };

const length = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 2000 }));
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), from: share, length }),
  fc.record({ kind: fc.constant("double" as const), from: share, length }),
  fc.record({ kind: fc.constant("flip" as const), at: share, bit: fc.nat({ max: 7 }) }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: share,
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom("\n\n", "\r", "data: [DONE]\n\n", "data:", "event: error\n", "\ufeff", '"', "}", "\\", "\0")
        .map(utf8),
      fc.constantFrom(": so ", 'data: {"usage":', "data: ").map((start) => utf8(start.padEnd(20_000, "x"))),
    ),
  }),
  fc.record({ kind: fc.constant("line ends" as const), as: fc.constantFrom("\r\n", "\r", "\n\n") }),
  fc.record({ kind: fc.constant("swap" as const), from: share, length }),
);

function changed(bytes: Uint8Array, made: Change): Uint8Array {
  switch (made.kind) {
    case "cut": {
      const from = Math.floor(made.from * bytes.length);
      return joined([bytes.subarray(0, from), bytes.subarray(from + made.length)]);
    }
    case "double": {
      const from = Math.floor(made.from * bytes.length);
      return joined([bytes.subarray(0, from + made.length), bytes.subarray(from)]);
    }
    case "flip": {
      const at = Math.floor(made.at * bytes.length);
      return bytes.map((byte, index) => (index === at ? byte ^ (1 << made.bit) : byte));
    }
    case "insert": {
      const at = Math.floor(made.at * bytes.length);
      return joined([bytes.subarray(0, at), made.bytes, bytes.subarray(at)]);
    }
    case "line ends":
      return withLineEnds(bytes, made.as);
    case "swap": {
      const from = Math.floor(made.from * bytes.length);
      const [one, two, three] = [from, from + made.length, from + 2 * made.length];
      return joined([
        bytes.subarray(0, one),
        bytes.subarray(two, three),
        bytes.subarray(one, two),
        bytes.subarray(three),
      ]);
    }
  }
}

function withLineEnds(bytes: Uint8Array, as: string): Uint8Array {
  return Buffer.from(
    Buffer.from(bytes)
      .toString("latin1")
      .replace(/\r\n|\r|\n/g, as),
    "latin1",
  );
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Streams of real providers, or of an upstream that we play where no recordings are there. */
function realStreams(side: Side): fc.Arbitrary<Uint8Array> {
  const written = side.answers.map((answer) => utf8(wireFrames(side, answer, 5).join("")));
  if (!recordingsPresent) return written;
  const recorded = recordings(side.name).flatMap(({ sse }) => (sse && sse.length <= mostBytes ? [sse] : []));
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...recorded) }, { weight: 1, arbitrary: written });
}

/** The beginning of one stream and the end of another. */
function spliced(streams: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(streams, streams, share, share)
    .map(([head, tail, until, from]) =>
      joined([head.subarray(0, Math.floor(until * head.length)), tail.subarray(Math.floor(from * tail.length))]),
    );
}

/** Bytes without sense, and frames with sense only for a reader of JSON. */
const nonsense: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }).map(utf8),
  fc
    .array(fc.oneof(protocolLike, strangeValue), { maxLength: 8 })
    .map((values) => utf8(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(""))),
);

function streamsOf(side: Side): fc.Arbitrary<Uint8Array> {
  const real = realStreams(side);
  const changedBytes = fc
    .tuple(fc.oneof(real, spliced(real)), fc.array(change, { maxLength: 4 }))
    .map(([bytes, made]) => made.reduce(changed, bytes));
  const changedFrames = fc
    .tuple(side.answers, disorder)
    .map(([answer, made]) => utf8(disturbed(wireFrames(side, answer), made).join("")));
  return fc.oneof(
    { weight: 4, arbitrary: changedBytes },
    { weight: 3, arbitrary: changedFrames },
    { weight: 1, arbitrary: nonsense },
  );
}

/** What an upstream of each protocol may send at its worst. */
export const streams: Readonly<Record<ProtocolName, fc.Arbitrary<Uint8Array>>> = {
  "chat-completions": streamsOf(sides["chat-completions"]),
  responses: streamsOf(sides.responses),
  messages: streamsOf(sides.messages),
  "generate-content": streamsOf(sides["generate-content"]),
};

/** Two of the recordings are several answers one behind the other. */
function isOneAnswer(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).toString("latin1").split("event: message_stop").length <= 2;
}

/** Streams that nobody has spoilt. */
export const soundStreams: Readonly<Record<ProtocolName, fc.Arbitrary<Uint8Array>>> = {
  "chat-completions": realStreams(sides["chat-completions"]),
  responses: realStreams(sides.responses),
  messages: realStreams(sides.messages).filter(isOneAnswer),
  "generate-content": realStreams(sides["generate-content"]),
};

/** What a stream may look like besides, for a reader of server-sent events. */
interface Dress {
  lineEnd: string;
  /** Before each event. */
  before: string;
}

export const dress: fc.Arbitrary<Dress> = fc.record(
  {
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    before: fc.constantFrom("", ": keep-alive\n\n", "retry: 1\n"),
  },
  { noNullPrototype: true },
);

export function dressed(bytes: Uint8Array, { lineEnd, before }: Dress): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1").replace(/\r\n?/g, "\n");
  return withLineEnds(Buffer.from(text.replace(/(?<=^|\n\n)(?=event:|data:)/g, before), "latin1"), lineEnd);
}

/** generateContent as one JSON array: as it should be, or with damage. */
export const arrays: fc.Arbitrary<Uint8Array> = fc
  .tuple(sides["generate-content"].answers, disorder, fc.boolean(), fc.array(change, { maxLength: 2 }))
  .map(([answer, made, disturbs, changes]) => {
    const frames = wireFrames(sides["generate-content"], answer, 5);
    const chosen = disturbs ? disturbed(frames, made) : frames;
    const elements = chosen.map((frame) => frame.replace(/^data: |\n\n$/g, ""));
    return changes.reduce(changed, utf8(`[${elements.join(",\n")}\n]`));
  });

/** Places at which bytes are cut into pieces, as shares of them. */
export const cuts: fc.Arbitrary<number[]> = fc.array(share, { maxLength: 8 });

export function inPieces(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = shares.map((each) => Math.floor(each * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}
