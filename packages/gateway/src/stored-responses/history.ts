import type { JsonObject, JsonValue } from "@interlingua/protocols";
import { isObject, itemsOf, referenceOf } from "./items.ts";
import { isOwnId } from "./own-id.ts";
import type { StoredResponses } from "./stored-responses.ts";

/** A request with everything in it that it referred to. */
export interface RequestWithHistory {
  /** As if the caller had sent the whole conversation. */
  body: JsonObject;
  /** What each item of `input` is called in the caller's own request: `previous_response_id[3]`, `input[0]`. */
  inputPlaces: readonly string[];
}

/** Whether a request refers to what may be stored here. Cheap: most do not, and for them nothing is read. */
export function refersToStored(body: JsonObject): boolean {
  const { previous_response_id: previous, conversation, input } = body;
  if (previous !== undefined && previous !== null) {
    // Both together are refused by the decoder.
    return isOwnId(previous) && (conversation === undefined || conversation === null) && isInput(input);
  }
  return Array.isArray(input) && input.some((item) => isObject(item) && isOwnId(referenceOf(item)));
}

/** What is no input is left to the decoder, which refuses it. */
function isInput(input: JsonValue | undefined): boolean {
  const absent = input === undefined || input === null;
  return absent || typeof input === "string" || (Array.isArray(input) && input.every(isObject));
}

/**
 * Puts the conversation of `previous_response_id` before a request's own input, and items in the place of references to
 * them. Instructions of earlier calls do not come along (responses.md section 3). Undefined where nothing that it refers to
 * is stored: then it may be a provider's, or is refused. A reference to what stands in the history already is taken out.
 */
export async function withHistory(
  stored: Pick<StoredResponses, "read" | "findItems">,
  accountId: string,
  body: JsonObject,
): Promise<RequestWithHistory | undefined> {
  const { previous_response_id: previousId, ...rest } = body;
  const previous = typeof previousId === "string" ? await stored.read(accountId, previousId) : undefined;
  if (typeof previousId === "string" && !previous) return undefined;
  const history = previous ? [...previous.input, ...itemsOf(previous.response.output)] : [];
  const known = new Set(history.map(({ id }) => id));
  const own = ownItems(body.input);
  const wanted = own.map(referenceOf).filter((id) => isOwnId(id) && !known.has(id));
  const found = await stored.findItems(
    accountId,
    wanted.filter((id) => id !== undefined),
  );
  if (!previous && found.size === 0) return undefined;

  const input = history.map(sayable);
  const inputPlaces = history.map((_item, index) => `previous_response_id[${index}]`);
  for (const [index, item] of own.entries()) {
    const reference = referenceOf(item);
    if (reference !== undefined && known.has(reference)) continue;
    const referred = reference === undefined ? undefined : found.get(reference);
    input.push(referred ? sayable(referred) : item);
    inputPlaces.push(`input[${index}]`);
  }
  return { body: { ...rest, input }, inputPlaces };
}

/** The id of a reasoning item without a proof would point at what a provider keeps; it keeps nothing of ours. */
function sayable(item: JsonObject): JsonObject {
  const proven = typeof item.encrypted_content === "string" && item.encrypted_content !== "";
  if (item.type !== "reasoning" || proven || !isOwnId(item.id)) return item;
  const { id: _ours, ...rest } = item;
  return rest;
}

function ownItems(input: JsonValue | undefined): JsonObject[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return itemsOf(input);
}
