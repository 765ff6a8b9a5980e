import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { parametersSchema } from "../testing/arbitraries.ts";
import { toGeminiSchema } from "./schema.ts";

const allowed = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "propertyOrdering",
  "minProperties",
  "maxProperties",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "anyOf",
  "default",
  "example",
]);

function rewrite(schema: JsonObject): { schema: JsonObject; notices: number } {
  const report = new Report();
  return { schema: toGeminiSchema(schema, "tools[0]", report), notices: report.notices.length };
}

/** Throws for what the server answers with 400 (generate-content.md 6). */
function check(value: JsonValue | undefined): void {
  if (!isObject(value)) throw new Error("a node is no object");
  for (const key of Object.keys(value)) if (!allowed.has(key)) throw new Error(`Unknown name ${key}`);
  if (value.anyOf !== undefined && value.type !== undefined) throw new Error("anyOf beside type");
  if (value.anyOf === undefined && typeof value.type !== "string") throw new Error("no type");
  if (value.type === "ARRAY" && value.items === undefined) throw new Error("no items");
  if (value.items !== undefined) check(value.items);
  if (Array.isArray(value.anyOf)) for (const branch of value.anyOf) check(branch);
  const properties = isObject(value.properties) ? value.properties : {};
  for (const property of Object.values(properties)) check(property);
  if (Array.isArray(value.required)) {
    for (const name of value.required)
      if (!Object.hasOwn(properties, String(name))) throw new Error(`required ${String(name)}`);
  }
  if (value.enum !== undefined && (value.type !== "STRING" || !Array.isArray(value.enum) || value.enum.includes("")))
    throw new Error("enum");
  if (value.type === "STRING" && value.format !== undefined && value.format !== "enum" && value.format !== "date-time")
    throw new Error("format");
}

/** Any JSON, without `-0`, which its text cannot carry. */
const anyJson = () => fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value)));

const keywords = [
  "type",
  "properties",
  "required",
  "items",
  "anyOf",
  "oneOf",
  "allOf",
  "const",
  "enum",
  "$ref",
  "format",
  "nullable",
  "not",
  "additionalProperties",
  "prefixItems",
  "minimum",
  "exclusiveMinimum",
  "$defs",
  "description",
  "default",
  "title",
];
const wild = fc.letrec<{ node: JsonObject }>((tie) => ({
  node: fc.dictionary(
    fc.constantFrom(...keywords),
    fc.oneof(
      { maxDepth: 3 },
      anyJson(),
      fc.constantFrom<JsonValue>(
        "object",
        "array",
        "string",
        "integer",
        ["string", "null"],
        ["integer", "string"],
        "#",
        "#/$defs/a",
        "#/properties/a",
        "null",
        3,
      ),
      tie("node"),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("node"), { noNullPrototype: true }),
    ),
    { maxKeys: 5, noNullPrototype: true },
  ),
})).node;

describe("L23 JSON Schema into the OpenAPI subset", () => {
  it("uses only what the server takes, whatever comes in, and ends", () => {
    fc.assert(
      fc.property(wild, (schema) => check(rewrite(schema).schema)),
      { numRuns: 300 },
    );
  });
  it("gives the same for its own output", () => {
    fc.assert(
      fc.property(fc.oneof(wild, parametersSchema()), (schema) => {
        const once = rewrite(schema).schema;
        expect(rewrite(once).schema).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });
  it("loses nothing of an ordinary schema", () => {
    fc.assert(
      fc.property(parametersSchema(), (schema) => {
        expect(rewrite(schema).notices).toBe(0);
      }),
    );
  });

  it.each<[string, JsonObject, JsonObject, number]>([
    ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "integer" } } }, { type: "INTEGER" }, 0],
    [
      "a word beside a reference",
      { $ref: "#/$defs/a", description: "x", $defs: { a: { type: "integer", description: "y" } } },
      { type: "INTEGER", description: "x" },
      0,
    ],
    [
      "a cycle",
      { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { next: { $ref: "#/$defs/a" } } } } },
      { type: "OBJECT", properties: { next: { type: "OBJECT" } } },
      1,
    ],
    [
      "allOf",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "number" } }, required: ["b"] },
        ],
      },
      { type: "OBJECT", properties: { a: { type: "STRING" }, b: { type: "NUMBER" } }, required: ["a", "b"] },
      0,
    ],
    [
      "oneOf",
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      { anyOf: [{ type: "STRING" }, { type: "INTEGER" }] },
      0,
    ],
    ["const", { const: "a" }, { type: "STRING", enum: ["a"] }, 0],
    ["null or a type", { type: ["string", "null"] }, { type: "STRING", nullable: true }, 0],
    [
      "several types",
      { type: ["string", "integer"], description: "d" },
      { description: "d", anyOf: [{ type: "STRING" }, { type: "INTEGER" }] },
      0,
    ],
    [
      "anyOf with null",
      { anyOf: [{ type: "string" }, { type: "null" }], description: "d" },
      { type: "STRING", description: "d", nullable: true },
      0,
    ],
    ["an enum of numbers", { type: "integer", enum: [1, 2] }, { type: "INTEGER", description: "One of: 1, 2." }, 1],
    [
      "exclusive bounds",
      { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
      { type: "INTEGER", minimum: 1, maximum: 9 },
      0,
    ],
    ["an array of anything", { type: "array" }, { type: "ARRAY", items: { type: "STRING" } }, 0],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
      { type: "ARRAY", items: { anyOf: [{ type: "STRING" }, { type: "INTEGER" }] } },
      1,
    ],
    ["a format", { type: "string", format: "uri" }, { type: "STRING" }, 1],
    [
      "closed objects",
      { type: "object", properties: {}, additionalProperties: false },
      { type: "OBJECT", properties: {} },
      1,
    ],
    [
      "a required name that is missing",
      { type: "object", properties: { a: {} }, required: ["a", "b"] },
      { type: "OBJECT", properties: { a: { type: "STRING" } }, required: ["a"] },
      0,
    ],
    [
      "branches that only demand more",
      { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] },
      { type: "OBJECT", properties: { a: { type: "STRING" } } },
      1,
    ],
  ])("%s", (_name, schema, expected, notices) => {
    expect(rewrite(schema)).toEqual({ schema: expected, notices });
  });

  it("references that multiply come to an end", () => {
    const $defs: JsonObject = {};
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { type: "object", properties: { a: next, b: next } };
    }
    $defs.d30 = { type: "string" };
    expect(rewrite({ $ref: "#/$defs/d0", $defs }).notices).toBe(1);
  });
});
