import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ruleGroups } from "./index.ts";
import { counts, withTables } from "./page.ts";

/** The rules of the catalogue: 18 about the conversation, 20 about tools, and so on. */
const catalogue = { H: 18, T: 20, P: 22, J: 6, E: 8, M: 10, R: 8 };

afterAll(() => console.info(counts(ruleGroups)));

test("every rule of the catalogue is in the table", () => {
  const known = new Set(ruleGroups.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const wanted = Object.entries(catalogue).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  expect(wanted.filter((id) => !known.has(id))).toEqual([]);
});

test("no two rows say the same", () => {
  const said = ruleGroups.flatMap(({ rows }) => rows.map(({ id, says }) => `${id} ${says}`));
  expect(said.filter((one, index) => said.indexOf(one) !== index)).toEqual([]);
});

test("docs/conversion.md shows the table as it is", () => {
  const file = resolve(import.meta.dirname, "../../../../docs/conversion.md");
  const page = withTables(readFileSync(file, "utf8"), ruleGroups);
  if (process.env.UPDATE_DOCS === "1") writeFileSync(file, page);
  expect(readFileSync(file, "utf8"), "run `npm run docs` to write it anew").toBe(page);
});
