import { type Finish, isShowable, type JsonObject, type JsonValue, type Notice } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { finishByStopReason, type StopReason } from "./wire.ts";

/** `stop_reason`, `stop_sequence` and `stop_details` of an answer. Total: an unknown word is `other`, never `stop`. */
export function decodeFinish(body: JsonObject, hasToolCall: boolean): Finish | undefined {
  const native = body.stop_reason;
  if (typeof native !== "string") return undefined;
  const reason = finishByStopReason.get(native) ?? "other";
  const finish: Finish = { reason };
  if (reason === "stop_sequence" && typeof body.stop_sequence === "string") finish.stopSequence = body.stop_sequence;
  if (reason === "other") finish.native = native;
  if (reason === "refusal") {
    // Without details it is the provider's filter that stopped the answer. A refusal may also cut into a tool call, and
    // such a call must never run: as a filter it outranks the call.
    if (hasToolCall || !isObject(body.stop_details)) finish.reason = "filter";
    const explanation = refusalText(body.stop_details);
    if (explanation) finish.message = explanation;
  }
  return finish;
}

function refusalText(details: JsonValue | undefined): string | undefined {
  return isObject(details) && typeof details.explanation === "string" ? details.explanation : undefined;
}

export interface EncodedFinish {
  stop_reason: StopReason;
  stop_sequence: string | null;
  stop_details: JsonObject | null;
}

/**
 * The finish as clients of this protocol read it; what has no word here is told. `shown`: what they have got of the
 * answer. Undefined: no answer can say it, the call failed.
 */
export function encodeFinish(
  finish: Finish,
  shown: { text: boolean; toolCall: boolean },
  notice: (notice: Notice) => void,
): EncodedFinish | undefined {
  if (!isShowable(finish, shown)) return undefined;
  switch (finish.reason) {
    case "stop":
      return plain("end_turn");
    case "stop_sequence":
      // Which string hit is not always known, and it is not guessed (conversion.md 2.6, pair 7).
      if (finish.stopSequence === undefined) return plain("end_turn");
      return { ...plain("stop_sequence"), stop_sequence: finish.stopSequence };
    case "tool":
      return plain("tool_use");
    case "length":
      return plain("max_tokens");
    case "context":
      return plain("model_context_window_exceeded");
    case "refusal":
      return { ...plain("refusal"), stop_details: refusalDetails(finish) };
    case "filter":
    case "recitation":
      // A text that the filter gave is worth more than the difference between filter and refusal.
      return { ...plain("refusal"), stop_details: finish.message ? refusalDetails(finish) : null };
    case "paused":
      return plain("pause_turn");
    case "malformed_tool":
    case "error":
    case "other":
      if (finish.native === "compaction") return plain("compaction");
      notice({
        field: "stop_reason",
        verdict: "approximated",
        detail: `The model ended by '${finish.native ?? finish.reason}', which is shown as 'end_turn'.`,
      });
      return plain("end_turn");
  }
}

function plain(reason: StopReason): EncodedFinish {
  return { stop_reason: reason, stop_sequence: null, stop_details: null };
}

function refusalDetails(finish: Finish): JsonObject {
  return { type: "refusal", category: null, explanation: finish.message ?? null };
}
