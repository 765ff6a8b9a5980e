import { expect, test } from "vitest";
import { activeFilters, inputTokens, queryOf } from "./call-search.ts";

const now = 1_800_000_000_000;

test("the address becomes the API's question, with times counted back from now", () => {
  expect(queryOf({}, now)).toEqual({ from: now - 604_800_000 });
  expect(queryOf({ range: "all", failed: true, losses: true, model: "m", status: "4xx", live: true }, now)).toEqual({
    failed: "true",
    losses: "true",
    model: "m",
    status: "4xx",
  });
  expect(queryOf({ range: "custom", from: "5", to: "nothing" }, now)).toEqual({ from: 5 });
  // The API refuses fewer characters.
  expect(queryOf({ range: "all", id: "ca" }, now)).toEqual({});
});

test("ranges and the place in the list are no filters", () => {
  expect(activeFilters({ range: "1h", at: "cursor", live: true, stream: "false", failed: true })).toEqual([
    ["failed", "true"],
    ["stream", "false"],
  ]);
});

test("1.4 input that nobody told is not 0", () => {
  expect(inputTokens({ usage: null })).toBeUndefined();
  expect(inputTokens({ usage: { estimated: false, output_total: 3 } })).toBeUndefined();
  expect(inputTokens({ usage: { estimated: false, input_uncached: 0 } })).toBe(0);
  expect(inputTokens({ usage: { estimated: false, input_uncached: 2, input_cache_read: 3 } })).toBe(5);
});
