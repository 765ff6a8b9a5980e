import { type CanonicalError, canonicalError } from "./error.ts";

/** Why a candidate ended (conversion.md 1.5.7). */
export type FinishReason =
  | "stop"
  | "stop_sequence"
  | "tool"
  | "length"
  | "context"
  | "filter"
  | "refusal"
  | "paused"
  | "malformed_tool"
  | "recitation"
  | "error"
  | "other";

export interface Finish {
  reason: FinishReason;
  /** The stop sequence that matched, where the family tells it. */
  stopSequence?: string;
  /** The upstream's own word, where it says more than `reason`. */
  native?: string;
  /** Human text of the upstream (Gemini `finishMessage`, messages `stop_details`). */
  message?: string;
}

const strength: Record<FinishReason, number> = {
  error: 11,
  malformed_tool: 10,
  filter: 9,
  recitation: 9,
  length: 8,
  context: 8,
  refusal: 7,
  paused: 6,
  tool: 5,
  stop_sequence: 4,
  stop: 3,
  other: 2,
};

/** Of two finishes reported for one candidate the stronger counts (S12). */
export function strongerFinish(a: Finish | undefined, b: Finish): Finish {
  return a && strength[a.reason] >= strength[b.reason] ? a : b;
}

/**
 * The presence of a client-side call decides `tool`, whatever the upstream said, except where it said that the answer
 * was cut, filtered, malformed or failed (1.5.7 laws 1 and 2). Without a call, `tool` means `stop`.
 */
export function settleFinish(finish: Finish, hasToolCall: boolean): Finish {
  if (hasToolCall && ["stop", "stop_sequence", "other", "refusal"].includes(finish.reason)) {
    return { reason: "tool" };
  }
  if (!hasToolCall && finish.reason === "tool") return { ...finish, reason: "stop" };
  return finish;
}

/**
 * Whether an answer that ended so can be shown as one. Where the model failed to write its call, that is where it has said
 * something and nothing of the answer would be run: else it would look like an empty turn, or half of it would be run as
 * if it were the whole (1.5.7). `shown`: what the client has got of it.
 */
export function isShowable(finish: Finish, shown: { text: boolean; toolCall: boolean }): boolean {
  if (finish.reason === "malformed_tool") return shown.text && !shown.toolCall;
  return finish.reason !== "error";
}

/** The error in the place of an answer that cannot be shown as one. */
export function failedAnswer(finish: Finish): CanonicalError {
  const message = finish.message ?? "The upstream's model failed to write its answer.";
  return canonicalError("upstream_bad", message, { code: "upstream_bad_response" });
}
