import { z } from "zod";
import { type ConfigIssue, pathText } from "./config-error.ts";
import { configSchema } from "./schema.ts";
import { suggest } from "./suggest.ts";
import type { YamlSource } from "./yaml-source.ts";

/** What the schema found wrong, in the operator's words and with its place. Values are never quoted: they may be secret. */
export function explainIssues(found: readonly z.core.$ZodIssue[], source: YamlSource): ConfigIssue[] {
  return found.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [at(issue.path, issueMessage(issue), source)];
    const known = keysAt(issue.path);
    return issue.keys.map((key) => at([...issue.path, key], unknownKey(key, known), source));
  });
}

/** An issue with its place in the document. */
export function at(path: readonly PropertyKey[], message: string, source: YamlSource): ConfigIssue {
  return { path: pathText(path), message, ...source.locate(path) };
}

function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is missing";
  // Where the schema has no words of its own.
  if (issue.message.startsWith("Invalid input: expected object")) return "must be a mapping of settings";
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issue.message;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = suggest(key, known);
  if (near !== undefined) return `unknown setting, did you mean ${near}?`;
  return known.length > 0 ? `unknown setting, known here: ${known.join(", ")}` : "unknown setting";
}

/** The settings that the schema knows at a path of the document. */
function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = configSchema;
  for (const step of path) {
    const object = inner(schema);
    if (object instanceof z.ZodArray) schema = object.element;
    else if (object instanceof z.ZodObject) schema = object.shape[String(step)];
    else return [];
  }
  const object = inner(schema);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

/** Takes off what only wraps: defaults, optionals, transformations. */
function inner(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return inner(schema.unwrap());
  if (schema instanceof z.ZodPipe) return inner(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}
