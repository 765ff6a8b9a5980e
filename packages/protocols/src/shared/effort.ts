import type { Effort } from "../canonical/index.ts";

/** All steps of effort, weakest first. */
export const ladder: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16384,
  xhigh: 24576,
  max: 32768,
};

/** A reasoning budget in tokens for an effort (conversion.md 2.2, column M). 0 means off. */
export function budgetOfEffort(effort: Effort): number {
  return budgets[effort];
}

/** The effort for a budget in tokens, by the midpoints of 2.2. 0 and less mean off: a caller that means "dynamic" by -1 asks first. */
export function effortOfBudget(tokens: number): Effort {
  if (tokens <= 0) return "none";
  if (tokens <= 1536) return "minimal";
  if (tokens <= 5120) return "low";
  if (tokens <= 12288) return "medium";
  if (tokens <= 20480) return "high";
  return tokens <= 28672 ? "xhigh" : "max";
}

/** The nearest step that exists; of two equally near the higher. Without any step the wish itself. */
export function nearestEffort(effort: Effort, steps: readonly Effort[]): Effort {
  const wish = ladder.indexOf(effort);
  let best: Effort | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const step of ladder) {
    if (!steps.includes(step)) continue;
    const distance = Math.abs(ladder.indexOf(step) - wish);
    if (distance > bestDistance) continue;
    best = step;
    bestDistance = distance;
  }
  return best ?? effort;
}
