import type { Finish, FinishReason, JsonValue } from "../canonical/index.ts";
import type { WireBlockReason, WireFinishReason } from "./wire.ts";

/** conversion.md 1.5.7. Total over the vendor's list. */
const reasons: Readonly<Record<WireFinishReason, FinishReason>> = {
  FINISH_REASON_UNSPECIFIED: "other",
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "filter",
  RECITATION: "recitation",
  LANGUAGE: "other",
  OTHER: "other",
  BLOCKLIST: "filter",
  PROHIBITED_CONTENT: "filter",
  SPII: "filter",
  MALFORMED_FUNCTION_CALL: "malformed_tool",
  IMAGE_SAFETY: "filter",
  UNEXPECTED_TOOL_CALL: "malformed_tool",
  TOO_MANY_TOOL_CALLS: "malformed_tool",
  IMAGE_PROHIBITED_CONTENT: "filter",
  NO_IMAGE: "other",
  IMAGE_RECITATION: "recitation",
  IMAGE_OTHER: "other",
  CONTINUATION: "paused",
  MALFORMED_RESPONSE: "error",
  MISSING_THOUGHT_SIGNATURE: "error",
  MODEL_ARMOR: "filter",
};

const byWord: ReadonlyMap<string, FinishReason> = new Map(Object.entries(reasons));

/** Words that say no more than the canonical reason does. `SAFETY` does: the answer was blocked, not the prompt. */
const plain: ReadonlySet<string> = new Set(["STOP", "MAX_TOKENS", "RECITATION", "OTHER"]);

/** Some hosts write the number of the constant. Beyond these the published numberings differ. */
const numbered: readonly WireFinishReason[] = [
  "FINISH_REASON_UNSPECIFIED",
  "STOP",
  "MAX_TOKENS",
  "SAFETY",
  "RECITATION",
  "OTHER",
];

/** The finish reason as a word; undefined while the candidate goes on. */
export function finishWord(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return numbered[value] ?? String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A candidate's end. An unknown word is `other` and keeps the word. */
export function decodeFinish(word: string, message: string | undefined): Finish {
  const finish: Finish = { reason: byWord.get(word) ?? "other" };
  if (!plain.has(word)) finish.native = word;
  if (message !== undefined) finish.message = message;
  return finish;
}

/** Marks a native word that came as the prompt's block reason, not as a candidate's finish reason. */
const promptMark = "promptFeedback.";

const blockReasons: Readonly<Record<WireBlockReason, true>> = {
  BLOCKED_REASON_UNSPECIFIED: true,
  SAFETY: true,
  OTHER: true,
  BLOCKLIST: true,
  PROHIBITED_CONTENT: true,
  IMAGE_SAFETY: true,
  MODEL_ARMOR: true,
  JAILBREAK: true,
};

/** The end of an answer whose prompt was blocked: there is no candidate (generate-content.md 7). */
export function decodeBlock(word: string, message: string | undefined): Finish {
  return { reason: "filter", native: promptMark + word, ...(message === undefined ? {} : { message }) };
}

/**
 * The block reason to tell where the prompt itself was blocked: our own word back, or a filter that left no output at
 * all, which is how the other families say it. Undefined: an ordinary finish.
 */
export function encodeBlock(finish: Finish, hasOutput: boolean): string | undefined {
  if (finish.native?.startsWith(promptMark)) {
    const word = finish.native.slice(promptMark.length);
    return Object.hasOwn(blockReasons, word) ? word : "OTHER";
  }
  if (hasOutput || finish.reason !== "filter") return undefined;
  return finish.native !== undefined && byWord.has(finish.native) ? undefined : "SAFETY";
}

/** The finish reason for a client. There is no word of its own for a call: an answer with calls is `STOP`. */
export function encodeFinish(finish: Finish): WireFinishReason {
  const native = finish.native;
  if (native !== undefined && isWireReason(native) && reasons[native] === finish.reason && native !== "CONTINUATION") {
    return native;
  }
  switch (finish.reason) {
    case "stop":
    case "stop_sequence":
    case "tool":
      return "STOP";
    case "length":
    case "context":
      return "MAX_TOKENS";
    case "filter":
    case "refusal":
      return "SAFETY";
    case "recitation":
      return "RECITATION";
    case "malformed_tool":
      return "MALFORMED_FUNCTION_CALL";
    case "paused":
    case "error":
    case "other":
      return "OTHER";
  }
}

function isWireReason(word: string): word is WireFinishReason {
  return byWord.has(word);
}
