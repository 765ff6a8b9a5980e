import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalResponse } from "../canonical/index.ts";
import { type Carried, carry, runStream, utf8, wireFrames } from "../testing/carrying.ts";
import { type Pair, pairs } from "../testing/protocol-sides.ts";

const seed = 9;

function converted({ client, upstream }: Pair, pieces: Iterable<Uint8Array>): Carried {
  const asked = client.hasCandidates && upstream.hasCandidates ? 3 : 1;
  return runStream(carry(client, upstream, client.body(asked, true), { stream: true }).createStream(), pieces);
}

function bytesOf({ upstream }: Pair, answer: CanonicalResponse): Uint8Array {
  return utf8(wireFrames(upstream, answer).join(""));
}

/** Cuts bytes at the given places, each a share of the whole. */
function cut(bytes: Uint8Array, shares: readonly number[]): Uint8Array[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

/**
 * Other ways of writing the same events (L10). A reader that knows no named events ignores the name, so an event line in
 * front changes nothing either.
 */
const framings: readonly (readonly [string, (frames: readonly string[]) => string])[] = [
  ["CRLF", (frames) => frames.join("").replaceAll("\n", "\r\n")],
  ["CR", (frames) => frames.join("").replaceAll("\n", "\r")],
  [
    "no space behind the colon",
    (frames) => frames.map((frame) => frame.replaceAll(/^(event|data): /gm, "$1:")).join(""),
  ],
  ["a byte order mark", (frames) => `\ufeff${frames.join("")}`],
  [
    "comments, unknown fields and blank lines",
    (frames) => frames.map((frame) => `: beat\n\n\nid: 7\nretry: 10\n${frame}`).join(""),
  ],
  ["data over two lines", (frames) => frames.map(brokenData).join("")],
  ["no blank line at the end", (frames) => frames.join("").replace(/\n\n$/, "\n")],
];

/** JSON may be broken between two of its tokens; a frame says so by a second data line. */
function brokenData(frame: string): string {
  return frame.replace(/^data: \{(.*)$/m, "data: {\ndata: $1");
}

describe("L9 the upstream's bytes may be cut anywhere", () => {
  for (const pair of pairs()) {
    test(pair.name, () => {
      fc.assert(
        fc.property(pair.upstream.answers, fc.array(share, { minLength: 1, maxLength: 12 }), (answer, shares) => {
          const bytes = bytesOf(pair, answer);
          const whole = converted(pair, [bytes]);
          expect(whole.ended).toBe("good");
          expect(converted(pair, cut(bytes, shares))).toEqual({ ...whole, before: expect.any(String) });
        }),
        { numRuns: 30, seed },
      );
    });

    test(`${pair.name}, one byte at a time`, () => {
      for (const answer of fc.sample(pair.upstream.answers, { numRuns: 3, seed })) {
        const bytes = bytesOf(pair, answer);
        const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
        expect(converted(pair, single).text).toBe(converted(pair, [bytes]).text);
      }
    });
  }
});

describe("L10 another framing of the same events changes nothing", () => {
  for (const pair of pairs()) {
    test(pair.name, () => {
      fc.assert(
        fc.property(pair.upstream.answers, fc.constantFrom(...framings), share, (answer, [, write], at) => {
          const frames = wireFrames(pair.upstream, answer);
          const plain = converted(pair, [utf8(frames.join(""))]);
          const other = converted(pair, cut(utf8(write(frames)), [at]));
          expect(other).toEqual({ ...plain, before: expect.any(String) });
        }),
        { numRuns: 30, seed },
      );
    });
  }
});
