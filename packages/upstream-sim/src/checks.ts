import type { Check, Fields } from "./field-check.ts";

// Short names for the tables of the four protocols, so that a table reads like its sheet.

export const ANY: Check = { kind: "any" };
export const BOOLEAN: Check = { kind: "boolean", nullable: true };
export const STRING: Check = { kind: "string", nullable: true };
export const TEXT: Check = { kind: "string", required: true };
export const OPEN_OBJECT: Check = { kind: "object", nullable: true };
export const METADATA: Check = { kind: "object", nullable: true };

/** An optional number that may be null. */
export function number(min?: number, max?: number): Check {
  return { kind: "number", nullable: true, ...bounds(min, max) };
}

/** An optional integer that may be null. */
export function integer(min?: number, max?: number): Check {
  return { kind: "number", integer: true, nullable: true, ...bounds(min, max) };
}

/** An optional text from a closed list. */
export function oneOf(...values: string[]): Check {
  return { kind: "string", nullable: true, oneOf: values };
}

/** A required text that is exactly this. */
export function literal(...values: string[]): Check {
  return { kind: "string", required: true, oneOf: values };
}

/** An optional object with a closed set of keys. */
export function object(fields: Fields): Check {
  return { kind: "object", fields, nullable: true };
}

/** An optional array. */
export function list(items: Check): Check {
  return { kind: "array", items, nullable: true };
}

/** The same check, but the field must be there and not null. */
export function required(check: Check): Check {
  return { ...check, required: true, nullable: false };
}

/** The first check whose JSON type fits. */
export function either(...options: Check[]): Check {
  return { kind: "either", options, nullable: true };
}

/** Objects told apart by their `type`. */
export function variants(table: Record<string, Fields>, fallback?: string): Check {
  return { kind: "variants", by: "type", table, ...(fallback === undefined ? {} : { fallback }) };
}

function bounds(min: number | undefined, max: number | undefined): { min?: number; max?: number } {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}
