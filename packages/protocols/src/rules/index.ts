import { reasoningAnswerRows } from "./e-answers.ts";
import { effortRows } from "./e-effort.ts";
import { reasoningHistoryRows } from "./e-history.ts";
import { offRows } from "./e-off.ts";
import { showRows } from "./e-show.ts";
import { endRows } from "./h-ends.ts";
import { resultRows } from "./h-results.ts";
import { systemRows } from "./h-system.ts";
import { turnRows } from "./h-turns.ts";
import { outputRows } from "./j-output.ts";
import { imageRows } from "./m-images.ts";
import { mediaRows } from "./m-media.ts";
import { cacheRows } from "./p-cache.ts";
import { callerRows } from "./p-caller.ts";
import { envelopeRows } from "./p-envelope.ts";
import { limitRows } from "./p-limits.ts";
import { logprobRows } from "./p-logprobs.ts";
import { samplingRows } from "./p-sampling.ts";
import { stopRows } from "./p-stop.ts";
import { stateRows } from "./r-state.ts";
import type { RuleGroup } from "./rule.ts";
import { choiceRows } from "./t-choice.ts";
import { contentRows } from "./t-content.ts";
import { customRows } from "./t-custom.ts";
import { groupedRows } from "./t-grouped.ts";
import { nameRows } from "./t-names.ts";
import { providerRows } from "./t-provider.ts";
import { schemaRows } from "./t-schemas.ts";
import { typedRows } from "./t-typed.ts";

/** All rules, in the order of the page. */
export const ruleGroups: readonly RuleGroup[] = [
  { title: "The conversation", rows: [...systemRows, ...resultRows, ...turnRows, ...endRows] },
  {
    title: "Tools",
    rows: [
      ...nameRows,
      ...customRows,
      ...groupedRows,
      ...providerRows,
      ...typedRows,
      ...choiceRows,
      ...schemaRows,
      ...contentRows,
    ],
  },
  {
    title: "Sampling, limits and the caller",
    rows: [...limitRows, ...samplingRows, ...stopRows, ...logprobRows, ...envelopeRows, ...callerRows, ...cacheRows],
  },
  { title: "The form of the answer", rows: outputRows },
  {
    title: "Reasoning",
    rows: [...effortRows, ...showRows, ...reasoningAnswerRows, ...reasoningHistoryRows, ...offRows],
  },
  { title: "Media", rows: [...imageRows, ...mediaRows] },
  { title: "State", rows: stateRows },
];
