import type { CacheMark, Part, Turn } from "../canonical/index.ts";

/** A turn of the user. */
export function user(...parts: Part[]): Turn {
  return { role: "user", parts };
}

/** A turn of the model. */
export function assistant(...parts: Part[]): Turn {
  return { role: "assistant", parts };
}

/** A system turn of one text. */
export function system(value: string): Turn {
  return { role: "system", parts: [text(value)] };
}

/** A text, with the cache mark behind it. */
export function text(value: string, cache?: CacheMark): Part {
  return cache ? { type: "text", text: value, cache } : { type: "text", text: value };
}

/** A call of a function without arguments. */
export function call(callId: string, more: Partial<Extract<Part, { type: "tool-call" }>> = {}): Part {
  return { type: "tool-call", callId, name: "f", toolKind: "function", arguments: "{}", ...more };
}

/** The result of a call. */
export function result(callId: string, ...content: Part[]): Part {
  return { type: "tool-result", callId, toolKind: "function", content };
}
