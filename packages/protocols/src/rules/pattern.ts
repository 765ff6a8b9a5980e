import type { JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/**
 * What a value on the wire has to look like. An object: at least these keys. A list: exactly these places. A regular
 * expression: a text that it fits. A function: whatever it says yes to. Everything else: the value itself.
 */
export type Pattern =
  | RegExp
  | JsonValue
  | undefined
  | ((value: unknown) => boolean)
  | readonly Pattern[]
  | { readonly [key: string]: Pattern };

/** Where the value departs from the pattern, in one line; undefined where it fits. */
export function misfit(value: unknown, pattern: Pattern, place = ""): string | undefined {
  const found = `${place || "the whole"} is ${JSON.stringify(value)}`;
  if (typeof pattern === "function")
    return pattern(value) ? undefined : `${found}, which does not fit ${pattern.name || pattern}`;
  if (pattern instanceof RegExp) {
    return typeof value === "string" && pattern.test(value) ? undefined : `${found} and does not fit ${pattern}`;
  }
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return `${found} instead of ${pattern.length} places`;
    return first(pattern.map((part, index) => misfit(value[index], part, `${place}[${index}]`)));
  }
  if (typeof pattern !== "object" || pattern === null) {
    return value === pattern ? undefined : `${found} instead of ${JSON.stringify(pattern)}`;
  }
  if (!isObject(value)) return `${found} and no object`;
  const keys = Object.entries(pattern);
  return first(keys.map(([key, part]) => misfit(value[key], part, place ? `${place}.${key}` : key)));
}

/** No value at all. */
export const absent = (value: unknown): boolean => value === undefined;

/** A text without these pieces, or anything whose JSON is. */
export const without =
  (...pieces: readonly string[]) =>
  (value: unknown): boolean =>
    !pieces.some((piece) => JSON.stringify(value).includes(piece));

/** A text with these pieces, or anything whose JSON has them. */
export const holding =
  (...pieces: readonly string[]) =>
  (value: unknown): boolean =>
    pieces.every((piece) => JSON.stringify(value).includes(piece));

/** Fits each of the patterns. */
export const both =
  (...patterns: readonly Pattern[]) =>
  (value: unknown): boolean =>
    patterns.every((pattern) => misfit(value, pattern) === undefined);

function first(misfits: readonly (string | undefined)[]): string | undefined {
  return misfits.find((one) => one !== undefined);
}
