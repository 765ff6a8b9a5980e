import { expect, test } from "vitest";
import { Report } from "./report.ts";
import { argumentsObject, argumentsText } from "./tool-arguments.ts";

test.each([
  ["", {}],
  [" \n", {}],
  ['{"a":1}', { a: 1 }],
  ["[1]", { value: [1] }],
  ["null", { value: null }],
  ['"x"', { value: "x" }],
])("T14 %j becomes the object %j without a notice", (raw, expected) => {
  const report = new Report();
  expect(argumentsObject(raw, "f", report)).toEqual(expected);
  expect(report.notices).toEqual([]);
});

test("T14 text that is no JSON is kept as _raw, with a notice", () => {
  const report = new Report();
  expect(argumentsObject('{"a":', "messages[1].tool_calls[0]", report)).toEqual({ _raw: '{"a":' });
  expect(report.notices).toMatchObject([{ field: "messages[1].tool_calls[0]", verdict: "approximated" }]);
});

test.each([
  ['{"id":12345678901234567890}', 1],
  ['{"id":"12345678901234567890","size":0.12345678901234567}', 0],
  ['{"quoted":"\\"12345678901234567890"}', 0],
  ['{"id":9007199254740991}', 0],
])("T14 %s has %i numbers that cannot be sent whole", (raw, count) => {
  const report = new Report();
  argumentsObject(raw, "f", report);
  expect(report.notices).toHaveLength(count);
});

test("T14 a key called __proto__ stays a key", () => {
  expect(Object.keys(argumentsObject('{"__proto__":1}', "f", new Report()))).toEqual(["__proto__"]);
});

test("T14 objects are compact text, and none at all are {}", () => {
  expect(argumentsText({ a: [1, "x"] })).toBe('{"a":[1,"x"]}');
  expect(argumentsText({})).toBe("{}");
  expect(argumentsText(undefined)).toBe("{}");
});
