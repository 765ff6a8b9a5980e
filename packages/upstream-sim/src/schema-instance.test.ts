import { describe, expect, it } from "vitest";
import { schemaInstance } from "./schema-instance.ts";

describe("schema instances", () => {
  it.each([
    [
      "an object with every property",
      { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
      { a: "simulated", b: 1 },
    ],
    [
      "Gemini's upper-case types",
      { type: "OBJECT", properties: { n: { type: "NUMBER" }, ok: { type: "BOOLEAN" } } },
      { n: 1.5, ok: true },
    ],
    ["an array with its least count", { type: "array", minItems: 2, items: { type: "integer" } }, [1, 1]],
    ["an enum and a const", { type: "array", prefixItems: [{ enum: ["x", "y"] }, { const: 7 }] }, ["x", 7]],
    ["a nullable union", { anyOf: [{ type: "null" }, { type: "string" }] }, "simulated"],
    ["a type list with null", { type: ["null", "integer"] }, 1],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "boolean" } } }, true],
    ["bounds", { type: "integer", minimum: 10, multipleOf: 4 }, 12],
    ["a format", { type: "string", format: "date" }, "2026-01-01"],
    ["string lengths", { type: "string", minLength: 12, maxLength: 12 }, "simulated---"],
    [
      "allOf",
      { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }], type: "object" },
      { a: 1, b: 2 },
    ],
  ])("makes %s", (_name, schema, expected) => {
    expect(schemaInstance(schema)).toEqual(expected);
  });

  it("ends a schema that refers to itself", () => {
    const node = {
      type: "object",
      properties: { value: { type: "string" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
      required: ["value", "next"],
    };
    const made = schemaInstance({ $ref: "#/$defs/node", $defs: { node } });
    expect(JSON.stringify(made)).toContain('"next":null');
  });

  it("keeps a property called __proto__ an ordinary property", () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(JSON.stringify(schemaInstance(schema))).toBe('{"__proto__":"simulated"}');
  });
});
