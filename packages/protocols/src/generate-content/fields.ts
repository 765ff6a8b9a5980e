import { type JsonObject, type JsonValue, refuse } from "../canonical/index.ts";
import { isObject, type NumberRange, path, readNumber } from "../shared/read.ts";

/**
 * The object with its own keys in camelCase: the protocol takes both spellings of every field. Values below stay as
 * they are, so that data of the caller (arguments, schemas, labels) is never touched. Where both spellings are given
 * the camelCase one counts. Without any underscore the object itself comes back.
 */
export function camelFields(value: JsonObject): JsonObject {
  const keys = Object.keys(value);
  if (!keys.some((key) => key.indexOf("_", 1) > 0)) return value;
  const result: JsonObject = {};
  for (const key of keys) {
    const name = camel(key);
    if (name !== key && value[name] !== undefined) continue;
    setField(result, name, value[key]);
  }
  return result;
}

function camel(key: string): string {
  return key.replace(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Sets an own property whatever its name is, `__proto__` too. */
export function setField(target: JsonObject, key: string, value: JsonValue | undefined): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A list of objects. One object alone counts as a list of one, as the vendor's server takes it. */
export function readObjects(body: JsonObject, key: string, at = ""): JsonObject[] | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const field = path(at, key);
  if (isObject(value)) return [value];
  if (!Array.isArray(value)) refuse(field, `'${field}' must be an array.`, "invalid_type");
  return value.map((entry, index) => {
    if (!isObject(entry)) refuse(path(field, index), `'${path(field, index)}' must be an object.`, "invalid_type");
    return entry;
  });
}

/** An object below, with camelCase keys. */
export function readFields(body: JsonObject, key: string, at = ""): JsonObject | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const field = path(at, key);
  if (!isObject(value)) refuse(field, `'${field}' must be an object.`, "invalid_type");
  return camelFields(value);
}

/** A number, also written as text, as this protocol's JSON does with 64-bit integers. */
export function readNumeric(body: JsonObject, key: string, range: NumberRange, at: string): number | undefined {
  const value = body[key];
  if (typeof value !== "string" || !/^-?\d{1,15}(\.\d+)?$/.test(value)) return readNumber(body, key, range, at);
  return readNumber({ [key]: Number(value) }, key, range, at);
}

/** A constant of the protocol: upper case, as sent; lower case is taken too. Undefined for absent and `…_UNSPECIFIED`. */
export function readConstant(body: JsonObject, key: string, at = ""): string | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  const field = path(at, key);
  if (typeof value !== "string") refuse(field, `'${field}' must be a string.`, "invalid_type");
  const word = value.toUpperCase();
  return word === "" || word.endsWith("_UNSPECIFIED") ? undefined : word;
}
