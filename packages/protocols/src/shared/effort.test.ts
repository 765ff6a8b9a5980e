import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Effort } from "../canonical/index.ts";
import { budgetOfEffort, effortOfBudget, nearestEffort } from "./effort.ts";

const ladder: Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

describe("L22", () => {
  test("effort to budget to effort is the identity", () => {
    for (const effort of ladder) expect(effortOfBudget(budgetOfEffort(effort))).toBe(effort);
  });

  test("both ways are monotone", () => {
    for (let at = 1; at < ladder.length; at += 1) {
      expect(budgetOfEffort(ladder[at] ?? "none")).toBeGreaterThan(budgetOfEffort(ladder[at - 1] ?? "none"));
    }
    fc.assert(
      fc.property(fc.nat(60_000), fc.nat(60_000), (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(ladder.indexOf(effortOfBudget(less))).toBeLessThanOrEqual(ladder.indexOf(effortOfBudget(more)));
      }),
    );
  });

  test.each([
    [1536, "minimal"],
    [1537, "low"],
    [5120, "low"],
    [12288, "medium"],
    [20480, "high"],
    [28672, "xhigh"],
    [28673, "max"],
    [0, "none"],
  ] as const)("a budget of %i is %s", (tokens, effort) => {
    expect(effortOfBudget(tokens)).toBe(effort);
  });

  test.each([
    ["xhigh", ["high", "max"], "max"],
    ["max", ["low", "high"], "high"],
    ["minimal", ["none", "low"], "low"],
    ["minimal", ["none", "high"], "high"],
    ["none", ["none", "low"], "none"],
    ["low", ["none"], "none"],
    ["none", ["minimal", "low"], "minimal"],
    ["medium", ["low", "medium"], "medium"],
    ["medium", [], "medium"],
  ] as const)(
    "the nearest to %s of %j is %s: ties go upward, and a wish to think is none only where there is nothing else",
    (effort, steps, expected) => {
      expect(nearestEffort(effort, steps)).toBe(expected);
    },
  );
});
