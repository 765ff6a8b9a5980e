import type { Part } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { encodeWholePart } from "./response-encoder.ts";

/**
 * The delta of a part that comes in one piece, as JSON, and the UTF-16 units of text that it shows. Undefined where it
 * has no form here, which is told as a notice. Throws on a part that a stream brings in pieces.
 */
export function wholePartDelta(part: Part, context: AnswerContext): { delta: string; length: number } | undefined {
  if (part.type === "text" || part.type === "refusal" || part.type === "reasoning" || part.type === "tool-call") {
    throw new Error(`A '${part.type}' part comes in pieces.`);
  }
  const whole = encodeWholePart(part, context);
  if (!whole) return undefined;
  if (whole.image) return { delta: JSON.stringify({ images: [whole.image] }), length: 0 };
  if (whole.audio) return { delta: JSON.stringify({ audio: whole.audio }), length: 0 };
  if (whole.text === undefined || whole.text === "") return undefined;
  return { delta: `{"content":${JSON.stringify(whole.text)}}`, length: whole.text.length };
}
