import { badRequest, type Failure } from "../failure.ts";
import { arrayOf, isObject, type Json, objectOf, textOf } from "../json.ts";

const NUMBER_BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const STRING_BOUNDS = ["minLength", "maxLength"];

/** Judges the schema of a structured answer: the subset of messages.md 7. `path` is where it stands. */
export function outputSchemaFailure(schema: Json | undefined, path: string): Failure | undefined {
  if (!isObject(schema)) return undefined;
  if (schema.oneOf !== undefined) return badRequest(`${path}: Schema type 'oneOf' is not supported`);
  const type = textOf(schema.type);
  if (type === "object" && schema.additionalProperties !== false) {
    return badRequest(`${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  }
  const bounds = [...NUMBER_BOUNDS, ...STRING_BOUNDS].filter((keyword) => schema[keyword] !== undefined);
  if (bounds.length > 0) {
    return badRequest(`${path}: For '${type}' type, properties ${bounds.join(", ")} are not supported`);
  }
  if (typeof schema.minItems === "number" && schema.minItems > 1) {
    return badRequest(`${path}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`);
  }
  const inner: Json[] = [
    ...Object.values(objectOf(schema.properties)),
    ...Object.values(objectOf(schema.$defs)),
    ...arrayOf(schema.anyOf),
    ...arrayOf(schema.allOf),
    schema.items ?? null,
  ].filter((value) => value !== undefined);
  for (const entry of inner) {
    const failure = outputSchemaFailure(entry, path);
    if (failure) return failure;
  }
  return undefined;
}
