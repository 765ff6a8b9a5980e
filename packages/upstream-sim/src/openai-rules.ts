import { badRequest, type Failure } from "./failure.ts";
import { arrayOf, isObject, type Json, type JsonObject, objectOf, textOf } from "./json.ts";

const REFUSED_KEYWORDS = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
];

/**
 * Judges a schema by the strict-mode rules (chat-completions.md 6): closed objects, every property required,
 * no keyword that constrained decoding cannot follow.
 */
export function strictSchemaFailure(
  schema: Json | undefined,
  opening: string,
  param: string,
  code: string | null,
): Failure | undefined {
  if (schema === undefined || schema === null) return undefined;
  const refuse = (context: string[], text: string) =>
    badRequest(`${opening}: In context=(${context.map((step) => `'${step}'`).join(", ")}), ${text}`, {
      param,
      ...(code === null ? {} : { code }),
    });
  if (!isObject(schema) || (schema.type !== "object" && schema.$ref === undefined)) {
    return refuse([], `schema must be a JSON Schema of 'type: "object"', got 'type: "${typeLabel(schema)}"'.`);
  }
  return walk(schema, [], refuse);
}

function typeLabel(schema: Json): string {
  return textOf(objectOf(schema).type) || "None";
}

type Refuse = (context: string[], text: string) => Failure;

function walk(schema: Json | undefined, context: string[], refuse: Refuse): Failure | undefined {
  if (!isObject(schema)) return undefined;
  const refused = REFUSED_KEYWORDS.find((keyword) => schema[keyword] !== undefined);
  if (refused) return refuse(context, `'${refused}' is not permitted.`);
  if (schema.type === "object" || isObject(schema.properties)) {
    if (schema.additionalProperties !== false) {
      return refuse(context, "'additionalProperties' is required to be supplied and to be false.");
    }
    const required = arrayOf(schema.required);
    const missing = Object.keys(objectOf(schema.properties)).find((name) => !required.includes(name));
    if (missing !== undefined) {
      return refuse(
        context,
        `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      );
    }
  }
  return walkInside(schema, context, refuse);
}

function walkInside(schema: JsonObject, context: string[], refuse: Refuse): Failure | undefined {
  for (const holder of ["properties", "$defs", "definitions"]) {
    for (const [name, inner] of Object.entries(objectOf(schema[holder]))) {
      const failure = walk(inner, [...context, holder, name], refuse);
      if (failure) return failure;
    }
  }
  for (const [index, option] of arrayOf(schema.anyOf).entries()) {
    const failure = walk(option, [...context, "anyOf", String(index)], refuse);
    if (failure) return failure;
  }
  return walk(schema.items, [...context, "items"], refuse);
}

/** Judges `metadata`: at most 16 pairs of text, keys to 64 and values to 512 characters. */
export function metadataFailure(metadata: Json | undefined): Failure | undefined {
  const pairs = Object.entries(objectOf(metadata));
  if (pairs.length > 16) {
    return badRequest(
      `Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with ${pairs.length} properties instead.`,
      { param: "metadata", code: "object_above_max_properties" },
    );
  }
  for (const [key, value] of pairs) {
    if (typeof value !== "string") {
      return badRequest(`Invalid type for 'metadata.${key}': expected a string.`, {
        param: `metadata.${key}`,
        code: "invalid_type",
      });
    }
    if (key.length > 64 || value.length > 512) {
      return badRequest(`Invalid 'metadata.${key}': string too long.`, {
        param: `metadata.${key}`,
        code: "string_above_max_length",
      });
    }
  }
  return undefined;
}
