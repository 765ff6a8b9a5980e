import { resultRows } from "./h-results.ts";
import { systemRows } from "./h-system.ts";
import { turnRows } from "./h-turns.ts";
import { outputRows } from "./j-output.ts";
import type { RuleGroup } from "./rule.ts";
import { choiceRows } from "./t-choice.ts";
import { contentRows } from "./t-content.ts";
import { customRows } from "./t-custom.ts";
import { nameRows } from "./t-names.ts";
import { providerRows } from "./t-provider.ts";
import { schemaRows } from "./t-schemas.ts";

/** All rules, in the order of the page. */
export const ruleGroups: readonly RuleGroup[] = [
  { title: "The conversation", rows: [...systemRows, ...resultRows, ...turnRows] },
  { title: "Tools", rows: [...nameRows, ...customRows, ...providerRows, ...choiceRows, ...schemaRows, ...contentRows] },
  { title: "The form of the answer", rows: outputRows },
];
