import { strict as assert } from "node:assert";
import fc from "fast-check";
import { createAnswerMeter } from "../../packages/gateway/src/relay/answer-meter.ts";
import type { AnswerStep, AnswerStream } from "../../packages/gateway/src/relay/answer-stream.ts";
import { createDirectArrayStream } from "../../packages/gateway/src/relay/direct-array-stream.ts";
import { createDirectStream, usageIn } from "../../packages/gateway/src/relay/direct-stream.ts";
import { type ProtocolName, protocolNames, type Usage } from "../../packages/protocols/src/canonical/index.ts";
import { utf8 } from "../../packages/protocols/src/testing/carrying.ts";
import { sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { cutShort } from "./reading.ts";
import { arrays, cuts, dress, dressed, inPieces, soundStreams, streams } from "./streams.ts";
import type { Target } from "./target.ts";
import { cutFrames, endsFrame, eventsIn, hasMark, isUsageFrame, isWhole, tellsFailure } from "./upstream-frames.ts";

/** What became of an upstream's stream in the direct lane. */
interface Handed {
  sent: Buffer;
  ended: "good" | "error";
  /** What of it went out before the end was known, and so before the call's record. */
  early: Buffer;
  /** What the gateway wrote of its own behind the upstream's bytes. */
  own: string;
  usage: Usage | undefined;
  /** Most bytes that were held back at any time. */
  held: number;
}

/** Hands a stream on, to its end or until the gateway ends it behind so many reads. */
function handOn(stream: AnswerStream, pieces: readonly Uint8Array[], ending?: number): Handed {
  const sent: Buffer[] = [];
  let received = 0;
  let held = 0;
  let final: AnswerStep["final"];
  const take = (step: AnswerStep) => {
    assert.ok(!step.final || !final, "the answer has two ends");
    sent.push(Buffer.from(step.text));
    final ??= step.final;
  };
  const length = () => sent.reduce((sum, piece) => sum + piece.length, 0);
  for (const piece of pieces.slice(0, ending)) {
    take(stream.push(piece));
    received += piece.length;
    if (!final) held = Math.max(held, received - length());
    // A keep-alive may be written at any moment.
    if (!final && stream.ping() !== "") assert.ok(endsFrame(Buffer.concat(sent)), "a keep-alive lands in a frame");
  }
  if (ending !== undefined && !final) {
    const own = stream.fail(cutShort);
    assert.equal(stream.push(utf8("data: late\n\n")).text.length, 0, "bytes behind the end");
    const early = Buffer.concat(sent);
    return { sent: early, early, ended: "error", own, usage: stream.usage, held };
  }
  take(stream.close());
  assert.ok(final, "the answer has no end");
  const early = Buffer.concat(sent);
  const text = Buffer.from(final.text);
  if (final.error) {
    return { sent: early, early, ended: "error", own: text.toString("latin1"), usage: stream.usage, held };
  }
  return { sent: Buffer.concat([early, text]), early, ended: "good", own: "", usage: stream.usage, held };
}

/** The bytes handed on are the upstream's first ones, and nothing is left out but frames that may be. */
function checkBytes(bytes: Uint8Array, sent: Buffer, mayMiss: (frame: string) => boolean): void {
  let rest = sent.toString("latin1");
  for (const frame of cutFrames(bytes)) {
    if (rest === "") return;
    if (rest.startsWith(frame)) rest = rest.slice(frame.length);
    else if (frame.startsWith(rest)) return;
    else assert.ok(mayMiss(frame), `other bytes than came, at ${JSON.stringify(rest.slice(0, 80))}`);
  }
  // An event at the very end may come without its blank line, and gets one.
  assert.ok(rest === "" || rest === "\n\n", `bytes that never came: ${JSON.stringify(rest.slice(0, 80))}`);
}

/** What the gateway writes of its own tells the error and lands between two frames. */
function checkOwn(name: ProtocolName, bytes: Uint8Array, { sent, own }: Handed): void {
  if (own === "" || Buffer.from(bytes).toString("latin1", sent.length).startsWith(own)) return;
  assert.ok(endsFrame(sent), "an error lands in a frame");
  const events = sides[name].codec.createStreamDecoder().push(utf8(own));
  assert.ok(
    events.some(({ type }) => type === "error"),
    `no error: ${own}`,
  );
}

/** How many frames before the end are surely looked into for an error. */
const lookedInto = 4;

const name = fc.constantFrom(...protocolNames);
const eventBytes = fc.constantFrom(2_000, 1_000_000);

const anyBytes: Target = {
  name: "the direct lane's bytes",
  property: (watch) =>
    fc.property(
      name.chain((drawn) => fc.tuple(fc.constant(drawn), streams[drawn])),
      cuts,
      eventBytes,
      fc.boolean(),
      fc.option(fc.nat({ max: 8 }), { nil: undefined }),
      ([name, bytes], shares, eventBytes, hides, ending) => {
        const { codec } = sides[name];
        const hideUsage = hides && name === "chat-completions";
        const open = () => createDirectStream({ codec, callId: "call_1", eventBytes, hideUsage });
        const pieces = inPieces(bytes, shares);
        watch(bytes.length * 3, () => {
          const meter = createAnswerMeter(name);
          for (const piece of pieces) meter.push(Buffer.from(piece));
          assert.ok(meter.roughTokens <= bytes.length, "more tokens than bytes");

          const reads: [readonly Uint8Array[], number?][] = [[pieces], [[bytes]], [pieces, ending]];
          for (const [read, until] of reads) {
            const handed = handOn(open(), read, until);
            checkBytes(bytes, handed.sent, (frame) => hideUsage && isUsageFrame(frame));
            checkOwn(name, bytes, handed);
            const longest = Math.max(0, ...read.map((piece) => piece.length));
            assert.ok(handed.held <= eventBytes + longest, `${handed.held} bytes were held back`);
            if (handed.ended === "error") {
              const written = eventsIn(Buffer.concat([handed.sent, Buffer.from(handed.own, "latin1")]));
              assert.ok(
                written.some((event) => tellsFailure(name, event)),
                "a failure that nobody is told of",
              );
              continue;
            }
            const events = eventsIn(bytes);
            assert.ok(isWhole(name, events), "a cut is told as a good end");
            const told = eventsIn(handed.sent).slice(-lookedInto);
            assert.ok(!told.some((event) => tellsFailure(name, event)), "a failure is told as a good end");
          }
        });
      },
    ),
};

const sound: Target = {
  name: "the direct lane's ends and usage",
  property: (watch) =>
    fc.property(
      name.chain((drawn) => fc.tuple(fc.constant(drawn), soundStreams[drawn])),
      dress,
      fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      cuts,
      fc.boolean(),
      ([name, original], look, until, shares, hides) => {
        const { codec } = sides[name];
        const changed = dressed(original, look);
        const bytes = until === undefined ? changed : changed.subarray(0, Math.floor(until * changed.length));
        watch(bytes.length * 3, () => {
          const hideUsage = hides && name === "chat-completions";
          const stream = createDirectStream({ codec, callId: "call_1", eventBytes: 1_000_000, hideUsage });
          const { early, ended, usage } = handOn(stream, inPieces(bytes, shares));
          // M1; how a host without an end mark ends is known by its close alone, when all is out.
          assert.ok(!hasMark(name, eventsIn(early)), "the end went out before its record");
          const events = eventsIn(bytes);
          const isGood = isWhole(name, events) && !events.some((event) => tellsFailure(name, event));
          // Whether half an event behind a finish spoils it is the reader's choice.
          if (until === undefined || !isGood) assert.equal(ended, isGood ? "good" : "error");
          const decoder = codec.createStreamDecoder();
          const read = usageIn([...decoder.push(bytes), ...decoder.close()], undefined);
          if (ended === "good") assert.deepEqual(usage, read, "other usage than the upstream told");
        });
      },
    ),
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the callers ask for nothing else.
    return undefined;
  }
}

const asArray: Target = {
  name: "the direct lane's arrays",
  property: (watch) =>
    fc.property(arrays, cuts, (bytes, shares) => {
      const { codec } = sides["generate-content"];
      watch(bytes.length, () => {
        const { sent, ended, usage, held } = handOn(createDirectArrayStream(codec), inPieces(bytes, shares));
        const closed = sent.length > bytes.length && sent.at(-1) === 0x5d ? sent.subarray(0, -1) : sent;
        checkBytes(bytes, closed, () => false);
        assert.ok(held <= 1000, `${held} bytes were held back`);
        if (ended === "error") return;
        const text = new TextDecoder().decode(sent);
        if (parsed(text) === undefined) {
          const all = new TextDecoder().decode(bytes);
          assert.ok(!parsed(all) && !parsed(`${all}]`), "an array that could be whole is not");
          return;
        }
        const events = [parsed(text)].flat().map((each) => ({ name: "", data: JSON.stringify(each) }));
        assert.ok(isWhole("generate-content", events), "a cut is told as a good end");
        assert.ok(!events.some((event) => tellsFailure("generate-content", event)), "a failure is told as a good end");
        const decoder = codec.createStreamDecoder();
        assert.deepEqual(usage, usageIn([...decoder.push(bytes), ...decoder.close()], undefined));
      });
    }),
};

export const directTargets: readonly Target[] = [anyBytes, sound, asArray];
