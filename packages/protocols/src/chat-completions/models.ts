import type { JsonObject, ModelCard } from "../canonical/index.ts";

/** One entry of `GET /v1/models`. */
export function encodeModel(model: ModelCard): JsonObject {
  return { id: model.id, object: "model", created: model.createdAt, owned_by: model.ownedBy };
}

/** The answer of `GET /v1/models`. */
export function encodeModelList(models: readonly ModelCard[]): JsonObject {
  return { object: "list", data: models.map(encodeModel) };
}
