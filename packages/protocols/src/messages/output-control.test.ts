import { describe, expect, test } from "vitest";
import { encode, told, tool } from "../testing/messages-request-fixture.ts";
import { system, text, user } from "../testing/turns-fixture.ts";

describe("structured output", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };

  test("J2, 139 a schema is output_config.format", () => {
    expect(encode({ format: { type: "schema", schema: closed, name: "x" } }).body.output_config).toEqual({
      format: { type: "json_schema", schema: closed },
    });
  });

  test("a loose schema is closed and what cannot be held moves into descriptions, with a notice", () => {
    const schema = { type: "object", properties: { n: { type: "integer", minimum: 3 } } };
    const encoded = encode({ format: { type: "schema", schema } });
    expect(encoded.body.output_config).toEqual({
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: { n: { type: "integer", description: "(minimum: 3)" } },
          additionalProperties: false,
        },
      },
    });
    expect(told(encoded)).toEqual(["approximated response_format"]);
    expect(schema).toEqual({ type: "object", properties: { n: { type: "integer", minimum: 3 } } });
  });

  test("J2 an old model answers through a hidden tool, or in words beside the caller's tools", () => {
    const format = { type: "schema", schema: closed } as const;
    const hidden = encode({ format }, "claude-sonnet-4-0");
    expect(hidden.body).toMatchObject({
      tools: [{ name: "structured_output", input_schema: closed }],
      tool_choice: { type: "tool", name: "structured_output" },
    });
    expect(hidden.plan.structuredOutputTool).toBe("structured_output");
    const words = encode({ format, tools: [tool] }, "claude-sonnet-4-0");
    expect(words.body).not.toHaveProperty("tool_choice");
    expect(words.plan.unfenceJson).toBe(true);
    expect(JSON.stringify(words.body.system)).toContain("JSON Schema");
  });

  test("J1 JSON without a schema is asked for in words at the end of the system text", () => {
    const encoded = encode({ format: { type: "json" }, turns: [system("A"), user(text("x"))] });
    expect(encoded.body.system).toMatchObject([
      { text: "A" },
      { text: "Answer with one JSON object and nothing else." },
    ]);
    expect(encoded.plan.unfenceJson).toBe(true);
    expect(told(encoded)).toEqual(["emulated response_format"]);
  });
});
