import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parametersSchema } from "../testing/arbitraries.ts";
import { fromOpenApiSchema, isStrictSchema } from "./json-schema.ts";

describe("schemas of Gemini clients", () => {
  test("types in capitals, nullable and counters as text become ordinary JSON Schema, at every depth", () => {
    expect(
      fromOpenApiSchema({
        type: "OBJECT",
        properties: {
          type: { type: "STRING", nullable: true, enum: ["a"] },
          list: { type: "ARRAY", minItems: "1", items: { type: "INTEGER", format: "int32" } },
          any: { anyOf: [{ type: "NUMBER" }], nullable: true },
        },
        propertyOrdering: ["type"],
        required: ["type"],
      }),
    ).toEqual({
      type: "object",
      properties: {
        type: { type: ["string", "null"], enum: ["a", null] },
        list: { type: "array", minItems: 1, items: { type: "integer", format: "int32" } },
        any: { anyOf: [{ type: "number" }, { type: "null" }] },
      },
      required: ["type"],
    });
  });

  test("values that only look like schemas stay", () => {
    const schema = { type: "object", enum: [{ type: "STRING" }], default: { nullable: true }, const: "OBJECT" };
    expect(fromOpenApiSchema(schema)).toEqual(schema);
  });

  test("an ordinary schema comes out the same, and a second pass changes nothing", () => {
    fc.assert(
      fc.property(parametersSchema(), (schema) => {
        expect(fromOpenApiSchema(schema)).toEqual(schema);
      }),
    );
    const once = fromOpenApiSchema({ type: "STRING", nullable: true });
    expect(fromOpenApiSchema(once)).toEqual(once);
  });
});

describe("J5 strict mode", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };

  test("takes closed objects with all properties required", () => {
    expect(isStrictSchema(closed)).toBe(true);
    expect(isStrictSchema({ ...closed, properties: { a: { type: ["string", "null"], anyOf: undefined } } })).toBe(true);
    expect(isStrictSchema({ ...closed, $defs: { b: closed }, properties: { a: { $ref: "#/$defs/b" } } })).toBe(true);
    expect(isStrictSchema({ ...closed, properties: { a: { type: "string", pattern: "^(?:a|(?<n>b))$" } } })).toBe(true);
  });

  test.each([
    ["an open object", { ...closed, additionalProperties: undefined }],
    ["an optional property", { ...closed, required: [] }],
    ["an open object within", { ...closed, properties: { a: { type: "array", items: { type: "object" } } } }],
    ["an open definition", { ...closed, $defs: { b: { type: "object" } } }],
    ["a keyword outside the subset", { ...closed, properties: { a: { oneOf: [{ type: "string" }] } } }],
    ["a choice at the top", { ...closed, anyOf: [closed] }],
    ["no object at the top", { type: "array", items: closed }],
    ["a pattern that looks ahead", { ...closed, properties: { a: { type: "string", pattern: "^(?!x)" } } }],
    ["a pattern that looks behind", { ...closed, properties: { a: { type: "string", pattern: "(?<=x)y" } } }],
    ["a schema that is true", { ...closed, properties: { a: true } }],
  ])("does not take %s", (_what, schema) => {
    expect(isStrictSchema(schema)).toBe(false);
  });
});
