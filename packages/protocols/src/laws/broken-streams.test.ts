import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CanonicalResponse, canonicalError, type JsonObject, type ProtocolName } from "../canonical/index.ts";
import { type Carried, carry, runStream, utf8, wireFrames } from "../testing/carrying.ts";
import { type Pair, pairs, type Side } from "../testing/protocol-sides.ts";

const seed = 12;

function converted({ client, upstream }: Pair, text: string | Uint8Array): Carried {
  const asked = client.hasCandidates && upstream.hasCandidates ? 3 : 1;
  const bytes = typeof text === "string" ? utf8(text) : text;
  return runStream(carry(client, upstream, client.body(asked, true), { stream: true }).createStream(), [bytes]);
}

function expectError({ client, upstream }: Pair, { text, ended }: Carried): void {
  const asked = client.hasCandidates && upstream.hasCandidates ? 3 : 1;
  expect(ended).toBe("error");
  expect(client.verdict(text, asked)).toBe("error");
  expect(text).not.toMatch(successMark[client.name]);
}

/** What a client takes for a good end. */
const successMark: Record<ProtocolName, RegExp> = {
  "chat-completions": /^data: \[DONE\]$|"finish_reason":"/m,
  responses: /^event: response\.(completed|incomplete)$/m,
  messages: /^event: message_(stop|delta)$/m,
  "generate-content": /"finishReason":/,
};

/**
 * Bytes of the stream up to which nothing says that the answer is whole: what stands before the frame of the terminal
 * mark. Chat completions and messages end by a mark of their own; some of their servers stop behind the finish instead,
 * which counts as an end too, and generateContent has nothing else.
 */
const terminal: Record<ProtocolName, RegExp> = {
  "chat-completions": /"finish_reason":"/,
  responses: /^event: response\.(completed|incomplete)/,
  messages: /^event: message_delta/,
  "generate-content": /"finishReason":|"promptFeedback":/,
};

function beforeEnd(upstream: Side, answer: CanonicalResponse): Uint8Array {
  const frames = wireFrames(upstream, answer);
  const at = frames.findLastIndex((frame) => terminal[upstream.name].test(frame));
  const terminalFrame = utf8(frames[at] ?? "");
  // The frame itself may be cut too, but for its last line's end.
  return new Uint8Array([...utf8(frames.slice(0, at).join("")), ...terminalFrame.subarray(0, -3)]);
}

/** Answers all of whose candidates said something: a stream cannot tell of one that has not begun that it is missing. */
function talking({ client, upstream }: Pair): fc.Arbitrary<CanonicalResponse> {
  return upstream.answers
    .map((answer) => (client.hasCandidates ? answer : { ...answer, candidates: answer.candidates.slice(0, 1) }))
    .filter(({ candidates }) => candidates.every(({ parts }) => parts.length > 0));
}

/** Error frames as each vendor writes them in the middle of a stream. */
function errorFrame(upstream: Side): string {
  const { body } = upstream.codec.encodeError(canonicalError("overloaded", "Overloaded just now."), "req_1");
  if (upstream.name === "messages") return `event: error\ndata: ${JSON.stringify(body)}\n\n`;
  if (upstream.name !== "responses") return `data: ${JSON.stringify(body)}\n\n`;
  const event: JsonObject = { type: "error", code: "server_error", message: "Overloaded just now.", param: null };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}

describe("L12 a stream that is cut before its terminal mark never has a good end", () => {
  for (const pair of pairs()) {
    test(`${pair.name}, cut anywhere`, () => {
      fc.assert(
        fc.property(talking(pair), fc.double({ min: 0, max: 1, noNaN: true }), (answer, share) => {
          const bytes = beforeEnd(pair.upstream, answer);
          const cut = bytes.subarray(0, Math.floor(share * (bytes.length + 1)));
          expectError(pair, converted(pair, cut));
        }),
        { numRuns: 40, seed },
      );
    });

    test(`${pair.name}, cut behind every byte of a short answer`, () => {
      const [answer] = fc.sample(
        pair.upstream.answers.filter(({ candidates }) => candidates.length === 1 && candidates[0]?.parts.length === 1),
        { numRuns: 1, seed },
      );
      if (!answer) throw new Error("No answer was drawn.");
      const bytes = beforeEnd(pair.upstream, answer);
      for (let length = 0; length <= bytes.length; length += 1) {
        expectError(pair, converted(pair, bytes.subarray(0, length)));
      }
    });
  }
});

describe("L13 an error frame at any place is one error in the client's shape, and nothing follows", () => {
  for (const pair of pairs()) {
    test(pair.name, () => {
      fc.assert(
        fc.property(pair.upstream.answers, fc.nat(), (answer, place) => {
          const frames = wireFrames(pair.upstream, { ...answer, candidates: answer.candidates.slice(0, 1) });
          const end = frames.findIndex((frame) => terminal[pair.upstream.name].test(frame));
          const at = place % (end + 1);
          const text = [...frames.slice(0, at), errorFrame(pair.upstream), ...frames.slice(at)].join("");
          const carried = converted(pair, text);
          expectError(pair, carried);
          expect(carried.text.split("Overloaded just now.").length - 1).toBe(1);
        }),
        { numRuns: 40, seed },
      );
    });
  }
});
