import { arrayOf, isObject, type Json, type JsonObject, objectOf, textOf } from "./json.ts";

/** Beyond this depth an optional part of a recursive schema is left out. */
const MAX_DEPTH = 12;

/**
 * Makes one instance of a schema: always the same for the same schema and hint.
 * Understands JSON Schema as used for tools and answers, and Gemini's upper-case form.
 * @param hint a text that free string fields hold, so that the instance shows what it was made from
 */
export function schemaInstance(schema: Json | undefined, hint = "simulated"): Json {
  return instance(schema, { root: objectOf(schema), hint, depth: 0 });
}

interface Place {
  root: JsonObject;
  hint: string;
  depth: number;
}

function instance(schema: Json | undefined, place: Place): Json {
  if (!isObject(schema)) return place.hint;
  const fixed = fixedValue(schema);
  if (fixed !== undefined) return fixed;
  const inner = { ...place, depth: place.depth + 1 };
  if (typeof schema.$ref === "string") return instance(resolve(schema.$ref, place.root), inner);
  const options = [...arrayOf(schema.anyOf), ...arrayOf(schema.oneOf)];
  if (options.length > 0) return instance(pickOption(options, place), inner);
  if (Array.isArray(schema.allOf)) return instance(mergeAll(schema, place.root), inner);
  switch (typeName(schema)) {
    case "object":
      return objectInstance(schema, inner);
    case "array":
      return arrayInstance(schema, inner);
    case "integer":
      return numberInstance(schema, 1);
    case "number":
      return numberInstance(schema, 1.5);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return stringInstance(schema, place.hint);
  }
}

function fixedValue(schema: JsonObject): Json | undefined {
  if (schema.const !== undefined) return schema.const;
  return arrayOf(schema.enum)[0];
}

function typeName(schema: JsonObject): string {
  const names = Array.isArray(schema.type) ? schema.type : [schema.type];
  const name = names.map((entry) => textOf(entry).toLowerCase()).find((entry) => entry !== "" && entry !== "null");
  if (name !== undefined) return name;
  if (names.some((entry) => textOf(entry).toLowerCase() === "null")) return "null";
  if (isObject(schema.properties)) return "object";
  return schema.items === undefined ? "string" : "array";
}

/** Deep inside a recursion the option that ends it is taken. */
function pickOption(options: Json[], place: Place): Json | undefined {
  const isNull = (option: Json) => isObject(option) && typeName(option) === "null";
  if (place.depth >= MAX_DEPTH)
    return options.find(isNull) ?? options.find((option) => !refersOnly(option)) ?? options[0];
  return options.find((option) => !isNull(option)) ?? options[0];
}

function refersOnly(option: Json): boolean {
  return isObject(option) && option.$ref !== undefined;
}

function resolve(ref: string, root: JsonObject): Json | undefined {
  if (ref === "#") return root;
  let at: Json | undefined = root;
  for (const step of ref.replace(/^#\//, "").split("/")) {
    at = objectOf(at)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return at;
}

function mergeAll(schema: JsonObject, root: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  let merged: JsonObject = rest;
  for (const entry of arrayOf(allOf)) {
    const part =
      isObject(entry) && typeof entry.$ref === "string" ? objectOf(resolve(entry.$ref, root)) : objectOf(entry);
    merged = {
      ...merged,
      ...part,
      properties: { ...objectOf(merged.properties), ...objectOf(part.properties) },
      required: [...arrayOf(merged.required), ...arrayOf(part.required)],
    };
  }
  return merged;
}

function objectInstance(schema: JsonObject, place: Place): JsonObject {
  const required = new Set(arrayOf(schema.required));
  const result: JsonObject = {};
  for (const [name, property] of Object.entries(objectOf(schema.properties))) {
    if (!required.has(name) && place.depth >= MAX_DEPTH) continue;
    // The descriptor keeps a property called "__proto__" an ordinary property.
    Object.defineProperty(result, name, {
      value: instance(property, place),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

function arrayInstance(schema: JsonObject, place: Place): Json[] {
  const prefix = arrayOf(schema.prefixItems);
  if (prefix.length > 0) return prefix.map((entry) => instance(entry, place));
  const least = Number(schema.minItems ?? 1);
  const count = place.depth >= MAX_DEPTH ? Math.max(0, Number(schema.minItems ?? 0)) : Math.max(1, least);
  const most = Number(schema.maxItems ?? Number.POSITIVE_INFINITY);
  return Array.from({ length: Math.min(count, most, 100) }, () => instance(schema.items, place));
}

function numberInstance(schema: JsonObject, usual: number): number {
  const step = Number(schema.multipleOf ?? 0);
  const unit = schema.type === "number" || schema.type === "NUMBER" ? 0.5 : 1;
  const low = bound(schema.minimum, schema.exclusiveMinimum, unit, Number.NEGATIVE_INFINITY);
  const high = bound(schema.maximum, schema.exclusiveMaximum, -unit, Number.POSITIVE_INFINITY);
  const value = Math.min(Math.max(usual, low), high);
  return step > 0 ? Math.ceil(value / step) * step : value;
}

function bound(inclusive: Json | undefined, exclusive: Json | undefined, nudge: number, none: number): number {
  if (typeof exclusive === "number") return exclusive + nudge;
  return inclusive === undefined || inclusive === null ? none : Number(inclusive);
}

const FORMATS: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  duration: "PT1S",
  email: "simulated@example.com",
  hostname: "example.com",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function stringInstance(schema: JsonObject, hint: string): string {
  const known = FORMATS[textOf(schema.format)];
  if (known !== undefined) return known;
  const least = Number(schema.minLength ?? 0);
  const most = Number(schema.maxLength ?? Number.POSITIVE_INFINITY);
  return hint.padEnd(Math.min(least, 10_000), "-").slice(0, most);
}
