import { expect, test } from "vitest";
import { testPlatform } from "../testing/test-platform.ts";
import { createCodeDigests, createCodeText, readCodeText } from "./code-text.ts";

const platform = testPlatform();
const code = createCodeText(platform.randomBytes);

test("a code is one word of 130 drawn bits, and no two are the same", () => {
  expect(code).toMatch(/^ilr_[0-9a-hjkmnp-tv-z]{32}$/);
  expect(new Set(Array.from({ length: 1000 }, () => createCodeText(platform.randomBytes))).size).toBe(1000);
});

test("a code is read as people type it: capitals, spaces, hyphens, o for 0, i and l for 1", () => {
  expect(readCodeText(code)).toBe(code);
  expect(readCodeText(` ${code.toUpperCase()}\n`)).toBe(code);
  const [body = ""] = [code.slice(4)];
  expect(
    readCodeText(
      `ilr_${body
        .replaceAll("0", "O")
        .replaceAll("1", "l")
        .replace(/(.{8})/g, "$1-")}`,
    ),
  ).toBe(code);
});

test("a slip of the pen is found without asking the database", () => {
  for (let place = 4; place < code.length; place++) {
    const other = code[place] === "x" ? "y" : "x";
    expect(readCodeText(code.slice(0, place) + other + code.slice(place + 1))).toBeUndefined();
  }
  for (const text of ["", "ilr_", code.slice(0, -1), `${code}0`, code.replace("ilr_", "ilk_"), "x".repeat(101)]) {
    expect(readCodeText(text)).toBeUndefined();
  }
});

test("S1 what is stored depends on the installation's secret", () => {
  const bytesOf = (secret: string) => new TextEncoder().encode(secret);
  const digestBy = (secret: string) => createCodeDigests({ bytes: bytesOf(secret) })(code)[0];
  expect(digestBy("a")).toHaveLength(32);
  expect(digestBy("a")).toEqual(digestBy("a"));
  expect(digestBy("a")).not.toEqual(digestBy("b"));
  const rotated = createCodeDigests({ bytes: bytesOf("b"), former: [bytesOf("a")] });
  expect(rotated(code)).toEqual([digestBy("b"), digestBy("a")]);
});
