import { systemRows } from "./h-system.ts";
import type { RuleGroup } from "./rule.ts";

/** All rules, in the order of the page. */
export const ruleGroups: readonly RuleGroup[] = [{ title: "The conversation", rows: [...systemRows] }];
