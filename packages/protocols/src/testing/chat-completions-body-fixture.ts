import type { JsonObject } from "../canonical/index.ts";
import { decodeRequest } from "../chat-completions/request-decoder.ts";
import { plainVault } from "../shared/vault.ts";

/** A vault that hides nothing. */
export const vault = plainVault();

/** A message of the user. */
export const user = { role: "user", content: "Hi" };

/** A body as small as it can be with what is said beside it, decoded. */
export function decode(more: JsonObject) {
  return decodeRequest({ model: "m", messages: [user], ...more }, {}, { vault });
}

/** What a body says whose one message has this part. */
export function part(content: JsonObject): JsonObject {
  return { messages: [{ role: "user", content: [content] }] };
}

/** What a body says that has this message of the model. */
export function assistant(message: JsonObject): JsonObject {
  return { messages: [user, { role: "assistant", ...message }, user] };
}
