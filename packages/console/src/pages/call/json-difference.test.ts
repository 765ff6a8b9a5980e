import { expect, test } from "vitest";
import { differencesOf } from "./json-difference.ts";

test("two documents differ where a field is added, removed or changed, each named by its path", () => {
  const before = { model: "a", messages: [{ role: "user", content: "x" }, { role: "tool" }], top_k: 5, "odd name": 1 };
  const after = { model: "b", messages: [{ role: "user", content: ["x"] }], max_tokens: 9, "odd name": 1 };
  expect(differencesOf(before, after)).toEqual([
    { path: "model", kind: "changed", before: '"a"', after: '"b"' },
    { path: "messages[0].content", kind: "changed", before: '"x"', after: '["x"]' },
    { path: "messages[1]", kind: "removed", before: '{"role":"tool"}', after: undefined },
    { path: "top_k", kind: "removed", before: "5", after: undefined },
    { path: "max_tokens", kind: "added", before: undefined, after: "9" },
  ]);
  expect(differencesOf({ "odd name": 1 }, {})[0]?.path).toBe('["odd name"]');
  expect(differencesOf(before, structuredClone(before))).toEqual([]);
  expect(differencesOf({ a: null }, { a: {} })).toHaveLength(1);
});
