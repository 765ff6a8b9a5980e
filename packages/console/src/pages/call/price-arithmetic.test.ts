import { expect, test } from "vitest";
import { listAmount, sumsOf } from "./price-arithmetic.ts";

const input = { class: "input", quantity: 201, price: "1000000", amount: "201" };
const output = { class: "output", quantity: 5, price: "110000000", amount: "550" };

test("M9 tokens are counted by the million and uses one by one, without a number that is not exact", () => {
  expect(listAmount(input)).toBe(201n);
  expect(listAmount({ class: "request", quantity: 2, price: "9007199254740993", amount: "0" })).toBe(
    18014398509481986n,
  );
  expect(listAmount({ class: "input", quantity: 1, price: "500000", amount: "0" })).toBe(1n);
  expect(listAmount({ class: "input", quantity: 1, price: "499999", amount: "0" })).toBe(0n);
});

test("M9 the sum is that of the charged amounts, and a markup is seen as one", () => {
  expect(sumsOf([input, output])).toEqual({ list: 751n, charged: 751n, factor: undefined });
  const marked = [
    { ...input, amount: "20100" },
    { ...output, amount: "55000" },
  ];
  expect(sumsOf(marked)).toEqual({ list: 751n, charged: 75_100n, factor: 100 });
  const absorbed = { class: "overrun", quantity: 1, price: "0", amount: "-100" };
  expect(sumsOf([input, output, absorbed])).toEqual({ list: 751n, charged: 651n, factor: undefined });
});
