import type { JsonObject, ModelCard } from "../canonical/index.ts";

/** One entry of `GET /v1/models`. */
export function encodeModel(model: ModelCard): JsonObject {
  const card: JsonObject = { id: model.id, object: "model", created: model.createdAt, owned_by: model.ownedBy };
  // No field of the vendor's: clients pass over what they do not know.
  if (model.underObservation) card.status = "under_observation";
  return card;
}

/** The answer of `GET /v1/models`. */
export function encodeModelList(models: readonly ModelCard[]): JsonObject {
  return { object: "list", data: models.map(encodeModel) };
}
