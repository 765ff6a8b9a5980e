import type { JsonObject, JsonSchema, JsonValue } from "../canonical/index.ts";
import { fromOpenApiSchema } from "../shared/json-schema.ts";
import { isObject } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { setField } from "./fields.ts";
import { flatten, type SchemaScope, sibling } from "./schema-flatten.ts";

/** References can multiply a small schema without end; no real one comes near this. */
const maximumNodes = 5_000;

/** What a node of each type may say (generate-content.md 6), besides the keywords of every type. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  STRING: ["minLength", "maxLength", "pattern"],
  NUMBER: ["minimum", "maximum"],
  INTEGER: ["minimum", "maximum"],
  ARRAY: ["minItems", "maxItems"],
  OBJECT: ["minProperties", "maxProperties"],
  BOOLEAN: [],
  NULL: [],
};
const anyType = ["title", "description", "default", "example"];

const formats: Readonly<Record<string, readonly string[]>> = {
  STRING: ["enum", "date-time"],
  NUMBER: ["float", "double"],
  INTEGER: ["int32", "int64"],
};

/** Keywords whose loss changes nothing that a model or a caller could notice. */
const silent: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "$defs",
  "definitions",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/**
 * A JSON Schema in the OpenAPI subset of the models that take no other (conversion.md 2.3). Works on a copy, ends on
 * cycles, gives the same for its own output (law L23). What the subset cannot say is left out, with one notice for `field`.
 */
export function toGeminiSchema(schema: JsonSchema, field: string, report: Report): JsonObject {
  const root = fromOpenApiSchema(schema);
  const scope: SchemaScope = { root, path: [], nodes: 0, maximumNodes, lost: new Set() };
  const result = rewrite(root, scope);
  if (scope.lost.size > 0) {
    const lost = [...scope.lost].sort().join(", ");
    report.approximated(
      field,
      `This model's schemas cannot say: ${lost}. They were left out, so it may answer more freely.`,
    );
  }
  return result;
}

function rewrite(value: JsonValue | undefined, scope: SchemaScope): JsonObject {
  scope.nodes += 1;
  if (scope.nodes > scope.maximumNodes) {
    scope.lost.add("$ref");
    return { type: "OBJECT" };
  }
  // `true` and `{}` allow anything; text comes nearest.
  if (!isObject(value)) return { type: "STRING" };
  const depth = scope.path.length;
  const node = flatten(value, scope);
  const result = rewriteFlat(node, scope);
  scope.path.length = depth;
  return result;
}

/** A node without references, `allOf`, `const` and `oneOf`. */
function rewriteFlat(node: JsonObject, scope: SchemaScope): JsonObject {
  const types = typesOf(node);
  const alternatives = Array.isArray(node.anyOf) ? node.anyOf : [];
  const nullable = node.nullable === true || (types.includes("null") && types.length > 1) || alternatives.some(isNull);
  const solid = types.length > 1 ? types.filter((type) => type !== "null") : types;
  const branches = alternatives.filter((branch) => !isNull(branch));
  const result =
    branches.length > 0
      ? union(node, branches, scope)
      : solid.length > 1
        ? unionOfTypes(node, solid, scope)
        : single(node, solid[0], scope);
  if (nullable) result.nullable = true;
  return result;
}

function typesOf(node: JsonObject): string[] {
  const types = Array.isArray(node.type) ? node.type : [node.type];
  return types.filter((type) => typeof type === "string").map((type) => type.toLowerCase());
}

function isNull(branch: JsonValue): boolean {
  if (!isObject(branch)) return false;
  return branch.type === "null" || (Array.isArray(branch.enum) && branch.enum.length === 1 && branch.enum[0] === null);
}

/** A type beside `anyOf` is refused: what stands outside goes into every branch, unless the branches only demand more. */
function union(node: JsonObject, branches: JsonValue[], scope: SchemaScope): JsonObject {
  const { anyOf: _, nullable: __, title, description, default: fallback, ...outer } = node;
  const labels: JsonObject = {};
  for (const [key, value] of Object.entries({ title, description, default: fallback }))
    if (value !== undefined) labels[key] = value;
  const shaped = outer.type !== undefined || outer.properties !== undefined || outer.enum !== undefined;
  if (shaped && !branches.some(isShaped)) {
    scope.lost.add("anyOf");
    return { ...rewriteFlat({ ...outer }, scope), ...labels };
  }
  const inner = branches.map((branch) => (shaped && isObject(branch) ? sibling(outer, branch) : branch));
  const [only] = inner;
  if (inner.length === 1) return { ...rewrite(only, scope), ...labels };
  return { ...labels, anyOf: inner.map((branch) => rewrite(branch, scope)) };
}

function isShaped(branch: JsonValue): boolean {
  return (
    isObject(branch) &&
    ["type", "properties", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "items"].some(
      (key) => branch[key] !== undefined,
    )
  );
}

function unionOfTypes(node: JsonObject, types: string[], scope: SchemaScope): JsonObject {
  const { title, description, default: _, nullable: __, ...inner } = node;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: types.map((type) => rewrite({ ...inner, type }, scope)),
  };
}

function single(node: JsonObject, named: string | undefined, scope: SchemaScope): JsonObject {
  const type = (named ?? impliedType(node)).toUpperCase();
  const known = keywords[type];
  if (!known) {
    scope.lost.add("type");
    return { type: "STRING" };
  }
  const result: JsonObject = { type };
  for (const key of [...anyType, ...known]) if (node[key] !== undefined && node[key] !== null) result[key] = node[key];
  const format = node.format;
  if (typeof format === "string" && formats[type]?.includes(format)) result.format = format;
  else if (format !== undefined) scope.lost.add("format");
  if (type === "INTEGER") shiftBounds(node, result);
  if (Array.isArray(node.enum)) setEnum(node.enum, type, result, scope);
  if (type === "ARRAY") result.items = itemsOf(node, scope);
  if (type === "OBJECT") setProperties(node, result, scope);
  reportLost(node, result, type, scope);
  return result;
}

function impliedType(node: JsonObject): string {
  if (isObject(node.properties)) return "object";
  if (node.items !== undefined || node.prefixItems !== undefined) return "array";
  const first = Array.isArray(node.enum) ? node.enum.find((value) => value !== null) : undefined;
  if (typeof first === "number") return Number.isInteger(first) ? "integer" : "number";
  return typeof first === "boolean" ? "boolean" : "string";
}

function shiftBounds(node: JsonObject, result: JsonObject): void {
  const { exclusiveMinimum, exclusiveMaximum } = node;
  if (typeof exclusiveMinimum === "number") {
    const above = Math.floor(exclusiveMinimum) + 1;
    result.minimum = typeof result.minimum === "number" ? Math.max(result.minimum, above) : above;
  }
  if (typeof exclusiveMaximum === "number") {
    const below = Math.ceil(exclusiveMaximum) - 1;
    result.maximum = typeof result.maximum === "number" ? Math.min(result.maximum, below) : below;
  }
}

/** Only non-empty texts can be listed; other values are told in words. */
function setEnum(values: JsonValue[], type: string, result: JsonObject, scope: SchemaScope): void {
  const solid = values.filter((value) => value !== null);
  if (solid.length < values.length) result.nullable = true;
  if (type === "STRING" && solid.length > 0 && solid.every((value) => typeof value === "string" && value !== "")) {
    result.enum = solid;
    return;
  }
  if (solid.length === 0) return;
  scope.lost.add("enum");
  const words = `One of: ${solid.map((value) => JSON.stringify(value)).join(", ")}.`;
  const said = typeof result.description === "string" ? result.description : "";
  result.description = said === "" ? words : `${said} ${words}`;
}

function itemsOf(node: JsonObject, scope: SchemaScope): JsonObject {
  const tuple = Array.isArray(node.prefixItems) ? node.prefixItems : Array.isArray(node.items) ? node.items : [];
  if (tuple.length === 0) return rewrite(isObject(node.items) ? node.items : undefined, scope);
  scope.lost.add("prefixItems");
  const kinds = isObject(node.items) ? [...tuple, node.items] : tuple;
  const distinct = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
  return rewrite(distinct.size === 1 ? kinds[0] : { anyOf: [...distinct.values()] }, scope);
}

function setProperties(node: JsonObject, result: JsonObject, scope: SchemaScope): void {
  if (!isObject(node.properties)) return;
  const properties: JsonObject = {};
  for (const [name, property] of Object.entries(node.properties)) setField(properties, name, rewrite(property, scope));
  result.properties = properties;
  if (!Array.isArray(node.required)) return;
  const required = node.required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
  if (required.length > 0) result.required = required;
}

function reportLost(node: JsonObject, result: JsonObject, type: string, scope: SchemaScope): void {
  for (const key of Object.keys(node)) {
    if (Object.hasOwn(result, key) || silent.has(key) || node[key] === undefined || node[key] === null) continue;
    if (key === "nullable" || key === "enum" || key === "format" || key === "anyOf") continue;
    if ((key === "items" || key === "prefixItems") && type === "ARRAY") continue;
    if ((key === "required" || key === "properties") && type === "OBJECT") continue;
    if (type === "INTEGER" && key.startsWith("exclusive")) continue;
    scope.lost.add(key);
  }
}
