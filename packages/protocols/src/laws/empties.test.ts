import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, type JsonValue, ProtocolError, type ProtocolName } from "../canonical/index.ts";
import { list } from "../peer-bugs/scene.ts";
import { isObject } from "../shared/read.ts";
import { carry } from "../testing/carrying.ts";
import { pairs, type Side } from "../testing/protocol-sides.ts";
import { withTools } from "../testing/replay.ts";

const seed = 27;

/** A turn of a client's history, full of texts that say nothing. */
interface Turn {
  role: "user" | "assistant";
  texts: string[];
  calls: number;
  /** What the tools gave back. */
  output: string;
}

const text = fc.constantFrom("", " ", "\n", "a");
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    texts: fc.array(text, { maxLength: 3 }),
    calls: fc.nat({ max: 2 }),
    output: text,
  }),
  { maxLength: 5 },
);

/** The turns as a client of the protocol would send them, with a result for each call and a user's word at the end. */
function written(name: ProtocolName, history: readonly Turn[]): JsonObject {
  const said = [...history, { role: "user" as const, texts: ["go on"], calls: 0, output: "" }];
  const ids = (turn: number, calls: number) => Array.from({ length: calls }, (_, call) => `call_${turn}_${call}`);
  switch (name) {
    case "chat-completions":
      return {
        messages: said.flatMap(({ role, texts, calls, output }, turn): JsonObject[] => {
          const content = texts.map((one) => ({ type: "text", text: one }));
          if (role === "user") return [{ role, content }];
          const tool_calls = ids(turn, calls).map((id) => ({
            id,
            type: "function",
            function: { name: "f", arguments: "{}" },
          }));
          const message = {
            role,
            content: texts.length === 1 ? (texts[0] ?? "") : content,
            ...(calls > 0 ? { tool_calls } : {}),
          };
          return [message, ...tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: output }))];
        }),
      };
    case "responses":
      return {
        input: said.flatMap(({ role, texts, calls, output }, turn): JsonObject[] => {
          const type = role === "user" ? "input_text" : "output_text";
          const message = { type: "message", role, content: texts.map((one) => ({ type, text: one })) };
          if (role === "user") return [message];
          const made = ids(turn, calls).map((call_id) => ({
            type: "function_call",
            call_id,
            name: "f",
            arguments: "{}",
          }));
          return [message, ...made, ...made.map(({ call_id }) => ({ type: "function_call_output", call_id, output }))];
        }),
      };
    case "messages":
      return {
        messages: said.flatMap(({ role, texts, calls, output }, turn): JsonObject[] => {
          const content: JsonObject[] = texts.map((one) => ({ type: "text", text: one }));
          if (role === "user") return [{ role, content }];
          const made = ids(turn, calls).map((id) => ({ type: "tool_use", id, name: "f", input: {} }));
          const results = made.map(({ id }) => ({
            type: "tool_result",
            tool_use_id: id,
            content: [{ type: "text", text: output }],
          }));
          return [{ role, content: [...content, ...made] }, ...(calls > 0 ? [{ role: "user", content: results }] : [])];
        }),
      };
    case "generate-content":
      return {
        contents: said.flatMap(({ role, texts, calls, output }, turn): JsonObject[] => {
          const parts: JsonObject[] = texts.map((one) => ({ text: one }));
          if (role === "user") return [{ role, parts }];
          const made = ids(turn, calls).map((id) => ({ functionCall: { id, name: "f", args: {} } }));
          const results = made.map(({ functionCall: { id } }) => ({
            functionResponse: { id, name: "f", response: { output } },
          }));
          return [
            { role: "model", parts: [...parts, ...made] },
            ...(calls > 0 ? [{ role: "user", parts: results }] : []),
          ];
        }),
      };
  }
}

/** What each family refuses (conversion.md H13). */
const check: Readonly<Record<ProtocolName, (body: JsonObject) => void>> = {
  "chat-completions": (body) => {
    for (const message of list(body, "messages")) {
      if (message.role !== "assistant") continue;
      const calls = list(message, "tool_calls");
      expect(Array.isArray(message.tool_calls) && calls.length === 0).toBe(false);
      if (calls.length > 0) expect(message.content).not.toBe("");
      // An empty text is taken there; nothing and an empty list are not.
      else expect(isNothing(message.content)).toBe(false);
    }
  },
  responses: (body) => {
    for (const item of list(body, "input")) {
      if (item.type !== "message") continue;
      expect(item.content).not.toEqual([]);
      expect(item.content).not.toBeNull();
    }
  },
  messages: (body) => {
    for (const { role, content } of list(body, "messages")) {
      const blocks = Array.isArray(content) ? content.filter(isObject) : [];
      for (const block of deep(blocks)) if (block.type === "text") expect(block.text).not.toBe("");
      const isAllText = blocks.length > 0 && blocks.every(({ type }) => type === "text");
      if (isAllText) expect(blocks.some((block) => String(block.text).trim() !== "")).toBe(true);
      if (role === "user") expect(content).not.toEqual([]);
      if (role === "user") expect(content).not.toBe("");
    }
  },
  "generate-content": (body) => {
    for (const { role, parts } of list(body, "contents")) {
      expect(parts).not.toEqual([]);
      for (const part of Array.isArray(parts) ? parts.filter(isObject) : []) {
        expect(Object.keys(part)).not.toEqual([]);
        // A user who says nothing must have a part all the same; recorded servers take it.
        const isSilentUser = role === "user" && Array.isArray(parts) && parts.length === 1;
        if (part.text === "" && !isSilentUser) expect(part.thoughtSignature).toEqual(expect.any(String));
      }
    }
  },
};

function isNothing(content: JsonValue | undefined): boolean {
  return content === null || content === undefined || (Array.isArray(content) && content.length === 0);
}

function deep(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.flatMap((block) => [block, ...list(block, "content")]);
}

/** Undefined where the history is refused: an empty turn of the user's says nothing that could be sent. */
function sentBody(client: Side, upstream: Side, body: JsonObject): JsonObject | undefined {
  try {
    return carry(client, upstream, body).upstreamBody;
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.error.status === 400) return undefined;
    throw cause;
  }
}

describe("L27 no history brings an upstream an empty text, an empty turn or a null that it refuses", () => {
  for (const { name, client, upstream } of pairs()) {
    test(name, () => {
      let arrived = 0;
      fc.assert(
        fc.property(turns, (history) => {
          const body = withTools(client.name, { ...client.body(1, false), ...written(client.name, history) }, ["f"]);
          const sent = sentBody(client, upstream, body);
          if (!sent) return;
          arrived += 1;
          check[upstream.name](sent);
        }),
        { numRuns: 150, seed },
      );
      expect(arrived).toBeGreaterThan(20);
    });
  }
});
