/** Any JSON value, as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. A key whose value is `undefined` is left out when printed. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** True for a JSON object, not for arrays or null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array, or an empty one. */
export function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as an array of objects; other members are left out. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return arrayOf(value).filter(isObject);
}

/** The value as text, or an empty text. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Parses JSON text; `undefined` where it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse can only give JSON values, so naming its result `Json` is exact.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses tool arguments: their object, or `{}` where the text is no JSON object. */
export function parseObject(text: string): JsonObject {
  return objectOf(parseJson(text));
}
