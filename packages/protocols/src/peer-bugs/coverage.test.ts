import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { notApplicable } from "./not-applicable.ts";

const root = resolve(import.meta.dirname, "../../../..");
const folders = ["packages/protocols/src/peer-bugs", "tests/peer-bugs"];

/** The numbers in the names of tests and of groups of tests, one for each name. */
function named(): number[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".test.ts") && file !== "coverage.test.ts")
      .flatMap((file) => [...readFileSync(join(root, folder, file), "utf8").matchAll(/\(\s*"peer bug (\d+)\b/g)])
      .map(([, number]) => Number(number)),
  );
}

test("every one of the 160 bugs of peers is a named test or has a reason why not, once", () => {
  const tested = named();
  const excused = notApplicable.map(({ bug }) => bug);
  expect([...tested, ...excused].sort((a, b) => a - b)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
  console.info(`peer bugs: ${tested.length} tested, ${excused.length} not applicable`);
});

test.each(notApplicable)("the test that holds bug $bug is there", ({ heldBy, reason }) => {
  expect(reason).not.toBe("");
  expect(readFileSync(join(root, heldBy.file), "utf8")).toContain(`"${heldBy.test}"`);
});
