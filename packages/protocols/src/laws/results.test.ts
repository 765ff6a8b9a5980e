import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalResponse, JsonObject, JsonValue, Part } from "../canonical/index.ts";
import { list } from "../peer-bugs/scene.ts";
import { carry, wireAnswer } from "../testing/carrying.ts";
import { callsOf, pairs } from "../testing/protocol-sides.ts";
import { replayed, withTools } from "../testing/replay.ts";

const seed = 28;

/** Where the results of a step stand in the body of an upstream: ids or names, one list a place. */
const places = {
  "chat-completions": (body: JsonObject) => [
    list(body, "messages").flatMap(({ role, tool_call_id }) => (role === "tool" ? [tool_call_id ?? null] : [])),
  ],
  responses: (body: JsonObject) => [
    list(body, "input").flatMap(({ type, call_id }) => (type === "function_call_output" ? [call_id ?? null] : [])),
  ],
  messages: (body: JsonObject) =>
    list(body, "messages").flatMap((turn) => {
      const blocks = list(turn, "content");
      const results = blocks.filter(({ type }) => type === "tool_result");
      if (results.length === 0) return [];
      // They stand first in their turn: text of the user's comes behind them.
      expect(blocks.slice(0, results.length)).toEqual(results);
      return [results.map(({ tool_use_id }) => tool_use_id ?? null)];
    }),
  "generate-content": (body: JsonObject) =>
    list(body, "contents").flatMap((content) => {
      const parts = list(content, "parts");
      const results = parts.filter(({ functionResponse }) => functionResponse !== undefined);
      if (results.length === 0) return [];
      // Gemini 3 takes them with no other part.
      expect(parts).toEqual(results);
      return [results.map((part) => list([part.functionResponse ?? null])[0]?.name ?? null)];
    }),
} as const;

/** The calls that they answer, likewise. */
const called = {
  "chat-completions": (body: JsonObject) =>
    list(body, "messages").flatMap((message) => list(message, "tool_calls").map(({ id }) => id ?? null)),
  responses: (body: JsonObject) =>
    list(body, "input").flatMap(({ type, call_id }) => (type === "function_call" ? [call_id ?? null] : [])),
  messages: (body: JsonObject) =>
    list(body, "messages").flatMap((turn) =>
      list(turn, "content").flatMap(({ type, id }) => (type === "tool_use" ? [id ?? null] : [])),
    ),
  "generate-content": (body: JsonObject) =>
    list(body, "contents").flatMap((content) =>
      list(content, "parts").flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [list([functionCall])[0]?.name ?? null],
      ),
    ),
} as const;

describe("L28 the results of a step stay together: all of them, in the order of their calls, beside nothing that is refused", () => {
  for (const { name, client, upstream } of pairs()) {
    test(name, () => {
      let steps = 0;
      fc.assert(
        fc.property(upstream.answers, (drawn) => {
          const first = drawn.candidates[0];
          const calls: Part[] = callsOf(first?.parts ?? []);
          if (!first || calls.length === 0) return;
          steps += 1;
          const answer: CanonicalResponse = { ...drawn, candidates: [first] };
          const body = withTools(client.name, client.body(1, false), [
            ...new Set(callsOf(calls).map((call) => call.name)),
          ]);
          const whole = carry(client, upstream, body).convertResponse(wireAnswer(upstream, answer));
          const next = shuffled(replayed(client.name, body, whole.body));
          const { upstreamBody } = carry(client, upstream, next);
          const wanted: JsonValue[] = called[upstream.name](upstreamBody);
          expect(wanted).toHaveLength(calls.length);
          expect(places[upstream.name](upstreamBody)).toEqual([wanted]);
        }),
        { numRuns: 60, seed },
      );
      expect(steps).toBeGreaterThan(20);
    });
  }
});

/** The history with its results turned around, where they are turns or items of their own: tools end when they end. */
function shuffled(body: JsonObject): JsonObject {
  const isResult = (turn: JsonObject) => turn.role === "tool" || turn.type === "function_call_output";
  for (const key of ["messages", "input"]) {
    const turns = list(body, key);
    const results = turns.filter(isResult).reverse();
    if (results.length > 0)
      return { ...body, [key]: turns.map((turn) => (isResult(turn) ? (results.shift() ?? turn) : turn)) };
  }
  return body;
}
