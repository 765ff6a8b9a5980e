import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMoney, checkedMoney, formatDollars, maxMoney, parseDollars } from "./money.ts";

describe("M9 amounts are read exactly or refused", () => {
  it.each([
    ["12.50", 12_500_000_000n],
    ["0.000000001", 1n],
    ["0", 0n],
    ["-0", 0n],
    ["-3.1", -3_100_000_000n],
    ["$12", 12_000_000_000n],
    ["-$0.000000001", -1n],
    ["9007199.254740993", 9_007_199_254_740_993n],
    ["9000000000", maxMoney],
    ["-9000000000.000000000", -maxMoney],
  ])("%s", (text, nano) => {
    expect(parseDollars(text)).toBe(nano);
  });

  it.each([
    "",
    " 1",
    "1 ",
    "1e3",
    "1e400",
    ".5",
    "5.",
    "+1",
    "--1",
    "1,5",
    "1_000",
    "01",
    "0x10",
    "NaN",
    "Infinity",
    "$",
    "$-1",
    "１",
    "1\n",
    "0.0000000001",
  ])("%j is refused as a text", (text) => {
    expect(() => parseDollars(text)).toThrow(expect.objectContaining({ name: "MoneyError", kind: "text" }));
  });

  it.each([
    "9000000000.000000001",
    "-9000000000.000000001",
    "9223372036.854775807",
    "9223372036854775807",
    "18446744073686646784",
    "1".repeat(100_000),
  ])("%j is refused as too large", (text) => {
    expect(() => parseDollars(text)).toThrow(expect.objectContaining({ name: "MoneyError", kind: "range" }));
  });

  it("a message shows what was given, cut", () => {
    expect(() => parseDollars("1e3")).toThrow('"1e3" is not an amount in dollars: write it as 12.50');
    expect(() => parseDollars("x".repeat(1000))).toThrow(/^"x{40}…" is not/);
  });
});

describe("amounts are printed exactly", () => {
  it.each([
    [0n, "$0.00"],
    [1n, "$0.000000001"],
    [-1n, "-$0.000000001"],
    [12_500_000_000n, "$12.50"],
    [12_000_000_000n, "$12.00"],
    [12_345_000_000n, "$12.345"],
    [9_223_372_036_854_775_807n, "$9223372036.854775807"],
  ])("%s", (nano, text) => {
    expect(formatDollars(nano)).toBe(text);
  });

  it("what is printed is read back", () => {
    fc.assert(
      fc.property(fc.bigInt(-maxMoney, maxMoney), (nano) => {
        expect(parseDollars(formatDollars(nano))).toBe(nano);
      }),
    );
  });
});

describe("M9 sums stay within what a column holds", () => {
  it("the bound itself is allowed, one more is not", () => {
    expect(checkedMoney(maxMoney)).toBe(maxMoney);
    expect(checkedMoney(-maxMoney)).toBe(-maxMoney);
    expect(addMoney(maxMoney - 1n, 1n)).toBe(maxMoney);
    for (const over of [() => checkedMoney(maxMoney + 1n), () => checkedMoney(-maxMoney - 1n)]) {
      expect(over).toThrow(expect.objectContaining({ kind: "range" }));
    }
    expect(() => addMoney(maxMoney, 1n)).toThrow(expect.objectContaining({ kind: "range" }));
    // Each is refused although the sum would fit.
    expect(() => addMoney(maxMoney + 1n, -1n)).toThrow(expect.objectContaining({ kind: "range" }));
  });
});
