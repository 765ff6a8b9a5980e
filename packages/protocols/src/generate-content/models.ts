import type { JsonObject, ModelCard } from "../canonical/index.ts";

/** A published model as `GET /v1beta/models/{id}` shows it. */
export function encodeModel(model: ModelCard): JsonObject {
  const card: JsonObject = {
    name: `models/${model.id}`,
    baseModelId: model.id,
    version: "1",
    displayName: model.displayName ?? model.id,
    description: `Served by ${model.ownedBy}.${model.underObservation ? " Under observation: try it at small volume first." : ""}`,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  };
  if (model.maxInputTokens !== undefined) card.inputTokenLimit = model.maxInputTokens;
  if (model.maxOutputTokens !== undefined) card.outputTokenLimit = model.maxOutputTokens;
  return card;
}

/** The model list. One page: there is no further token. */
export function encodeModelList(models: readonly ModelCard[]): JsonObject {
  return { models: models.map(encodeModel) };
}
