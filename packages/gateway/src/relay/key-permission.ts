import { ProtocolError } from "@interlingua/protocols";
import type { AuthenticatedKey } from "../accounts/auth-result.ts";
import type { Routes } from "../channels/routes.ts";
import type { RouteQuery } from "../channels/routing-rule.ts";
import { forbiddenModel } from "./own-errors.ts";

/**
 * Throws `ProtocolError` 403 where the key may not name the model, before anything is counted or set aside for the call. A
 * model that no channel offers is left to the search for one: 404, whatever the key.
 */
export function checkModel(
  routes: Pick<Routes, "offers">,
  { models }: Pick<AuthenticatedKey, "models">,
  query: RouteQuery,
): void {
  if (models === null || models.allows(query.model)) return;
  if (routes.offers(query)) throw new ProtocolError(forbiddenModel(query.model));
}
