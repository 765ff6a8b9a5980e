import type { JsonObject, JsonSchema, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";

/** A tool's schema whose top is an object, as the vendor demands; top-level alternatives are merged (conversion.md 2.3). */
export function inputSchema(schema: JsonSchema | undefined, field: string, report: Report): JsonSchema {
  if (!schema || Object.keys(schema).length === 0) return { type: "object", properties: {} };
  if (!["anyOf", "oneOf", "allOf"].some((key) => Array.isArray(schema[key]))) {
    return schema.type === "object" ? schema : { ...schema, type: "object" };
  }
  report.approximated(field, "The alternatives at the top of the tool's schema were merged into one object.");
  return mergeAlternatives(schema);
}

function mergeAlternatives(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const properties: JsonObject = isObject(rest.properties) ? { ...rest.properties } : {};
  const required = new Set(strings(rest.required));
  for (const branch of objects(allOf)) {
    Object.assign(properties, missingOf(properties, branch.properties));
    for (const name of strings(branch.required)) required.add(name);
  }
  for (const group of [objects(anyOf), objects(oneOf)]) {
    for (const branch of group) Object.assign(properties, missingOf(properties, branch.properties));
    const [first, ...others] = group.map((branch) => strings(branch.required));
    for (const name of first ?? []) if (others.every((names) => names.includes(name))) required.add(name);
  }
  const merged: JsonSchema = { ...rest, type: "object", properties };
  if (required.size > 0) merged.required = [...required];
  return merged;
}

function missingOf(known: JsonObject, more: JsonValue | undefined): JsonObject {
  if (!isObject(more)) return {};
  return Object.fromEntries(Object.entries(more).filter(([name]) => known[name] === undefined));
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Keywords that constrained output cannot follow (messages.md 7). */
const unsupported: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "patternProperties",
  "not",
  "if",
  "then",
  "else",
]);
const formats: ReadonlySet<string> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** Whether every object is closed and no keyword is outside the subset, so that `strict` is accepted. */
export function isClosedSchema(value: JsonValue | undefined): boolean {
  return fitSchema(value).changes === 0;
}

interface Fitted {
  schema: JsonValue | undefined;
  changes: number;
}

/** The nearest schema that constrained output takes, on a copy; what had to go is told once. */
export function outputSchema(schema: JsonSchema, field: string, report: Report): JsonSchema {
  const fitted = fitSchema(schema);
  if (fitted.changes === 0 || !isObject(fitted.schema)) return schema;
  report.approximated(
    field,
    "Parts of the schema that the model cannot be held to were closed, rewritten or moved into descriptions.",
  );
  return fitted.schema;
}

function fitSchema(value: JsonValue | undefined): Fitted {
  if (!isObject(value)) return { schema: value, changes: 0 };
  const schema: JsonObject = {};
  const told: string[] = [];
  let changes = 0;
  const child = (nested: JsonValue | undefined): JsonValue | undefined => {
    const fitted = fitSchema(nested);
    changes += fitted.changes;
    return fitted.schema;
  };
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (isLoose(key, item)) {
      told.push(`${key}: ${JSON.stringify(item)}`);
      changes += 1;
    } else if (key === "$schema") {
      changes += 1;
    } else if (key === "oneOf" && Array.isArray(item)) {
      changes += 1;
      schema.anyOf = item.map((branch) => child(branch) ?? null);
    } else if ((key === "anyOf" || key === "allOf") && Array.isArray(item)) {
      schema[key] = item.map((branch) => child(branch) ?? null);
    } else if ((key === "properties" || key === "$defs" || key === "definitions") && isObject(item)) {
      schema[key] = Object.fromEntries(Object.entries(item).map(([name, nested]) => [name, child(nested)]));
    } else if (key === "items") {
      schema[key] = child(item);
    } else {
      schema[key] = item;
    }
  }
  const isObjectType = value.type === "object" || isObject(value.properties);
  if (isObjectType && value.additionalProperties !== false) {
    schema.additionalProperties = false;
    changes += 1;
  }
  if (told.length > 0) {
    const description = typeof schema.description === "string" ? `${schema.description} ` : "";
    schema.description = `${description}(${told.join(", ")})`;
  }
  return { schema, changes };
}

function isLoose(key: string, item: JsonValue): boolean {
  if (unsupported.has(key)) return true;
  if (key === "minItems") return item !== 0 && item !== 1;
  return key === "format" && typeof item === "string" && !formats.has(item);
}
