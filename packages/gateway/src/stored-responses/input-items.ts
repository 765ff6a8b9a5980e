import { type JsonObject, refuse } from "@interlingua/protocols";
import type { StoredResponse } from "./stored-responses.ts";

const mostItems = 100;
const usualItems = 20;

/**
 * One page of the input of a stored response (responses.md section 1). `query`: `limit` 1 to 100 (20), `order` desc
 * (default) or asc, `after` an item's id. Throws a `ProtocolError` (400) that names the parameter.
 */
export function listInputItems({ input }: StoredResponse, query: URLSearchParams): JsonObject {
  const limit = readLimit(query.get("limit"));
  const items = readOrder(query.get("order")) === "asc" ? input : input.toReversed();
  const start = readStart(query.get("after"), items);
  const data = items.slice(start, start + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < items.length,
  };
}

function readLimit(text: string | null): number {
  if (text === null) return usualItems;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > mostItems) refuse("limit", `'limit' must be a whole number from 1 to ${mostItems}.`);
  return limit;
}

function readOrder(text: string | null): "asc" | "desc" {
  if (text === null || text === "desc" || text === "asc") return text ?? "desc";
  refuse("order", "'order' must be asc or desc.");
}

function readStart(after: string | null, items: readonly JsonObject[]): number {
  if (after === null) return 0;
  const at = items.findIndex(({ id }) => id === after);
  if (at === -1) refuse("after", "'after' must be the id of an item of this response.");
  return at + 1;
}
