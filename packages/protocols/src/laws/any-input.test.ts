import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, ProtocolError, protocolNames, type StreamEvent } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { carry, runStream, utf8, wireFrames } from "../testing/carrying.ts";
import { disorder, disturbed } from "../testing/frame-disorder.ts";
import { changes, mutated, strangeValue } from "../testing/mutation.ts";
import { protocolLike } from "../testing/protocol-like.ts";
import { pairs, type Side, sides } from "../testing/protocol-sides.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";

const seed = 66;
const vault = plainVault();

/** Runs it; only a refusal in words may come out, with a status that blames the caller. */
function refusedAtMost(work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    expect(cause.error.status).toBeGreaterThanOrEqual(400);
    expect(cause.error.status).toBeLessThan(500);
    expect(cause.error.message).not.toBe("");
  }
}

function bodies({ name }: Side): JsonObject[] {
  return recordings(name).flatMap(({ request }) => (request && JSON.stringify(request).length < 8000 ? [request] : []));
}

function decoded(side: Side, body: JsonObject) {
  return side.codec.decodeRequest(body, { ...side.envelope, model: "m" }, { vault });
}

describeRecorded("a request of any shape is read or refused with a 4xx, for every upstream", () => {
  for (const name of protocolNames) {
    const side = sides[name];
    const known = bodies(side);

    test(`${name}: any object`, () => {
      fc.assert(
        fc.property(
          fc.oneof(
            protocolLike,
            fc.tuple(protocolLike, fc.constantFrom(...known)).map(([some, body]) => ({ ...body, ...some })),
          ),
          (body) => {
            refusedAtMost(() => decoded(side, body));
            for (const upstream of protocolNames) refusedAtMost(() => void carry(side, sides[upstream], body));
          },
        ),
        { numRuns: 400, seed },
      );
    });

    test(`${name}: recorded requests with any values at any places`, () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...known),
          changes,
          fc.constantFrom(...protocolNames),
          fc.nat(),
          (body, made, upstream, model) => {
            const { models } = sides[upstream];
            refusedAtMost(
              () =>
                void carry(side, sides[upstream], mutated(body, made), { model: models[model % models.length] ?? "m" }),
            );
          },
        ),
        { numRuns: 500, seed },
      );
    });
  }
});

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }).map(utf8),
  fc
    .array(fc.oneof(protocolLike, strangeValue), { maxLength: 5 })
    .map((values) => utf8(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(""))),
);

function eventsOf(side: Side, pieces: readonly Uint8Array[]): StreamEvent[] {
  const decoder = side.codec.createStreamDecoder();
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.close()];
}

describe("a stream of any bytes ends, and the client's frames are lawful", () => {
  for (const { name, client, upstream } of pairs()) {
    const asked = client.hasCandidates && upstream.hasCandidates ? 3 : 1;
    const run = (pieces: readonly Uint8Array[]) => {
      const carried = runStream(
        carry(client, upstream, client.body(asked, true), { stream: true }).createStream(),
        pieces,
      );
      expect(carried.ended).not.toBe("open");
      expect(client.verdict(carried.text, asked)).toBe(carried.ended);
    };

    test(`${name}: any bytes`, () => {
      fc.assert(
        fc.property(fc.array(bytes, { maxLength: 3 }), (pieces) => {
          expect(["end", "error"]).toContain(eventsOf(upstream, pieces).at(-1)?.type);
          run(pieces);
        }),
        { numRuns: 60, seed },
      );
    });

    test(`${name}: frames of an answer with any values at any places, lost and doubled`, () => {
      fc.assert(
        fc.property(upstream.answers, disorder, (answer, made) => {
          const pieces = disturbed(wireFrames(upstream, answer), made).map(utf8);
          run(pieces);
        }),
        { numRuns: 80, seed },
      );
    });
  }
});

describeRecorded("an error or an answer of any shape is read or told as the upstream's fault", () => {
  for (const { name, client, upstream } of pairs()) {
    const answers = recordings(upstream.name).flatMap(({ response }) => (isObject(response) ? [response] : []));
    test(name, () => {
      fc.assert(
        fc.property(fc.constantFrom(...answers), changes, (answer, made) => {
          const body = mutated(answer, made);
          const error = upstream.codec.decodeError({ status: 400, headers: {}, body });
          expect(client.codec.encodeError(error, "req_1").status).toBeGreaterThanOrEqual(400);
          try {
            carry(client, upstream, client.body(1, false)).convertResponse(body);
          } catch (cause) {
            if (!(cause instanceof ProtocolError)) throw cause;
            expect(cause.error.status).toBeGreaterThanOrEqual(400);
          }
        }),
        { numRuns: 100, seed },
      );
    });
  }
});
