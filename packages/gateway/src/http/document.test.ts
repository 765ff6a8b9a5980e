import { ProtocolError } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { parseDocument } from "./document.ts";

const limits = { jsonDepth: 64, jsonValues: 1000 };
const parse = (text: string | Buffer) => parseDocument(Buffer.from(text), limits);

function refusal(text: string | Buffer) {
  try {
    parse(text);
  } catch (cause) {
    if (cause instanceof ProtocolError) return cause.error;
    throw cause;
  }
  return undefined;
}

describe("a broken body is a 400 that says where", () => {
  it.each([
    ["", "empty"],
    ['{"a":', "not valid JSON"],
    ['{"a":1}}', "not valid JSON"],
    ["[]", "must be a JSON object"],
    ["null", "must be a JSON object"],
    ['"text"', "must be a JSON object"],
    ['{"a":1,"a":2}', "'a' stands twice"],
    ["[".repeat(70), "nested deeper"],
  ])("%s", (text, words) => {
    expect(refusal(text)).toMatchObject({ status: 400, code: "invalid_json", message: expect.stringContaining(words) });
  });

  it("bytes that are no UTF-8", () => {
    expect(refusal(Buffer.from([123, 34, 0xff, 34, 58, 49, 125]))?.message).toContain("UTF-8");
  });

  it("does not repeat the caller's text", () => {
    expect(refusal('{"secret-text" oops')?.message).not.toContain("secret-text");
  });
});

it("S11 __proto__ is a plain key", () => {
  const { value } = parse('{"__proto__":{"polluted":true},"a":1}');
  expect(Object.keys(value)).toEqual(["__proto__", "a"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect("polluted" in {}).toBe(false);
});

it.each(['{"x":1,"model":"gpt"}', '{"x":"äöü \u{1f600}","model":"modèle","y":"ü"}', '\ufeff{"model":"m"}'])(
  "gives the model's place in bytes: %s",
  (text) => {
    const { bytes, model, value } = parse(text);
    expect(bytes.toString("utf8", model?.start, model?.end)).toBe(JSON.stringify(value.model));
  },
);
