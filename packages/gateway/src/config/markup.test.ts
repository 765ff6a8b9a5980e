import { expect, test } from "vitest";
import { readMarkup, showMarkup } from "./markup.ts";

test.each([
  ["10%", 1_100_000],
  ["+10%", 1_100_000],
  ["0%", 1_000_000],
  ["-2.5%", 975_000],
  ["-100%", 0],
  ["0.0001%", 1_000_001],
  ["7.1234%", 1_071_234],
  ["99900%", 1_000_000_000],
])("%s on top of the list price are %d parts per million of it, and are read back as shown", (text, ppm) => {
  expect(readMarkup(text)).toBe(ppm);
  expect(readMarkup(showMarkup(ppm))).toBe(ppm);
});

test.each(["", "10", "%", "10 %", "1e2%", "-100.1%", "99900.0001%", "1.00001%", ".5%", "NaN%"])(
  "%j is no markup",
  (text) => {
    expect(readMarkup(text)).toBeUndefined();
  },
);
