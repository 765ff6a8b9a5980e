import { describe, expect, it } from "vitest";
import type { Turn } from "../canonical/index.ts";
import { body, fields, messages } from "../testing/chat-completions-request-fixture.ts";

describe("structured output", () => {
  const loose = { type: "object", properties: { a: { type: "string" } } };
  it("J4 J5 a name is there and strict only where the schema is strict", () => {
    const format = { type: "schema", schema: loose, strict: true } as const;
    expect(body({ format }).response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "response", schema: loose, strict: false },
    });
    expect(fields({ format })).toEqual([["response_format.json_schema.strict", "approximated"]]);
  });

  it("J1 JSON mode gets the word that the vendor wants, and only then", () => {
    expect(messages({ format: { type: "json" } })[0]).toMatchObject({ role: "system" });
    const asked: Turn = { role: "user", parts: [{ type: "text", text: "As json." }] };
    expect(messages({ format: { type: "json" }, turns: [asked] })).toHaveLength(1);
    expect(messages({ format: { type: "json" } }, "deepseek-chat")).toHaveLength(1);
  });
});
