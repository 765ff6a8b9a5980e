import fc from "fast-check";
import type {
  CanonicalResponse,
  JsonObject,
  Part,
  ProtocolName,
} from "../../packages/protocols/src/canonical/index.ts";
import { carry, runStream, utf8, wireFrames } from "../../packages/protocols/src/testing/carrying.ts";
import { changes, mutated, strangeValue } from "../../packages/protocols/src/testing/mutation.ts";
import { protocolLike } from "../../packages/protocols/src/testing/protocol-like.ts";
import { type Side, sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { recordings, recordingsPresent } from "../../packages/protocols/src/testing/recordings.ts";
import { replayed } from "../../packages/protocols/src/testing/replay.ts";

/** Longest recorded body that is drawn from, so that many can be tried. */
const mostText = 12_000;

function real(side: Side): fc.Arbitrary<JsonObject> {
  const own = [side.body(1, false), side.body(1, true)];
  const recorded = recordingsPresent ? recordings(side.name).flatMap(({ request }) => (request ? [request] : [])) : [];
  const all: JsonObject[] = [...own, ...recorded.filter((body) => JSON.stringify(body).length <= mostText)];
  return fc.constantFrom(...all);
}

/** Changes far down in a body: what is broken near its top is refused before anything else is read. */
const deepChanges = fc.array(fc.tuple(fc.array(fc.nat({ max: 40 }), { minLength: 4, maxLength: 9 }), strangeValue), {
  minLength: 1,
  maxLength: 3,
});

function bodiesOf(side: Side): fc.Arbitrary<JsonObject> {
  const bodies = real(side);
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(bodies, changes).map(([body, made]) => mutated(body, made)) },
    { weight: 6, arbitrary: fc.tuple(bodies, deepChanges).map(([body, made]) => mutated(body, made)) },
    { weight: 2, arbitrary: fc.tuple(protocolLike, bodies).map(([some, body]) => ({ ...body, ...some })) },
    { weight: 1, arbitrary: protocolLike },
  );
}

/** What a client of each protocol may send at its worst. */
export const bodies: Readonly<Record<ProtocolName, fc.Arbitrary<JsonObject>>> = {
  "chat-completions": bodiesOf(sides["chat-completions"]),
  responses: bodiesOf(sides.responses),
  messages: bodiesOf(sides.messages),
  "generate-content": bodiesOf(sides["generate-content"]),
};

/** The proof that a family is made to give. Base64, since some clients keep proofs as bytes. */
export function canary(family: string): string {
  return Buffer.from(`the proof of ${family.padEnd(20, ".")}`).toString("base64");
}

function marked(part: Part): Part {
  const { proof } = part;
  if (!proof) return part;
  const mark = canary(proof.family);
  const value = proof.value.startsWith("{") ? JSON.stringify({ ...JSON.parse(proof.value), signature: mark }) : mark;
  return { ...part, proof: { ...proof, value } };
}

/** An answer whose proofs can be recognised. */
export function withCanaries(answer: CanonicalResponse): CanonicalResponse {
  const candidates = answer.candidates.map((each) => ({ ...each, parts: each.parts.map(marked) }));
  return { ...answer, candidates };
}

/** The client's second body, after an upstream's answer that it was streamed. */
export function secondBody(client: Side, upstream: Side, answer: CanonicalResponse): JsonObject {
  const body = client.body(1, true);
  const stream = carry(client, upstream, body, { stream: true }).createStream();
  const { text } = runStream(stream, wireFrames(upstream, answer).map(utf8));
  return replayed(client.name, body, client.whole(text, 1));
}
