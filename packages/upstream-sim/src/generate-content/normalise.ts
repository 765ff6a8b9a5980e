import type { Json, JsonObject } from "../json.ts";

/** Values that are data of the caller, not fields of the protocol: their keys stay as they are. */
const OPAQUE = new Set([
  "args",
  "response",
  "parametersJsonSchema",
  "responseJsonSchema",
  "_responseJsonSchema",
  "default",
]);

/** Maps whose keys are names of the caller, with protocol objects below. */
const NAMED = new Set(["properties"]);

/** Rewrites snake_case field names to camelCase: the provider accepts both (generate-content.md 0). */
export function normalise(body: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const key = camel(name);
    result[key] = value === undefined || OPAQUE.has(key) ? value : normaliseValue(value, NAMED.has(key));
  }
  return result;
}

function normaliseValue(value: Json, named: boolean): Json {
  if (Array.isArray(value)) return value.map((entry) => normaliseValue(entry, false));
  if (typeof value !== "object" || value === null) return value;
  if (!named) return normalise(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, entry === undefined ? entry : normaliseValue(entry, false)]),
  );
}

function camel(name: string): string {
  return name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
