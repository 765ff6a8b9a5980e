import type { JsonObject, JsonSchema, JsonValue } from "../canonical/index.ts";
import { isObject } from "./read.ts";

/** Where a schema holds further schemas: one, a list, or a map by name. */
const schemaKeys = new Set(["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const schemaMaps = new Set(["properties", "patternProperties", "$defs", "definitions", "defs", "dependentSchemas"]);

/** 64-bit counters, which Google's JSON writes as text. */
const counters = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);

/**
 * A schema in OpenAPI's manner, as Gemini clients write it (types in capitals, `nullable`, counters as text), as an
 * ordinary JSON Schema. An ordinary one comes out the same.
 */
export function fromOpenApiSchema(schema: JsonSchema): JsonSchema {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "nullable" || key === "propertyOrdering") continue;
    if (key === "type" && value === "TYPE_UNSPECIFIED") continue;
    set(result, key, convert(key, value));
  }
  return schema.nullable === true ? orNull(result) : result;
}

function convert(key: string, value: JsonValue | undefined): JsonValue | undefined {
  if (key === "type") return lowerType(value);
  if (schemaKeys.has(key) && isObject(value)) return fromOpenApiSchema(value);
  if (schemaLists.has(key) && Array.isArray(value)) return value.map(each);
  if (schemaMaps.has(key) && isObject(value)) {
    const map: JsonObject = {};
    for (const [name, inner] of Object.entries(value)) set(map, name, inner === undefined ? inner : each(inner));
    return map;
  }
  if (counters.has(key) && typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return value;
}

function each(value: JsonValue): JsonValue {
  return isObject(value) ? fromOpenApiSchema(value) : value;
}

function lowerType(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((type) => (typeof type === "string" ? type.toLowerCase() : type));
  return typeof value === "string" ? value.toLowerCase() : value;
}

function orNull(schema: JsonObject): JsonObject {
  const result = { ...schema };
  if (typeof result.type === "string" && result.type !== "null") result.type = [result.type, "null"];
  else if (Array.isArray(result.anyOf) && result.type === undefined) result.anyOf = [...result.anyOf, { type: "null" }];
  if (Array.isArray(result.enum) && !result.enum.includes(null)) result.enum = [...result.enum, null];
  return result;
}

/** A property may be called `__proto__`. */
function set(target: JsonObject, key: string, value: JsonValue | undefined): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

const outsideStrict = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "dependentRequired",
  "dependentSchemas",
];

/** The strict mode's own regular expressions cannot look around; one that does fails when the answer already streams. */
const looksAround = /\(\?<?[=!]/;

/**
 * Whether OpenAI's strict mode would take the schema (conversion.md J5): an object at the top, every object closed by
 * `additionalProperties: false` with all properties required, no keyword outside the strict subset, no pattern that looks
 * around.
 */
export function isStrictSchema(schema: JsonSchema): boolean {
  return schema.type === "object" && schema.anyOf === undefined && isStrict(schema);
}

function isStrict(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  if (outsideStrict.some((key) => value[key] !== undefined)) return false;
  if (typeof value.pattern === "string" && looksAround.test(value.pattern)) return false;
  if (isObjectSchema(value) && !isClosed(value)) return false;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (key === "items" && !isStrict(inner)) return false;
    if ((key === "anyOf" || key === "prefixItems") && !(Array.isArray(inner) && inner.every(isStrict))) return false;
    if (["properties", "$defs", "definitions"].includes(key)) {
      if (!isObject(inner) || !Object.values(inner).every(isStrict)) return false;
    }
  }
  return true;
}

function isObjectSchema(schema: JsonObject): boolean {
  const type = schema.type;
  return type === "object" || (Array.isArray(type) && type.includes("object")) || schema.properties !== undefined;
}

function isClosed(schema: JsonObject): boolean {
  if (schema.additionalProperties !== false) return false;
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return names.every((name) => required.includes(name));
}
