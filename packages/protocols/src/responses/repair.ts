import type { JsonObject, JsonValue } from "../canonical/index.ts";
import type { Mended, RequestRepair, UpstreamFailure } from "../codec.ts";
import { openaiRefusedNames } from "../shared/openai-refusal.ts";
import { isObject } from "../shared/read.ts";
import { allowedFields, withoutField } from "../shared/refused-field.ts";
import { isRefusedProof } from "../shared/refused-proof.ts";

/**
 * Takes the reasoning items of earlier turns out, summaries and all: without its proof an item would be looked for by its
 * id, and an item must have one. What came out of a reasoning item is tied to it by an id of its own, so that goes with it;
 * a use of a provider-run tool that cannot be without an id goes whole.
 */
function withoutProofs(body: JsonObject, failure: UpstreamFailure): Mended | undefined {
  if (!isRefusedProof(failure) || !Array.isArray(body.input)) return undefined;
  let taken = 0;
  let uses = 0;
  let bereft = false;
  const input = body.input.flatMap((item): JsonValue[] => {
    if (!isObject(item)) return [item];
    if (item.type === "reasoning") {
      taken += 1;
      bereft = true;
      return [];
    }
    if (!isOfModel(item)) bereft = false;
    if (!bereft || item.id === undefined) return [item];
    if (item.type !== "message" && item.role === undefined && item.call_id === undefined) {
      uses += 1;
      return [];
    }
    const { id: _id, ...rest } = item;
    return [rest];
  });
  if (taken === 0) return undefined;
  const detail = `The upstream refused the reasoning of earlier turns; the call was sent again without it (items: ${taken}).`;
  const notices: Mended["notices"] = [{ field: "reasoning", verdict: "dropped", detail }];
  if (uses > 0) {
    const detail = `What provider-run tools did after that reasoning was left out with it (items: ${uses}).`;
    notices.push({ field: "input", verdict: "dropped", detail });
  }
  return { body: { ...body, input }, notices };
}

function isOfModel(item: JsonObject): boolean {
  if (item.role !== undefined) return item.role === "assistant";
  return typeof item.type === "string" && !item.type.endsWith("_output");
}

const allowed = [
  ...["temperature", "top_p", "top_k", "min_p", "frequency_penalty", "presence_penalty", "repetition_penalty", "seed"],
  ...["reasoning", "reasoning.effort", "reasoning.summary", "reasoning.generate_summary", "reasoning.context"],
  ...["text.verbosity", "service_tier", "metadata", "metadata.*", "user", "safety_identifier"],
  ...["prompt_cache_key", "prompt_cache_retention", "prompt_cache_options", "prompt_cache_options.*"],
];

/** How responses requests are mended. */
export const repair: RequestRepair = {
  withoutProofs,
  refusedFields: (body, failure) => allowedFields(body, openaiRefusedNames(failure), allowed),
  withoutField,
};
