import type { JsonObject } from "../canonical/index.ts";
import { decodeRequest } from "../messages/request-decoder.ts";
import { plainVault } from "../shared/vault.ts";

/** A vault that hides nothing. */
export const vault = plainVault();

/** A body as small as it can be. */
export const hello: JsonObject = {
  model: "claude-sonnet-4-5",
  max_tokens: 16,
  messages: [{ role: "user", content: "Hello" }],
};

/** A client's body, decoded. */
export function decode(body: JsonObject) {
  return decodeRequest(body, {}, { vault });
}

/** A body of one turn with one block. */
export function withBlock(block: JsonObject, role = "user"): JsonObject {
  return { ...hello, messages: [{ role, content: [block] }] };
}
