import { resultRows } from "./h-results.ts";
import { systemRows } from "./h-system.ts";
import { turnRows } from "./h-turns.ts";
import type { RuleGroup } from "./rule.ts";

/** All rules, in the order of the page. */
export const ruleGroups: readonly RuleGroup[] = [
  { title: "The conversation", rows: [...systemRows, ...resultRows, ...turnRows] },
];
