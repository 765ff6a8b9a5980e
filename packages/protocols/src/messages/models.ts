import type { JsonObject, JsonValue, ModelCard } from "../canonical/index.ts";
import type { WireModel } from "./wire.ts";

/** One entry of a model list (messages.md 1). */
export function encodeModel(model: ModelCard): JsonObject {
  return {
    id: model.id,
    type: "model",
    // The family's card has no room for a state but the name that people read.
    display_name: `${model.displayName ?? model.id}${model.underObservation ? " (under observation)" : ""}`,
    created_at: new Date(model.createdAt * 1000).toISOString().replace(".000Z", "Z"),
    max_input_tokens: model.maxInputTokens ?? null,
    max_tokens: model.maxOutputTokens ?? null,
    // The vendor always writes these. What is published can be called; more is not known of it.
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: null,
    capabilities: null,
  } satisfies Record<keyof WireModel, JsonValue>;
}

/** The whole list as one page. */
export function encodeModelList(models: readonly ModelCard[]): JsonObject {
  return {
    data: models.map(encodeModel),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}
