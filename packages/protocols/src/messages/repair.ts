import type { JsonObject, JsonValue } from "../canonical/index.ts";
import type { Mended, RequestRepair, UpstreamFailure } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import {
  allowedFields,
  commonWordings,
  namesIn,
  namesInDetails,
  refusalText,
  refusedMarks,
  type Wording,
  withoutFieldOrMarks,
} from "../shared/refused-field.ts";
import { isRefusedProof } from "../shared/refused-proof.ts";
import { openToolLoop } from "./request-encoder.ts";

/** Takes all thinking of earlier turns out: which of several blocks was refused is not told by every host. */
function withoutProofs(body: JsonObject, failure: UpstreamFailure): Mended | undefined {
  if (!isRefusedProof(failure) || !Array.isArray(body.messages)) return undefined;
  let taken = 0;
  const messages = body.messages.flatMap((message) => {
    if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return [message];
    const content = message.content.filter((block) => !isThinking(block));
    taken += message.content.length - content.length;
    return content.length > 0 ? [{ ...message, content }] : [];
  });
  if (taken === 0) return undefined;
  const detail = `The upstream refused the thinking of earlier turns; the call was sent again without it (blocks: ${taken}).`;
  const mended: Mended = { body: { ...body, messages }, notices: [{ field: "reasoning", verdict: "dropped", detail }] };
  return needsThinking(mended.body) ? thinkingOff(mended) : mended;
}

function isThinking(block: JsonValue): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** A budget of thinking demands the thinking that led to the calls whose results are sent. */
function needsThinking({ thinking, messages }: JsonObject): boolean {
  if (!isObject(thinking) || thinking.type !== "enabled" || !Array.isArray(messages)) return false;
  return openToolLoop(messages.filter(isObject)) === "unsigned";
}

function thinkingOff({ body, notices }: Mended): Mended {
  const detail = "Thinking was turned off for this call: the tool calls it answers stand without their thinking.";
  const result: JsonObject = { ...body, thinking: { type: "disabled" } };
  const edits = isObject(body.context_management) ? body.context_management.edits : undefined;
  if (isObject(body.context_management) && Array.isArray(edits)) {
    // What clears thinking is refused where there is none.
    const kept = edits.filter((edit) => !(isObject(edit) && String(edit.type).startsWith("clear_thinking")));
    result.context_management = { ...body.context_management, edits: kept };
  }
  return { body: result, notices: [...notices, { field: "thinking", verdict: "dropped", detail }] };
}

const wordings: readonly Wording[] = [
  ...commonWordings,
  { pattern: /"?(thinking)\.type\.\w+"? is not supported for this model/g, what: "value" },
  { pattern: /(adaptive thinking) is not supported/gi, what: "value", names: ["thinking"] },
  { pattern: /does not support (effort level)/gi, what: "value", names: ["output_config.effort"] },
  { pattern: /does not support the (effort) parameter/gi, what: "field", names: ["output_config.effort"] },
  { pattern: /`?(temperature|top_p|top_k)`? (?:may only|must) be [^.\n]{0,60}when thinking is enabled/gi, what: "now" },
  { pattern: /`?temperature`? and `?(top_p)`? cannot both be specified/gi, what: "now" },
];

const allowed = [
  ...["temperature", "top_p", "top_k", "thinking", "thinking.display", "output_config.effort"],
  ...["service_tier", "speed", "metadata", "metadata.*"],
];

/** How messages requests are mended. */
export const repair: RequestRepair = {
  withoutProofs,
  refusedFields(body, failure) {
    if (failure.status !== 400 && failure.status !== 422) return [];
    const names = [...namesIn(refusalText(failure), wordings), ...namesInDetails(failure)];
    return [...allowedFields(body, names, allowed), ...refusedMarks(body, names)];
  },
  withoutField: withoutFieldOrMarks,
};
