import { strict as assert } from "node:assert";
import fc from "fast-check";
import {
  type CanonicalError,
  canonicalError,
  type JsonObject,
  ProtocolError,
  protocolNames,
  type StreamEvent,
} from "../../packages/protocols/src/canonical/index.ts";
import type { StreamConversion, StreamStep } from "../../packages/protocols/src/converted-stream.ts";
import { isObject } from "../../packages/protocols/src/shared/read.ts";
import { anyEvents } from "../../packages/protocols/src/testing/arbitrary-events.ts";
import { carry, utf8, wireAnswer } from "../../packages/protocols/src/testing/carrying.ts";
import { changes, mutated, strangeValue } from "../../packages/protocols/src/testing/mutation.ts";
import { type Pair, pairs, type Side, sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { bodies, canary, secondBody, withCanaries } from "./bodies.ts";
import { cuts, inPieces, streams } from "./streams.ts";
import type { Watch } from "./watch.ts";

/** One thing that is tried with many inputs. Its property throws where a promise does not hold. */
export interface Target {
  name: string;
  property(watch: Watch): fc.IRawProperty<unknown>;
}

/** By name, so that a counterexample can be read. */
const allPairs = new Map(pairs().map((each) => [each.name, each]));
const pairName = fc.constantFrom(...allPairs.keys());

function pairOf(name: string): Pair {
  const found = allPairs.get(name);
  if (!found) throw new Error(`There is no pair ${name}.`);
  return found;
}

/** Pairs that differ: the same protocol hands on what it does not know, which no grammar can judge. */
const crossing = fc.constantFrom(...pairs("crossing").map(({ name }) => name));

/** A pair's name, with what is drawn for its upstream. */
function pairWith<T>(draw: (upstream: Side) => fc.Arbitrary<T>, from = pairName): fc.Arbitrary<[string, T]> {
  return from.chain((name) => fc.tuple(fc.constant(name), draw(pairOf(name).upstream)));
}

/** A client's name, with a body that it may send. */
const clientBody = fc.constantFrom(...protocolNames).chain((name) => fc.tuple(fc.constant(name), bodies[name]));

const model = fc.nat();
const modelOf = ({ models }: Side, drawn: number) => models[drawn % models.length] ?? "m";
const askedOf = ({ client, upstream }: Pair) => (client.hasCandidates && upstream.hasCandidates ? 3 : 1);

/** Runs it; only a refusal in words may come out of it, with a status of these. */
function refusedAtMost(from: number, to: number, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    const { status, message } = cause.error;
    assert.ok(status >= from && status < to, `refused with ${status}`);
    assert.notEqual(message, "");
  }
}

/** How a stream is ended: by the upstream, or by the gateway behind so many reads. */
type Ending = number | undefined;

const cutShort: CanonicalError = canonicalError("timeout", "The upstream went silent.");

/** Reads a stream to its end, with a keep-alive behind each read. Throws what is a defect of ours. */
function read(stream: StreamConversion, pieces: readonly Uint8Array[], ending: Ending) {
  let text = "";
  let ended: "good" | "error" | "open" = "open";
  const take = (step: StreamStep) => {
    text += step.text;
    if (!step.final) return;
    if (step.final.cause !== undefined) throw step.final.cause;
    text += step.final.text;
    ended = step.final.error ? "error" : "good";
  };
  for (const [index, piece] of pieces.entries()) {
    if (index === ending) break;
    take(stream.push(piece));
    text += stream.ping();
  }
  if (ending !== undefined && ended === "open") {
    text += stream.fail(cutShort);
    ended = "error";
  }
  take(stream.close());
  return { text, ended };
}

function openStream(each: Pair, upstream: Side = each.upstream): StreamConversion {
  return carry(each.client, upstream, each.client.body(askedOf(each), true), { stream: true }).createStream();
}

/** The client's frames are lawful to their end, which is the one that the gateway records. */
function checkFrames(each: Pair, { text, ended }: ReturnType<typeof read>): void {
  assert.notEqual(ended, "open");
  assert.equal(each.client.verdict(text, askedOf(each)), ended);
}

const streamBytes: Target = {
  name: "streams of any bytes",
  property: (watch) =>
    fc.property(
      pairWith(({ name }) => streams[name], crossing),
      cuts,
      fc.option(fc.nat({ max: 8 }), { nil: undefined }),
      ([name, bytes], shares, ending) => {
        const each = pairOf(name);
        watch(bytes.length, () => {
          const pieces = inPieces(bytes, shares);
          checkFrames(each, read(openStream(each), pieces, ending));
          const whole = read(openStream(each), [bytes], undefined);
          checkFrames(each, whole);
          // Keep-alives stand elsewhere where the cuts do.
          const decoded = (parts: readonly Uint8Array[]) => {
            const decoder = each.upstream.codec.createStreamDecoder();
            return merged([...parts.flatMap((part) => decoder.push(part)), ...decoder.close()]);
          };
          assert.deepEqual(decoded(pieces), decoded([bytes]), "the cuts decide what is read");
        });
      },
    ),
};

/** Events with neighbouring pieces of one text put together: how finely a text comes is nobody's promise. */
function merged(events: readonly StreamEvent[]): StreamEvent[] {
  const result: StreamEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (
      event.type === "part-delta" &&
      last?.type === "part-delta" &&
      last.key === event.key &&
      last.candidate === event.candidate &&
      last.delta.type === event.delta.type &&
      "text" in event.delta &&
      "text" in last.delta &&
      !("index" in event.delta)
    ) {
      result[result.length - 1] = { ...last, delta: { ...last.delta, text: last.delta.text + event.delta.text } };
    } else result.push(event);
  }
  return result;
}

const eventOrders: Target = {
  name: "events in any order",
  property: (watch) =>
    fc.property(pairName, anyEvents, (name, events) => {
      const each = pairOf(name);
      watch(events.length * 100, () => {
        const closing: StreamEvent[] = [{ type: "error", error: cutShort }];
        const codec = {
          ...each.upstream.codec,
          createStreamDecoder: () => ({ push: () => [...events], close: () => closing }),
        };
        checkFrames(each, read(openStream(each, { ...each.upstream, codec }), [utf8("x")], undefined));
      });
    }),
};

const wholeAnswers: Target = {
  name: "whole answers with any values",
  property: (watch) =>
    fc.property(
      pairWith(({ answers }) => answers),
      changes,
      ([name, answer], made) => {
        const each = pairOf(name);
        const wire = wireAnswer(each.upstream, answer);
        const body = isObject(wire) ? mutated(wire, made) : wire;
        watch(JSON.stringify(body).length, () => {
          const asked = each.client.body(askedOf(each), false);
          refusedAtMost(400, 600, () => void carry(each.client, each.upstream, asked).convertResponse(body));
        });
      },
    ),
};

const errors: Target = {
  name: "errors of any shape",
  property: (watch) =>
    fc.property(
      pairName,
      fc.constantFrom(400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529, 599),
      strangeValue,
      changes,
      (name, status, value, made) => {
        const each = pairOf(name);
        const { body } = each.upstream.codec.encodeError(canonicalError("overloaded", "Later."), "req_1");
        for (const shape of [value, mutated(body, made)]) {
          watch(1000, () => {
            const error = each.upstream.codec.decodeError({ status, headers: { "retry-after": "x" }, body: shape });
            const encoded = each.client.codec.encodeError(error, "req_1");
            assert.ok(encoded.status >= 400 && encoded.status < 600, `told as ${encoded.status}`);
            assert.ok(isObject(encoded.body));
          });
        }
      },
    ),
};

const requests: Target = {
  name: "requests of any shape",
  property: (watch) =>
    fc.property(clientBody, model, fc.boolean(), ([from, body], drawn, stream) => {
      const client = sides[from];
      for (const name of protocolNames) {
        const upstream = sides[name];
        watch(JSON.stringify(body).length, () =>
          refusedAtMost(
            400,
            500,
            () => void carry(client, upstream, body, { model: modelOf(upstream, drawn), stream }),
          ),
        );
      }
    }),
};

/** Whose proofs an upstream may read in the clear: its family's, and those of servers that speak as it does. */
function isForeign(family: string, upstream: Side): boolean {
  return family !== upstream.codec.family && family !== upstream.name;
}

const families = ["openai", "anthropic", "gemini", "chat-completions"];

const proofs: Target = {
  name: "proofs in second turns",
  property: (watch) =>
    fc.property(
      pairWith(({ answers }) => answers),
      fc.constantFrom(...protocolNames),
      fc.array(changes, { maxLength: 1 }),
      model,
      ([loop, answer], name, made, drawn) => {
        const { client, upstream: first } = pairOf(loop);
        const one = { ...answer, candidates: answer.candidates.slice(0, 1) };
        const body: JsonObject = made.reduce(mutated, secondBody(client, first, withCanaries(one)));
        const second = sides[name];
        watch(JSON.stringify(body).length, () =>
          refusedAtMost(400, 500, () => {
            const sent = JSON.stringify(carry(client, second, body, { model: modelOf(second, drawn) }).upstreamBody);
            for (const family of families.filter((each) => isForeign(each, second))) {
              assert.ok(!sent.includes(canary(family)), `a proof of ${family} went to ${name}`);
            }
          }),
        );
      },
    ),
};

/** How much a piece is repeated to. */
const heavyBytes = 192 * 1024;

const heavyStreams: Target = {
  name: "long streams of one piece",
  property: (watch) =>
    fc.property(
      pairWith(({ name }) => streams[name]),
      fc.nat(),
      fc.integer({ min: 1, max: 3000 }),
      fc.constantFrom(64, 1000, 100_000),
      ([name, bytes], from, length, size) => {
        const each = pairOf(name);
        const start = bytes.length === 0 ? 0 : from % bytes.length;
        const piece = Buffer.from(bytes.subarray(start, start + length));
        const unit = piece.length === 0 ? Buffer.from("\n") : piece;
        const whole = Buffer.concat([bytes.subarray(0, start), Buffer.alloc(heavyBytes, unit)]);
        const reads = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.subarray(index * size, (index + 1) * size),
        );
        watch(whole.length, () => {
          const { text, ended } = read(openStream(each), reads, undefined);
          assert.notEqual(ended, "open");
          assert.ok(text.length < 100 * whole.length, "the client is sent a hundred times what came");
        });
      },
    ),
};

const heavyRequests: Target = {
  name: "long requests of one piece",
  property: (watch) =>
    fc.property(clientBody, fc.nat(), model, fc.constantFrom(...protocolNames), ([from, body], place, drawn, name) => {
      const client = sides[from];
      const heavy = repeated(body, place);
      const upstream = sides[name];
      watch(JSON.stringify(heavy).length, () =>
        refusedAtMost(400, 500, () => void carry(client, upstream, heavy, { model: modelOf(upstream, drawn) })),
      );
    }),
};

/** The body with the items of one of its lists, or one of its texts, repeated to a great length. */
function repeated(body: JsonObject, place: number): JsonObject {
  const entries = Object.entries(body).filter(([, value]) => Array.isArray(value) || typeof value === "string");
  const [key, value] = entries[place % Math.max(1, entries.length)] ?? [];
  if (key === undefined) return body;
  const times = Math.ceil(heavyBytes / (JSON.stringify(value).length + 1));
  if (typeof value === "string") return { ...body, [key]: value.repeat(times) };
  if (!Array.isArray(value)) return body;
  return { ...body, [key]: Array.from({ length: Math.min(times, 4000) }, () => value).flat() };
}

/** All of them, in the order in which they take turns. */
export const targets: readonly Target[] = [
  streamBytes,
  eventOrders,
  wholeAnswers,
  errors,
  requests,
  proofs,
  heavyStreams,
  heavyRequests,
];
