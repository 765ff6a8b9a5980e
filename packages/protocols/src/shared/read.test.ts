import { describe, expect, test } from "vitest";
import { ProtocolError } from "../canonical/index.ts";
import * as read from "./read.ts";

function refusal(work: () => unknown): { param: string | undefined; code: string | undefined } {
  try {
    work();
  } catch (cause) {
    if (cause instanceof ProtocolError) return { param: cause.error.param, code: cause.error.code };
    throw cause;
  }
  throw new Error("Nothing was refused.");
}

test("absent and null are the same: undefined", () => {
  for (const body of [{}, { a: null }]) {
    expect(read.readString(body, "a")).toBeUndefined();
    expect(read.readBoolean(body, "a")).toBeUndefined();
    expect(read.readNumber(body, "a")).toBeUndefined();
    expect(read.readArray(body, "a")).toBeUndefined();
    expect(read.readObject(body, "a")).toBeUndefined();
    expect(read.readEnum(body, "a", ["x"])).toBeUndefined();
  }
});

describe("bad input is refused by the field's whole path", () => {
  test.each([
    ["a string", () => read.readString({ role: 1 }, "role", "messages[0]"), "messages[0].role", "invalid_type"],
    ["true or false", () => read.readBoolean({ a: "true" }, "a"), "a", "invalid_type"],
    ["a number", () => read.readNumber({ a: "1" }, "a"), "a", "invalid_type"],
    ["a number that is none", () => read.readNumber({ a: Number.NaN }, "a"), "a", "invalid_type"],
    ["an integer", () => read.readNumber({ a: 1.5 }, "a", { integer: true }), "a", "invalid_type"],
    ["a smaller number", () => read.readNumber({ a: 3 }, "a", { max: 2 }), "a", "invalid_value"],
    ["a greater number", () => read.readNumber({ a: -1 }, "a", { min: 0 }), "a", "invalid_value"],
    ["an array", () => read.readArray({ a: {} }, "a", "b"), "b.a", "invalid_type"],
    ["an object", () => read.readObject({ a: [] }, "a"), "a", "invalid_type"],
    ["a known word", () => read.readEnum({ a: "z" }, "a", ["x", "y"]), "a", "invalid_value"],
    ["a required string", () => read.requireString({}, "a", "b[1]"), "b[1].a", "missing_required_parameter"],
    ["a required object", () => read.requireObject("x", "b[1]"), "b[1]", "invalid_type"],
  ])("%s", (_what, work, param, code) => {
    expect(refusal(work)).toEqual({ param, code });
  });
});

test("unknown fields are kept, null ones are absent, and __proto__ is a key like any other", () => {
  const body = JSON.parse('{"known":1,"other":2,"none":null,"__proto__":{"x":1}}');
  const rest = read.unknownFields(body, new Set(["known"]));
  expect(JSON.stringify(rest)).toBe('{"other":2,"__proto__":{"x":1}}');
  expect(read.unknownFields({ known: 1 }, new Set(["known"]))).toBeUndefined();
});

test("paths read as the client would write them", () => {
  expect(read.path(read.path("messages", 2), "role")).toBe("messages[2].role");
  expect(read.path("", "model")).toBe("model");
});
