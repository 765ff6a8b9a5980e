import { expect, test } from "vitest";
import { centsOf, thresholdsOf } from "./typed.ts";

test("an amount to pay is read to the cent, within its bounds", () => {
  const good = { "1": 100, "12.5": 1250, "12,50": 1250, "$ 99.99": 9999, "10000": 1_000_000, " 7 ": 700 };
  for (const [text, cents] of Object.entries(good)) expect(centsOf(text), text).toBe(cents);
  for (const text of ["", "0.99", "10000.01", "1.234", "-5", "1e3", "12.", "many"]) {
    expect(centsOf(text), text).toBeUndefined();
  }
});

test("thresholds are whole percents, each once, the lowest first", () => {
  expect(thresholdsOf("95, 50,80")).toEqual([50, 80, 95]);
  expect(thresholdsOf("50 % 80%")).toEqual([50, 80]);
  expect(thresholdsOf("60，90、100")).toEqual([60, 90, 100]);
  for (const text of ["", "0", "101", "50, 50", "1 2 3 4 5 6", "12.5", "half"]) {
    expect(thresholdsOf(text), text).toBeUndefined();
  }
});
