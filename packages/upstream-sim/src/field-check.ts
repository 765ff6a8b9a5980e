import type { Failure } from "./failure.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** Where a value stands in the request: field names and array positions. */
export type Path = readonly (string | number)[];

/** What a field must look like. The tables of each protocol are made of these. */
export type Check = { required?: boolean; nullable?: boolean } & (
  | { kind: "any" }
  | { kind: "boolean" }
  | { kind: "string"; oneOf?: readonly string[]; pattern?: RegExp; minLength?: number; maxLength?: number }
  | { kind: "number"; integer?: boolean; min?: number; max?: number; orText?: boolean }
  | { kind: "array"; items?: Check; minItems?: number; maxItems?: number }
  /** Without `fields` any keys are allowed. */
  | { kind: "object"; fields?: Fields; lazy?: () => Fields }
  /** An object whose table is chosen by the text of its `type` (or another) field. */
  | { kind: "variants"; by: string; table: Record<string, Fields>; fallback?: string }
  /** The first option whose JSON type is the value's. */
  | { kind: "either"; options: readonly Check[] }
);

/** A table of fields. With `"*"` other fields are let through: things that are carried and not looked into. */
export type Fields = Record<string, Check>;

/** How a provider family words a fault. Each function gets the path of the value. */
export interface Wording {
  /** Paths name the variant chosen: `messages.0.content.0.text.foo`. */
  tagVariants?: boolean;
  unknown(path: Path): Failure;
  missing(path: Path): Failure;
  wrongType(path: Path, expected: string, value: Json): Failure;
  notAllowed(path: Path, value: string, allowed: readonly string[]): Failure;
  outOfRange(path: Path, value: number, range: { min?: number; max?: number; integer: boolean }): Failure;
  badLength(path: Path, length: number, limits: { min?: number; max?: number; of: "string" | "array" }): Failure;
  badPattern(path: Path, value: string, pattern: RegExp): Failure;
}

/** Judges an object against its table; the first fault found, or nothing. */
export function checkFields(object: JsonObject, fields: Fields, path: Path, wording: Wording): Failure | undefined {
  const isOpen = Object.hasOwn(fields, "*");
  for (const name of Object.keys(object)) {
    if (!isOpen && !Object.hasOwn(fields, name)) return wording.unknown([...path, name]);
  }
  for (const [name, check] of Object.entries(fields)) {
    const value = object[name];
    if (value === undefined) {
      if (check.required) return wording.missing([...path, name]);
      continue;
    }
    const failure = checkValue(value, check, [...path, name], wording);
    if (failure) return failure;
  }
  return undefined;
}

/** Judges one value; the first fault found, or nothing. */
function checkValue(value: Json, check: Check, path: Path, wording: Wording): Failure | undefined {
  if (value === null) {
    if (check.nullable || check.kind === "any") return undefined;
    return wording.wrongType(path, expectedName(check), value);
  }
  switch (check.kind) {
    case "any":
      return undefined;
    case "boolean":
      return typeof value === "boolean" ? undefined : wording.wrongType(path, "boolean", value);
    case "string":
      return checkString(value, check, path, wording);
    case "number":
      return checkNumber(value, check, path, wording);
    case "array":
      return checkArray(value, check, path, wording);
    case "object": {
      if (!isObject(value)) return wording.wrongType(path, "object", value);
      const fields = check.fields ?? check.lazy?.();
      return fields ? checkFields(value, fields, path, wording) : undefined;
    }
    case "variants":
      return checkVariants(value, check, path, wording);
    case "either": {
      const option = check.options.find((candidate) => fits(value, candidate));
      return option ? checkValue(value, option, path, wording) : wording.wrongType(path, expectedName(check), value);
    }
  }
}

function checkString(
  value: Json,
  check: Check & { kind: "string" },
  path: Path,
  wording: Wording,
): Failure | undefined {
  if (typeof value !== "string") return wording.wrongType(path, "string", value);
  if (check.oneOf && !check.oneOf.includes(value)) return wording.notAllowed(path, value, check.oneOf);
  const { minLength: min = 0, maxLength: max = Number.POSITIVE_INFINITY } = check;
  if (value.length < min || value.length > max) {
    return wording.badLength(path, value.length, { min, max, of: "string" });
  }
  return check.pattern && !check.pattern.test(value) ? wording.badPattern(path, value, check.pattern) : undefined;
}

function checkNumber(
  value: Json,
  check: Check & { kind: "number" },
  path: Path,
  wording: Wording,
): Failure | undefined {
  const number = check.orText && typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const integer = check.integer ?? false;
  const expected = integer ? "integer" : "number";
  if (typeof number !== "number" || !Number.isFinite(number)) return wording.wrongType(path, expected, value);
  if (integer && !Number.isInteger(number)) return wording.wrongType(path, expected, value);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = check;
  return number < min || number > max ? wording.outOfRange(path, number, { min, max, integer }) : undefined;
}

function checkArray(value: Json, check: Check & { kind: "array" }, path: Path, wording: Wording): Failure | undefined {
  if (!Array.isArray(value)) return wording.wrongType(path, "array", value);
  const { minItems: min = 0, maxItems: max = Number.POSITIVE_INFINITY, items } = check;
  if (value.length < min || value.length > max) return wording.badLength(path, value.length, { min, max, of: "array" });
  if (!items) return undefined;
  for (const [index, item] of value.entries()) {
    const failure = checkValue(item, items, [...path, index], wording);
    if (failure) return failure;
  }
  return undefined;
}

function checkVariants(
  value: Json,
  check: Check & { kind: "variants" },
  path: Path,
  wording: Wording,
): Failure | undefined {
  if (!isObject(value)) return wording.wrongType(path, "object", value);
  const name = value[check.by] ?? check.fallback;
  if (name === undefined) return wording.missing([...path, check.by]);
  if (typeof name !== "string") return wording.wrongType([...path, check.by], "string", name);
  const fields = Object.hasOwn(check.table, name) ? check.table[name] : undefined;
  if (!fields) return wording.notAllowed([...path, check.by], name, Object.keys(check.table));
  const inside = wording.tagVariants ? [...path, name] : path;
  return checkFields(value, { [check.by]: { kind: "string", nullable: true }, ...fields }, inside, wording);
}

function fits(value: Json, check: Check): boolean {
  switch (check.kind) {
    case "any":
      return true;
    case "array":
      return Array.isArray(value);
    case "object":
    case "variants":
      return isObject(value);
    case "either":
      return check.options.some((option) => fits(value, option));
    case "string":
    case "number":
    case "boolean":
      return typeof value === check.kind;
  }
}

function expectedName(check: Check): string {
  switch (check.kind) {
    case "variants":
      return "object";
    case "number":
      return check.integer ? "integer" : "number";
    case "either":
      return check.options.map(expectedName).join(" or ");
    case "any":
    case "boolean":
    case "string":
    case "array":
    case "object":
      return check.kind;
  }
}
