import { describe, expect, test } from "vitest";
import { ruleGroups } from "./index.ts";
import { cellsOf, faults } from "./walk.ts";

/**
 * Every rule of conversion on every pair of different protocols: what the upstream is sent, what the client gets, and what
 * is told of it. Where the verdict of a cell is another than what happens, its test fails; docs/conversion.md is written
 * from the same table.
 */
for (const { title, rows } of ruleGroups) {
  describe(title, () => {
    for (const row of rows) {
      describe(`${row.id} ${row.says}`, () => {
        for (const cell of cellsOf(row)) {
          test(`${cell.path} ${cell.outcome.verdict}`, () => expect(faults(cell)).toEqual([]));
        }
      });
    }
  });
}
