import type { JsonObject, JsonValue } from "@interlingua/protocols";

/** The items of a JSON list that are objects; none where it is no list. */
export function itemsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The id that an item only points at; undefined for an item that says something itself (responses.md section 4). */
export function referenceOf({ type, role, id }: JsonObject): string | undefined {
  const refers = type === "item_reference" || ((type === undefined || type === null) && role === undefined);
  return refers && typeof id === "string" ? id : undefined;
}

/** How the id of an item begins, by its type. */
const prefixes: Readonly<Record<string, string>> = {
  message: "msg_",
  reasoning: "rs_",
  function_call: "fc_",
  function_call_output: "fco_",
  custom_tool_call: "ctc_",
  custom_tool_call_output: "ctco_",
};

/**
 * The `input` of a request as it is listed later: a text is a message, a message has a type, its text is a part, and every
 * item has an id. `newId`: an id that begins with the given letters.
 */
export function listedInput(input: JsonValue | undefined, newId: (prefix: string) => string): JsonObject[] {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : itemsOf(input);
  return items.map((item) => {
    const listed = item.type === undefined || item.type === null || item.type === "message" ? message(item) : item;
    if (typeof listed.id === "string") return listed;
    return { id: newId(prefixes[String(listed.type)] ?? "it_"), ...listed };
  });
}

function message(item: JsonObject): JsonObject {
  const { content } = item;
  const text = (value: string): JsonObject =>
    item.role === "assistant"
      ? { type: "output_text", text: value, annotations: [] }
      : { type: "input_text", text: value };
  return {
    ...item,
    type: "message",
    status: item.status ?? "completed",
    content: typeof content === "string" ? [text(content)] : (content ?? []),
  };
}
