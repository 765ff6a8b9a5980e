import { type JsonObject, type JsonValue, refuse } from "../canonical/index.ts";

/** Readers of request fields: each gives the value, or undefined for absent and null, or refuses with the field's name. */

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Joins a container's path and a key: `path("messages[0]", "role")` is `messages[0].role`. */
export function path(container: string, key: string | number): string {
  if (typeof key === "number") return `${container}[${key}]`;
  return container === "" ? key : `${container}.${key}`;
}

export function readString(body: JsonObject, key: string, at = ""): string | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") refuse(path(at, key), `'${path(at, key)}' must be a string.`, "invalid_type");
  return value;
}

export function requireString(body: JsonObject, key: string, at = ""): string {
  return readString(body, key, at) ?? missing(path(at, key));
}

export function readBoolean(body: JsonObject, key: string, at = ""): boolean | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") refuse(path(at, key), `'${path(at, key)}' must be true or false.`, "invalid_type");
  return value;
}

export interface NumberRange {
  min?: number;
  max?: number;
  integer?: boolean;
}

export function readNumber(body: JsonObject, key: string, range: NumberRange = {}, at = ""): number | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const field = path(at, key);
  if (typeof value !== "number" || !Number.isFinite(value))
    refuse(field, `'${field}' must be a number.`, "invalid_type");
  if (range.integer && !Number.isSafeInteger(value)) refuse(field, `'${field}' must be an integer.`, "invalid_type");
  if (range.min !== undefined && value < range.min)
    refuse(field, `'${field}' must be at least ${range.min}, got ${value}.`);
  if (range.max !== undefined && value > range.max)
    refuse(field, `'${field}' must be at most ${range.max}, got ${value}.`);
  return value;
}

export function readArray(body: JsonObject, key: string, at = ""): JsonValue[] | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) refuse(path(at, key), `'${path(at, key)}' must be an array.`, "invalid_type");
  return value;
}

export function readObject(body: JsonObject, key: string, at = ""): JsonObject | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) refuse(path(at, key), `'${path(at, key)}' must be an object.`, "invalid_type");
  return value;
}

export function readEnum<T extends string>(
  body: JsonObject,
  key: string,
  values: readonly T[],
  at = "",
): T | undefined {
  const value = readString(body, key, at);
  if (value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) {
    refuse(
      path(at, key),
      `'${path(at, key)}' must be one of ${values.map((v) => `'${v}'`).join(", ")}, got '${value}'.`,
    );
  }
  return known;
}

/** The place that an upstream names for one of its answers: 0, 1, 2, …; undefined for anything else. */
export function answerIndex(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A counter that an upstream tells: whole and not negative; undefined for anything else. */
export function readCount(value: JsonValue | undefined): number | undefined {
  const whole = typeof value === "number" ? Math.floor(value) : Number.NaN;
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}

export function requireObject(value: JsonValue | undefined, at: string): JsonObject {
  if (!isObject(value)) refuse(at, `'${at}' must be an object.`, "invalid_type");
  return value;
}

export function missing(field: string): never {
  refuse(field, `Missing required parameter: '${field}'.`, "missing_required_parameter");
}

/** The keys of `body` that are not in `known`, or undefined where there are none. Null values count as absent. */
export function unknownFields(body: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (known.has(key) || value === undefined || value === null) continue;
    rest ??= {};
    Object.defineProperty(rest, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return rest;
}
