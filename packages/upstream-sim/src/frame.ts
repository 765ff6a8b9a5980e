import type { Json } from "./json.ts";

/**
 * One event of a streamed answer, ready for the wire.
 * `terminal` marks what tells a reader that the answer is whole: from the finish reason to the end mark.
 */
export interface Frame {
  text: string;
  terminal: boolean;
}

/** A `data:` event without a name (Chat Completions, generateContent). */
export function dataFrame(data: Json, options: { terminal?: boolean; eol?: string } = {}): Frame {
  const eol = options.eol ?? "\n";
  return { text: `data: ${JSON.stringify(data)}${eol}${eol}`, terminal: options.terminal ?? false };
}

/** A named event (Responses, Messages). */
export function namedFrame(name: string, data: Json, terminal = false): Frame {
  return { text: `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`, terminal };
}
