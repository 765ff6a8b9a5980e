import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { heldElsewhere, notHeld } from "./held-elsewhere.ts";

const root = resolve(import.meta.dirname, "../../../..");
const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
const rules = [...numbered("S", 40), "3.3", "1.5.6", "1.5.7", "1.5.8", "2.4", ...numbered("L", 35)];

/** The rules that names of tests in this folder begin with, one for each name. */
function named(): string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".test.ts") && file !== "coverage.test.ts")
    .flatMap((file) => [
      ...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(
        /["`](S\d+|L\d+|\d\.\d(?:\.\d)?)(?: law \d)?: /g,
      ),
    ])
    .map(([, rule = ""]) => rule);
}

test("every trap, table and law is a named test here or held elsewhere, and no other is named", () => {
  const here = new Set(named());
  const elsewhere = new Set(heldElsewhere.map(({ rule }) => rule));
  expect(rules.filter((rule) => !here.has(rule) && !elsewhere.has(rule))).toEqual([]);
  expect([...here, ...elsewhere, ...notHeld.map(({ rule }) => rule)].filter((rule) => !rules.includes(rule))).toEqual(
    [],
  );
  const both = rules.filter((rule) => here.has(rule) && elsewhere.has(rule)).length;
  const parts = notHeld.map(({ rule, part }) => `${rule} ${part}`).join("; ");
  console.info(
    `traps, tables and laws: ${rules.length}; ${here.size} by ${named().length} names of tests here, ${elsewhere.size} elsewhere (${both} in both places); parts that nothing holds: ${notHeld.length} (${parts})`,
  );
});

test.each(heldElsewhere.flatMap(({ rule, by }) => by.map((place) => ({ rule, ...place }))))(
  "the test that holds $rule is there: $test",
  ({ file, test: name }) => {
    const source = readFileSync(join(root, file), "utf8");
    expect(source.includes(`"${name}"`) || source.includes(`\`${name}`)).toBe(true);
  },
);

test.each(notHeld)("what is not held of $rule has a reason: $part", ({ reason }) => {
  expect(reason.length).toBeGreaterThan(20);
});
