import fc from "fast-check";
import { expect, test } from "vitest";
import { minorAmount, showMinorAmount } from "./currency.ts";

test("M9 amounts of a currency are read exactly, in its own smallest unit", () => {
  expect(minorAmount("20", "usd")).toBe(2000);
  expect(minorAmount("0.1", "eur")).toBe(10);
  expect(minorAmount("20.55", "usd")).toBe(2055);
  expect(minorAmount("500", "jpy")).toBe(500);
  expect(minorAmount("1.234", "kwd")).toBe(1234);
  for (const [text, currency] of [
    ["0", "usd"],
    ["0.00", "usd"],
    ["-1", "usd"],
    ["1.005", "usd"],
    ["1.5", "jpy"],
    ["01", "usd"],
    ["1e3", "usd"],
    ["1,000", "usd"],
    ["", "usd"],
    ["NaN", "usd"],
    ["9999999999999", "usd"],
  ] as const) {
    expect(minorAmount(text, currency), `${text} ${currency}`).toBeUndefined();
  }
});

test("an amount that is shown is read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e14 - 1 }), fc.constantFrom("usd", "jpy", "bhd"), (amount, currency) => {
      fc.pre(currency === "usd" || amount < 1e12);
      const [text = ""] = showMinorAmount(amount, currency).split(" ");
      expect(minorAmount(text, currency)).toBe(amount);
    }),
  );
  expect(showMinorAmount(5, "usd")).toBe("0.05 USD");
});
