import { expect, it } from "vitest";
import { matchesModel } from "./model-pattern.ts";

it.each([
  ["a", "a", true],
  ["a", "ab", false],
  ["*", "anything", true],
  ["claude-*", "claude-x", true],
  ["claude-*", "claude", false],
  ["*-mini", "gpt-mini", true],
  ["*-mini", "gpt-mini-2", false],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "a-c", false],
  ["a*a", "a", false],
  ["a.c", "abc", false],
])("%s against %s", (pattern, model, expected) => {
  expect(matchesModel(pattern, model)).toBe(expected);
});

it("S12 is linear for adversarial patterns", () => {
  const started = performance.now();
  expect(matchesModel(`${"a*".repeat(50)}b`, "a".repeat(100_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(100);
});
