import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../canonical/index.ts";
import { isObject } from "../../shared/read.ts";
import { callingAnswer, callingStream, seenHistory, type UpstreamCall } from "../../testing/calling-upstreams.ts";
import { carry, runStream, utf8 } from "../../testing/carrying.ts";
import { sides } from "../../testing/protocol-sides.ts";

const upstreams = ["responses", "messages", "generate-content"] as const;
const input = "SELECT 'größe 🙂'\n-- \\d";
const custom = {
  type: "custom",
  custom: {
    name: "run_sql",
    description: "Runs SQL.",
    format: { type: "grammar", grammar: { syntax: "lark", definition: "start: SELECT" } },
  },
};
const asks = { role: "user", content: "Go." };

function body(messages: JsonValue[], stream: boolean): JsonObject {
  return {
    model: "m",
    messages,
    tools: [custom],
    tool_choice: { type: "custom", custom: { name: "run_sql" } },
    stream,
  };
}

/** The calls of a streamed answer, put together as the vendor's reference says: by index, texts joined. */
function streamedCalls(text: string): JsonObject[] {
  const calls: { id: string; type: string; name: string; input: string }[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const entries: JsonObject[] = JSON.parse(line.slice(6)).choices.flatMap(
      (one: { delta: { tool_calls?: JsonObject[] } }) => one.delta.tool_calls ?? [],
    );
    for (const entry of entries) {
      const at = Number(entry.index);
      calls[at] ??= { id: "", type: "", name: "", input: "" };
      const call = calls[at];
      const piece = isObject(entry.custom) ? entry.custom : {};
      expect(entry.function).toBeUndefined();
      call.id += entry.id ?? "";
      call.type = String(entry.type ?? call.type);
      call.name += piece.name ?? "";
      call.input += piece.input ?? "";
    }
  }
  return calls.map(({ id, type, name, input: text }) => ({ id, type, custom: { name, input: text } }));
}

function answered(upstream: (typeof upstreams)[number], request: JsonObject, call: UpstreamCall) {
  const stream = request.stream === true;
  const conversion = carry(sides["chat-completions"], sides[upstream], request, { stream });
  if (!stream) {
    const { choices } = conversion.convertResponse(callingAnswer(upstream, [call])).body;
    const [choice] = Array.isArray(choices) ? choices : [];
    const message = isObject(choice) && isObject(choice.message) ? choice.message : {};
    return { calls: Array.isArray(message.tool_calls) ? message.tool_calls : [], sent: conversion.upstreamBody };
  }
  const { text } = runStream(conversion.createStream(), [utf8(callingStream(upstream, [call], 1))]);
  return { calls: streamedCalls(text), sent: conversion.upstreamBody };
}

describe("T5 a custom tool of a chat client", () => {
  for (const upstream of upstreams) {
    test.each([
      ["whole", false],
      ["streamed", true],
    ])(`${upstream}, %s, in two turns`, (_way, stream) => {
      const call = {
        id: "call_a",
        name: "run_sql",
        ...(upstream === "responses" ? { input } : { json: JSON.stringify({ input }) }),
      };
      const first = answered(upstream, body([asks], stream), call);
      expect(first.calls).toEqual([{ id: "call_a", type: "custom", custom: { name: "run_sql", input } }]);
      expect(JSON.stringify(first.sent.tools)).toContain("start: SELECT");

      const history = [
        asks,
        { role: "assistant", content: null, tool_calls: first.calls },
        { role: "tool", tool_call_id: "call_a", content: "3 rows" },
      ];
      const { calls, sent } = answered(upstream, body(history, stream), { ...call, id: "call_b" });
      expect(calls).toEqual([{ id: "call_b", type: "custom", custom: { name: "run_sql", input } }]);
      const seen = seenHistory(upstream, sent);
      expect(seen.results).toMatchObject([{ id: "call_a", text: expect.stringContaining("3 rows") }]);
      if (upstream === "responses") {
        expect(sent.tool_choice).toEqual({ type: "custom", name: "run_sql" });
        expect(JSON.parse(seen.calls[0]?.text ?? "")).toEqual({
          type: "custom_tool_call",
          call_id: "call_a",
          name: "run_sql",
          input,
        });
        expect(JSON.parse(seen.results[0]?.text ?? "")).toMatchObject({ type: "custom_tool_call_output" });
      } else expect(JSON.parse(seen.calls[0]?.text ?? "")).toEqual({ input });
    });
  }
});
