import type { Failure } from "../failure.ts";
import { checkFields, type Path } from "../field-check.ts";
import { arrayOf, isObject, type Json, objectOf, objectsOf, textOf } from "../json.ts";
import { SCHEMA_FIELDS } from "./fields.ts";
import { GENERATE_CONTENT_WORDING, violation } from "./wording.ts";

/** Judges a schema of the OpenAPI subset and all schemas below it (generate-content.md 6). */
export function schemaFailure(schema: Json | undefined, path: Path): Failure | undefined {
  if (!isObject(schema)) return undefined;
  const failure = checkFields(schema, SCHEMA_FIELDS, path, GENERATE_CONTENT_WORDING) ?? ownFailure(schema, path);
  if (failure) return failure;
  const below: [Json | undefined, Path][] = [
    ...Object.entries(objectOf(schema.properties)).map(([name, inner]): [Json | undefined, Path] => [
      inner,
      [...path, "properties", name],
    ]),
    ...objectsOf(schema.anyOf).map((inner, index): [Json, Path] => [inner, [...path, "anyOf", index]]),
    [schema.items, [...path, "items"]],
  ];
  for (const [inner, at] of below) {
    const found = schemaFailure(inner, at);
    if (found) return found;
  }
  return undefined;
}

function ownFailure(schema: { [key: string]: Json | undefined }, path: Path): Failure | undefined {
  const type = textOf(schema.type).toUpperCase();
  if (type === "ARRAY" && schema.items === undefined) return violation([...path, "items"], "missing field.");
  const properties = objectOf(schema.properties);
  const undefinedAt = arrayOf(schema.required).findIndex((name) => !Object.hasOwn(properties, textOf(name)));
  if (undefinedAt !== -1) return violation([...path, "required", undefinedAt], "property is not defined");
  if (schema.enum !== undefined && type !== "STRING" && schema.format !== "enum") {
    return violation([...path, "enum"], "only allowed for STRING type");
  }
  const format = textOf(schema.format);
  if (type === "STRING" && format !== "" && format !== "enum" && format !== "date-time") {
    return violation([...path, "format"], "only 'enum' and 'date-time' are supported for STRING type");
  }
  return undefined;
}
