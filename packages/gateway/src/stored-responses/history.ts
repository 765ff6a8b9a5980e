import type { JsonObject, JsonValue } from "@interlingua/protocols";
import { isObject, itemsOf, referenceOf } from "./items.ts";
import { isOwnId } from "./own-id.ts";
import type { StoredResponses } from "./stored-responses.ts";

/** A request with everything in it that it referred to. */
export interface RequestWithHistory {
  /** As if the caller had sent the whole conversation; every item bears the id by which it was stored. */
  body: JsonObject;
  /** What each item of `input` is called in the caller's own request: `previous_response_id[3]`, `input[0]`. */
  inputPlaces: readonly string[];
}

/** Whether a request refers to what may be stored here. Cheap: most do not, and for them nothing is read. */
export function refersToStored(body: JsonObject): boolean {
  const { previous_response_id: previous, conversation, input } = body;
  // What is no input, and a conversation beside an answer, is left to the decoder, which refuses it.
  if (!isAbsent(previous)) return isOwnId(previous) && isAbsent(conversation) && isInput(input);
  return Array.isArray(input) && input.some(isOwnReference) && isInput(input);
}

function isOwnReference(item: JsonValue): boolean {
  return isObject(item) && isOwnId(referenceOf(item));
}

function isInput(input: JsonValue | undefined): boolean {
  return Array.isArray(input) ? input.every(isObject) : isAbsent(input) || typeof input === "string";
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
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

  const input = [...history];
  const inputPlaces = history.map((_item, index) => `previous_response_id[${index}]`);
  for (const [index, item] of own.entries()) {
    const reference = referenceOf(item);
    if (reference !== undefined && known.has(reference)) continue;
    const referred = reference === undefined ? undefined : found.get(reference);
    input.push(referred ?? item);
    inputPlaces.push(`input[${index}]`);
  }
  return { body: { ...rest, input }, inputPlaces };
}

/**
 * The same, as it is carried to a model: the id of a reasoning item without a proof would point at what a provider keeps, and
 * none keeps ours.
 */
export function withoutOwnMarks(body: JsonObject): JsonObject {
  return { ...body, input: itemsOf(body.input).map(withoutOwnMark) };
}

function withoutOwnMark(item: JsonObject): JsonObject {
  const proven = typeof item.encrypted_content === "string" && item.encrypted_content !== "";
  if (item.type !== "reasoning" || proven || !isOwnId(item.id)) return item;
  const { id: _ours, ...rest } = item;
  return rest;
}

function ownItems(input: JsonValue | undefined): JsonObject[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return itemsOf(input);
}
