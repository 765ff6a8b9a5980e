import { isObject, type JsonObject, objectsOf, textOf } from "../json.ts";

/** A stored response: the answer and the whole conversation up to and including it. */
interface StoredResponse {
  response: JsonObject;
  context: JsonObject[];
}

/** What the provider keeps of answers with `store` not false: the newest 1,000. */
export interface ResponseStore {
  get(id: string): StoredResponse | undefined;
  item(id: string): JsonObject | undefined;
  put(id: string, stored: StoredResponse): void;
  delete(id: string): boolean;
}

const KEPT = 1000;

/** Makes an empty store; one per simulated provider. */
export function createResponseStore(): ResponseStore {
  const responses = new Map<string, StoredResponse>();
  return {
    get: (id) => responses.get(id),
    item: (id) => {
      for (const { context } of responses.values()) {
        const found = context.find((item) => item.id === id);
        if (found) return found;
      }
      return undefined;
    },
    put: (id, stored) => {
      responses.set(id, stored);
      for (const oldest of responses.keys()) {
        if (responses.size <= KEPT) break;
        responses.delete(oldest);
      }
    },
    delete: (id) => responses.delete(id),
  };
}

/** The request's own input as items; text is one user message. */
export function ownInput(body: JsonObject): JsonObject[] {
  if (typeof body.input === "string") return [{ type: "message", role: "user", content: body.input }];
  return Array.isArray(body.input) ? body.input.filter(isObject) : [];
}

/** The whole conversation that the model sees: what was stored before, then the request's input. */
export function effectiveInput(body: JsonObject, store: ResponseStore): JsonObject[] {
  const before = store.get(textOf(body.previous_response_id))?.context ?? [];
  const own = ownInput(body).map((item) =>
    item.type === "item_reference" ? (store.item(textOf(item.id)) ?? item) : item,
  );
  return [...before, ...own];
}

/** Keeps an answer for `previous_response_id`, references and GET, unless the request says not to. */
export function keepResponse(body: JsonObject, response: JsonObject, store: ResponseStore): void {
  if (body.store === false) return;
  store.put(String(response.id), {
    response,
    context: [...effectiveInput(body, store), ...objectsOf(response.output)],
  });
}
