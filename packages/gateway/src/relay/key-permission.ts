import { ProtocolError } from "@interlingua/protocols";
import type { AuthenticatedKey } from "../accounts/auth-result.ts";
import type { Channel } from "../channels/channel.ts";
import { matchesModel } from "../channels/model-pattern.ts";
import { forbiddenModel } from "./own-errors.ts";

/**
 * Throws `ProtocolError` 403 where the key may not name the model, before anything is counted or set aside for the call. A
 * model that no channel offers is left to the search for one: 404, whatever the key.
 */
export function checkModel(
  channels: readonly Channel[],
  { models }: Pick<AuthenticatedKey, "models">,
  model: string,
): void {
  if (models === null || models.allows(model)) return;
  const exists = channels.some((channel) => channel.models.some((entry) => matchesModel(entry.id, model)));
  if (exists) throw new ProtocolError(forbiddenModel(model));
}
