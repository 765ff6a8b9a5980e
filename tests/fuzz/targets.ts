import { bodyTargets } from "./body-targets.ts";
import { directTargets } from "./direct-targets.ts";
import { doorTargets } from "./front-door.ts";
import { streamTargets } from "./stream-targets.ts";
import type { Target } from "./target.ts";
import { turnTargets } from "./turn-targets.ts";

/** All that is tried, in the order in which it takes turns. */
export const targets: readonly Target[] = [
  ...streamTargets,
  ...directTargets,
  ...bodyTargets,
  ...turnTargets,
  ...doorTargets,
];
