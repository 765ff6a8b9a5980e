import type { JsonObject } from "../canonical/index.ts";

/** One turn of a client's conversation. */
export type Said =
  | { by: "system" | "developer" | "user" | "assistant"; text: string }
  | { by: "model"; calls: readonly Call[] }
  | { by: "tools"; results: readonly Result[] };

interface Call {
  id: string;
  name: string;
  input: JsonObject;
}

interface Result {
  /** The call's id. */
  id: string;
  name: string;
  text: string;
}

export const user = (text: string): Said => ({ by: "user", text });
export const assistant = (text: string): Said => ({ by: "assistant", text });
export const system = (text: string): Said => ({ by: "system", text });
export const developer = (text: string): Said => ({ by: "developer", text });
export const call = (id: string, name = "look", input: JsonObject = { at: id }): Call => ({ id, name, input });
export const calls = (...called: Call[]): Said => ({ by: "model", calls: called });
export const result = (id: string, text = `saw ${id}`, name = "look"): Result => ({ id, name, text });
export const results = (...given: Result[]): Said => ({ by: "tools", results: given });

/** A conversation in the words of each client: the field of its body in which it stands. */
export interface Conversation {
  C: { messages: JsonObject[] };
  R: { input: JsonObject[] };
  M: { messages: JsonObject[] };
  G: { contents: JsonObject[] };
}

export function conversation(...turns: readonly Said[]): Conversation {
  return {
    C: { messages: turns.flatMap(inChat) },
    R: { input: turns.flatMap(inResponses) },
    M: { messages: turns.map(inMessages) },
    G: { contents: turns.map(inGenerateContent) },
  };
}

function inChat(turn: Said): JsonObject[] {
  if (turn.by === "model") {
    const tool_calls = turn.calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    return [{ role: "assistant", content: null, tool_calls }];
  }
  if (turn.by === "tools")
    return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  return [{ role: turn.by, content: turn.text }];
}

function inResponses(turn: Said): JsonObject[] {
  if (turn.by === "model") {
    return turn.calls.map(({ id, name, input }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    }));
  }
  if (turn.by === "tools") {
    return turn.results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }));
  }
  return [{ role: turn.by, content: turn.text }];
}

function inMessages(turn: Said): JsonObject {
  if (turn.by === "model") {
    return { role: "assistant", content: turn.calls.map((called) => ({ type: "tool_use", ...called })) };
  }
  if (turn.by === "tools") {
    const content = turn.results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text }));
    return { role: "user", content };
  }
  return { role: turn.by, content: turn.text };
}

function inGenerateContent(turn: Said): JsonObject {
  if (turn.by === "model") {
    return {
      role: "model",
      parts: turn.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
    };
  }
  if (turn.by === "tools") {
    const parts = turn.results.map(({ id, name, text }) => ({
      functionResponse: { id, name, response: { output: text } },
    }));
    return { role: "user", parts };
  }
  return { role: turn.by === "assistant" ? "model" : "user", parts: [{ text: turn.text }] };
}
