import { type Finish, type FinishReason, isShowable, type JsonValue, type Part } from "../canonical/index.ts";
import { type NativeFinish, textOf } from "./wire.ts";

const vendorReasons: Record<NativeFinish, FinishReason> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool",
  function_call: "tool",
  content_filter: "filter",
};

/** Words of compatible servers (wire sheet, section 12). */
const dialectReasons = new Map<string, FinishReason>([
  ...Object.entries(vendorReasons),
  ["model_length", "context"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["STOP", "stop"],
  ["stop_sequence", "stop_sequence"],
  ["tool_use", "tool"],
  ["safety", "filter"],
  ["SAFETY", "filter"],
  ["recitation", "recitation"],
  ["RECITATION", "recitation"],
  ["refusal", "refusal"],
  ["malformed_function_call", "malformed_tool"],
  ["MALFORMED_FUNCTION_CALL", "malformed_tool"],
  ["error", "error"],
  ["insufficient_system_resource", "error"],
]);

/**
 * The canonical finish of a native word. Total: an unknown word is `other` and keeps its spelling. `stopReason`: the stop
 * sequence that matched, which vLLM tells beside the word; for a token it tells a number.
 */
export function decodeFinish(native: string, hasRefusal: boolean, stopReason?: JsonValue): Finish {
  const reason = dialectReasons.get(native);
  if (reason === undefined) return { reason: "other", native };
  if (reason === "stop" && hasRefusal) return { reason: "refusal" };
  const stopSequence = textOf(stopReason);
  if (reason === "stop" && stopSequence !== undefined) return { reason: "stop_sequence", stopSequence };
  return Object.hasOwn(vendorReasons, native) ? { reason } : { reason, native };
}

/**
 * The native word for a finish, and what the client should be told besides. Undefined: no answer can say it, the call
 * failed (conversion.md 1.5.7).
 */
export function encodeFinish(
  finish: Finish,
  shown: { text: boolean; refusal: boolean; toolCall: boolean },
): { native: NativeFinish; notice?: string } | undefined {
  switch (finish.reason) {
    case "stop":
    case "stop_sequence":
      return { native: "stop" };
    case "tool":
      return { native: "tool_calls" };
    case "length":
    case "context":
      return { native: "length" };
    case "filter":
    case "recitation":
      return { native: "content_filter" };
    case "refusal":
      return { native: shown.refusal ? "stop" : "content_filter" };
    case "paused":
      return { native: "stop", notice: "The upstream paused its turn; send the conversation again to go on." };
    case "malformed_tool":
    case "error":
      if (!isShowable(finish, shown)) return undefined;
      return { native: "stop", notice: "The model wrote a tool call that is not well formed." };
    case "other":
      return {
        native: shown.toolCall ? "tool_calls" : "stop",
        notice: `The upstream ended with a reason that this protocol has no word for: ${finish.native ?? "not told"}.`,
      };
  }
}

/** What a list of parts shows to the client; both answer writers decide the finish from it. */
export function shownOf(parts: readonly Part[]): { text: boolean; refusal: boolean; toolCall: boolean } {
  return {
    text: parts.some((part) => part.type === "text" && part.text !== ""),
    refusal: parts.some((part) => part.type === "refusal"),
    toolCall: parts.some((part) => part.type === "tool-call"),
  };
}
