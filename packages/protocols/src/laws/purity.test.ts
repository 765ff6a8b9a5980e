import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalResponse,
  type JsonObject,
  type JsonValue,
  type Part,
  ProtocolError,
} from "../canonical/index.ts";
import { type CarryOptions, carry, wireAnswer } from "../testing/carrying.ts";
import { callsOf, type Pair, pairs, type Side } from "../testing/protocol-sides.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { replayed, withTools } from "../testing/replay.ts";

const seed = 6;

/** What goes upstream and what is told of it; a refusal counts as an outcome too. */
function outcome({ client, upstream }: Pair, body: JsonObject, options: CarryOptions): string {
  try {
    const { upstreamBody, notices } = carry(client, upstream, body, options);
    return JSON.stringify([upstreamBody, notices]);
  } catch (cause) {
    if (cause instanceof ProtocolError) return JSON.stringify(cause.error);
    throw cause;
  }
}

describeRecorded("L6 the same body gives the same upstream bytes and notices, on any instance and at any time", () => {
  for (const pair of pairs()) {
    const bodies = recordings(pair.client.name).flatMap(({ request }) =>
      request && JSON.stringify(request).length < 20_000 ? [request] : [],
    );
    test(pair.name, () => {
      for (const [at, body] of bodies.filter((_body, index) => index % 4 === 0).entries()) {
        const model = pair.upstream.models[at % pair.upstream.models.length] ?? "m";
        const seen = new Set<string>();
        for (let run = 0; run < 20; run += 1) {
          const ids = (prefix: string): string => `${prefix}${run}`;
          const copy: JsonObject = JSON.parse(JSON.stringify(body));
          seen.add(outcome(pair, copy, { model, ids, now: () => run * 86_400_000 }));
        }
        expect(seen.size).toBe(1);
      }
    });
  }
});

/** Where the turns of a body stand, by protocol. */
const turnsKey = {
  "chat-completions": "messages",
  responses: "input",
  messages: "messages",
  "generate-content": "contents",
} as const;

/** Cache marks move to the latest turns (P20): they are no part of what a prefix says. */
function unmarked(value: JsonValue): string {
  return JSON.stringify(value, (key, inner) =>
    key === "cache_control" || key === "prompt_cache_breakpoint" ? undefined : inner,
  );
}

function turnsOf(upstream: Side, body: JsonObject): JsonValue[] {
  const turns = body[turnsKey[upstream.name]];
  if (!Array.isArray(turns)) throw new Error("The upstream's body has no list of turns.");
  return turns;
}

/**
 * Expects that system, tools and turns of `body` begin with those of `earlier`. Settings behind them may differ: thinking
 * is turned off for a step whose call came without any.
 */
function expectExtends(upstream: Side, earlier: JsonObject, body: JsonObject): void {
  for (const key of ["system", "systemInstruction", "instructions", "tools"]) {
    expect(unmarked(body[key] ?? null)).toBe(unmarked(earlier[key] ?? null));
  }
  const before = turnsOf(upstream, earlier).map(unmarked);
  const after = turnsOf(upstream, body).map(unmarked);
  expect(after.length).toBeGreaterThanOrEqual(before.length);
  expect(after.slice(0, before.length)).toEqual(before);
}

describe("L7 a conversation that goes on begins with the bytes it began with", () => {
  for (const pair of pairs()) {
    test(pair.name, () => {
      const { client, upstream } = pair;
      const answers = fc.array(upstream.answers, { minLength: 2, maxLength: 4 });
      fc.assert(
        fc.property(answers, fc.nat(), (drawn, at) => {
          const model = upstream.models[at % upstream.models.length] ?? "m";
          const turns = drawn.map(single).filter(says);
          const names = new Set(
            turns.flatMap((answer) => callsOf(answer.candidates[0]?.parts ?? [])).map(({ name }) => name),
          );
          let body = withTools(client.name, client.body(1, false), ["mcp.server/tool", ...names]);
          let earlier: JsonObject | undefined;
          for (const [turn, answer] of turns.entries()) {
            const conversion = carry(client, upstream, body, { model });
            if (earlier) expectExtends(upstream, earlier, conversion.upstreamBody);
            earlier = conversion.upstreamBody;
            body = replayed(
              client.name,
              body,
              conversion.convertResponse(wireAnswer(upstream, distinct(answer, turn))).body,
            );
          }
          if (earlier) expectExtends(upstream, earlier, carry(client, upstream, body, { model }).upstreamBody);
        }),
        { numRuns: 25, seed },
      );
    });
  }
});

function single(answer: CanonicalResponse): CanonicalResponse {
  return { ...answer, candidates: answer.candidates.slice(0, 1) };
}

function says({ candidates: [first] }: CanonicalResponse): boolean {
  return first?.parts.some((part) => part.type === "text" || part.type === "tool-call") ?? false;
}

/** Ids of calls differ between the turns of a conversation. */
function distinct(answer: CanonicalResponse, turn: number): CanonicalResponse {
  const rename = (part: Part): Part =>
    part.type === "tool-call" ? { ...part, callId: `${part.callId}${turn}` } : part;
  return { ...answer, candidates: answer.candidates.map((one) => ({ ...one, parts: one.parts.map(rename) })) };
}
