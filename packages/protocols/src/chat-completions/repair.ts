import type { JsonObject, JsonValue } from "../canonical/index.ts";
import type { Mended, RequestRepair, UpstreamFailure } from "../codec.ts";
import { absentSignature, isAbsentSignature } from "../shared/absent-signature.ts";
import { openaiRefusedNames } from "../shared/openai-refusal.ts";
import { isObject } from "../shared/read.ts";
import {
  allowedFields,
  namesInDetails,
  refusalText,
  refusedMarks,
  withoutFieldOrMarks,
} from "../shared/refused-field.ts";
import { isRefusedProof } from "../shared/refused-proof.ts";
import { thoughtSignature } from "./reasoning.ts";

/** Fields of a message in which servers of this protocol bring reasoning, by those that refuse them in a conversation. */
const refusedOfMessage = /(?:property '|"|'|\bassistant\.)(reasoning_content|reasoning_details|reasoning)\b['"]?/;

/**
 * Takes the proofs of earlier turns out: `reasoning_details`, and Gemini's signatures, for which the first call of a message
 * gets the documented stand-in. Where the server does not know a field of reasoning in messages, that one.
 */
function withoutProofs(body: JsonObject, failure: UpstreamFailure): Mended | undefined {
  const unknown = unknownOfMessage(failure);
  if (!(isRefusedProof(failure) || unknown) || !Array.isArray(body.messages)) return undefined;
  let taken = 0;
  const messages = body.messages.map((message) => {
    if (!isObject(message) || message.role !== "assistant") return message;
    const mended = unknown ? withoutKey(message, unknown) : withoutSignatures(message);
    if (mended !== message) taken += 1;
    return mended;
  });
  if (taken === 0) return undefined;
  const detail = `The upstream refused the reasoning of earlier turns; the call was sent again without it (messages: ${taken}).`;
  return { body: { ...body, messages }, notices: [{ field: "reasoning", verdict: "dropped", detail }] };
}

function unknownOfMessage(failure: UpstreamFailure): string | undefined {
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  const named = namesInDetails(failure).map(({ name }) => name);
  const text = [refusalText(failure), ...named].join("\n");
  if (!/is unsupported|extra_forbidden|Extra inputs are not permitted|Unknown parameter/.test(text)) return undefined;
  if (!/\bmessages\b|\bassistant\b/.test(text)) return undefined;
  return refusedOfMessage.exec(text)?.[1];
}

function withoutKey(message: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(message, key)) return message;
  const { [key]: _removed, ...rest } = message;
  return rest;
}

function withoutSignatures(message: JsonObject): JsonObject {
  const bare = withoutSignature(withoutKey(message, "reasoning_details"));
  if (!Array.isArray(bare.tool_calls)) return bare;
  const before: readonly JsonValue[] = bare.tool_calls;
  const calls = before.map((call) => (isObject(call) ? withoutSignature(call) : call));
  if (calls.every((call, index) => call === before[index])) return bare;
  const [first, ...others] = calls;
  if (!isObject(first)) return bare;
  const extra = isObject(first.extra_content) ? first.extra_content : {};
  const signed = { ...first, extra_content: { ...extra, ...thoughtSignature(absentSignature) } };
  return { ...bare, tool_calls: [signed, ...others] };
}

/** A message or call without the signature that Gemini keeps on it; the stand-in for one may stay. */
function withoutSignature(holder: JsonObject): JsonObject {
  const { extra_content: extra, ...rest } = holder;
  const google = isObject(extra) ? extra.google : undefined;
  if (!isObject(extra) || !isObject(google) || typeof google.thought_signature !== "string") return holder;
  if (isAbsentSignature(google.thought_signature)) return holder;
  const { google: _google, ...others } = extra;
  const { thought_signature: _signature, ...left } = google;
  const kept = Object.keys(left).length > 0 ? { ...others, google: left } : others;
  return Object.keys(kept).length > 0 ? { ...rest, extra_content: kept } : rest;
}

const allowed = [
  ...["temperature", "top_p", "top_k", "top_a", "min_p", "typical_p", "logit_bias", "seed", "random_seed"],
  ...["frequency_penalty", "presence_penalty", "repetition_penalty"],
  ...["reasoning_effort", "reasoning", "reasoning.effort", "reasoning.summary", "thinking", "enable_thinking"],
  ...["thinking_budget", "reasoning_format", "include_reasoning", "verbosity", "service_tier"],
  ...["metadata", "metadata.*", "user", "safety_identifier", "store"],
  ...["prompt_cache_key", "prompt_cache_retention", "prompt_cache_options", "prompt_cache_options.*"],
];

/** How chat-completions requests are mended. */
export const repair: RequestRepair = {
  withoutProofs,
  refusedFields(body, failure) {
    const names = openaiRefusedNames(failure);
    return [...allowedFields(body, names, allowed), ...refusedMarks(body, names)];
  },
  withoutField: withoutFieldOrMarks,
};
