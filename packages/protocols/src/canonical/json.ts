/** A JSON value as `JSON.parse` gives it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object. Keys keep the order in which they were written. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A JSON Schema document, kept as the caller wrote it. */
export type JsonSchema = JsonObject;
