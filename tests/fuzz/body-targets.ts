import { strict as assert } from "node:assert";
import fc from "fast-check";
import {
  canonicalError,
  type JsonObject,
  ProtocolError,
  protocolNames,
} from "../../packages/protocols/src/canonical/index.ts";
import { isObject } from "../../packages/protocols/src/shared/read.ts";
import { carry, wireAnswer } from "../../packages/protocols/src/testing/carrying.ts";
import { changes, mutated, strangeValue } from "../../packages/protocols/src/testing/mutation.ts";
import { type Side, sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { bodies, canary, secondBody, withCanaries } from "./bodies.ts";
import { askedOf, heavyBytes, pairName, pairOf, pairWith, type Target } from "./target.ts";

/** A client's name, with a body that it may send. */
const clientBody = fc.constantFrom(...protocolNames).chain((name) => fc.tuple(fc.constant(name), bodies[name]));

const model = fc.nat();
const modelOf = ({ models }: Side, drawn: number) => models[drawn % models.length] ?? "m";

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

export const bodyTargets: readonly Target[] = [wholeAnswers, errors, requests, proofs, heavyRequests];
