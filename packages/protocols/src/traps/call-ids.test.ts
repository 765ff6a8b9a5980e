import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { sent, streamed } from "../peer-bugs/scene.ts";
import {
  candidate,
  chunk,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  toolBlock,
  toolCall,
} from "../peer-bugs/wire-frames.ts";
import { isObject } from "../shared/read.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { replayed, withTools } from "../testing/replay.ts";
import { seenOf } from "./seen.ts";
import { ended, type Frames, pairs, path } from "./streams.ts";

/** Ids seen in the wild, and what would meet if an id were only cut or cleaned. */
const wild = [
  "call_abc|fc_def",
  "call_abc\nfc_def",
  "functions.Bash:0",
  "x".repeat(116),
  `${"y".repeat(90)}1`,
  `${"y".repeat(90)}2`,
  "a.b",
  "a:b",
  "größe🌍",
  "toolu_01A",
];

/** What each family takes (2.4); chat completions refuse more than 40 characters. */
const legal: Readonly<Record<Letter, RegExp>> = {
  C: /^[\x21-\x7e]{1,40}$/,
  R: /^[\s\S]{1,64}$/,
  M: /^[a-zA-Z0-9_-]+$/,
  G: /^[a-zA-Z0-9_.:-]{1,64}$/,
};

/** An answer that calls once for each id. */
function calling(upstream: Letter, ids: readonly string[]): Frames {
  switch (upstream) {
    case "C":
      return [
        ...ids.map((id, index) => chunk({ tool_calls: [{ index, ...toolCall(id, "read", "{}") }] })),
        ...ended("tool_calls"),
      ];
    case "R":
      return responseFrames(ids.map((id, index) => ({ ...responseCall(id, "read", "{}"), id: `fc_${index}` })));
    case "M":
      return [
        messageStart(),
        ...ids.flatMap((id, index) => toolBlock(index, id, "read", "{}")),
        ...messageEnd("tool_use"),
      ];
    case "G":
      return [
        candidate(
          ids.map((id) => ({ functionCall: { id, name: "read", args: {} } })),
          "STOP",
        ),
      ];
  }
}

/** The ids of calls and of results in an upstream's body, in order. */
function idsIn(body: JsonObject): { calls: string[]; results: string[] } {
  const calls: string[] = [];
  const results: string[] = [];
  const take = (list: string[], id: JsonValue | undefined) => {
    if (typeof id === "string") list.push(id);
  };
  const walk = (value: JsonValue): void => {
    if (Array.isArray(value)) for (const entry of value) walk(entry);
    if (!isObject(value)) return;
    if (value.type === "function_call") take(calls, value.call_id);
    if (value.type === "function_call_output") take(results, value.call_id);
    if (value.type === "tool_use") take(calls, value.id);
    if (value.type === "tool_result") take(results, value.tool_use_id);
    if (value.role === "tool") take(results, value.tool_call_id);
    if (Array.isArray(value.tool_calls)) for (const call of value.tool_calls) if (isObject(call)) take(calls, call.id);
    if (isObject(value.functionCall)) take(calls, value.functionCall.id);
    if (isObject(value.functionResponse)) take(results, value.functionResponse.id);
    for (const inner of Object.values(value)) walk(inner ?? null);
  };
  walk(body.messages ?? body.input ?? body.contents ?? null);
  return { calls, results };
}

describe.each(pairs)("2.4: %s from %s", (client, upstream) => {
  const side = sides[protocolOf[client]];
  const ask = withTools(side.name, side.body(1, true), ["read"]);
  const got = streamed(path(client, upstream), [...calling(upstream, wild)], { tools: ask.tools ?? [] });
  const { ids } = seenOf(client, got);

  test("2.4: the client gets ids that it may send, all different, legal ones unchanged", () => {
    expect(ids).toHaveLength(wild.length);
    expect(new Set(ids).size).toBe(wild.length);
    ids.forEach((id, index) => {
      expect(id).toMatch(legal[client]);
      const told = wild[index] ?? "";
      if (legal[client].test(told)) expect(id).toBe(told);
    });
  });

  test.each(letters)(
    "2.4: on the next turn to %s call and result bear one legal id, and a second pass changes nothing",
    (next) => {
      const { body } = sent(path(client, next), replayed(side.name, ask, got.whole));
      const { calls, results } = idsIn(body);
      expect(calls).toHaveLength(wild.length);
      expect(results).toEqual(calls);
      expect(new Set(calls).size).toBe(wild.length);
      calls.forEach((id, index) => {
        expect(id).toMatch(legal[next]);
        const told = ids[index] ?? "";
        if (legal[next].test(told)) expect(id).toBe(told);
      });
      // Pure: the same history gives the same ids.
      expect(idsIn(sent(path(client, next), replayed(side.name, ask, got.whole)).body).calls).toEqual(calls);
    },
  );
});
