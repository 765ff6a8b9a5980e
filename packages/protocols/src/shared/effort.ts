import type { Effort, ReasoningControl } from "../canonical/index.ts";
import type { Report } from "./report.ts";

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

/**
 * The nearest step that exists; of two equally near the higher. A wish to think never becomes `none` where there is any
 * other step. Without any step the wish itself.
 */
export function nearestEffort(effort: Effort, steps: readonly Effort[]): Effort {
  const wish = ladder.indexOf(effort);
  let best: Effort | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const step of ladder) {
    if (!steps.includes(step)) continue;
    const distance = Math.abs(ladder.indexOf(step) - wish);
    // "none" gives way to whatever comes after it, however far.
    if (distance > bestDistance && (best !== "none" || effort === "none")) continue;
    best = step;
    bestDistance = distance;
  }
  return best ?? effort;
}

/** The effort that the caller wishes, be it by name or by a budget; undefined where it named none. */
function wishedEffort({ effort, budgetTokens }: ReasoningControl): Effort | undefined {
  return effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
}

/** Whether the caller does not want the model to think. */
export function wantsNoThinking(control: ReasoningControl): boolean {
  return wishedEffort(control) === "none" && !control.adaptive;
}

/** Whether the caller wants the model to think, and more or less hard. */
export function wantsThinking(control: ReasoningControl): boolean {
  const wish = wishedEffort(control);
  return control.adaptive === true || (wish !== undefined && wish !== "none");
}

/** Whether the caller wants to be shown what the model thinks: who wants it not to think has nothing to see. */
export function wantsSight(control: ReasoningControl): boolean {
  return control.show !== undefined && control.show !== "none" && !wantsNoThinking(control);
}

/** The word by which encoders tell of a wish about reasoning: its effort, its budget, or that it be shown. */
export function reasoningField({ effort, budgetTokens, adaptive }: ReasoningControl): string {
  if (effort !== undefined) return "reasoning_effort";
  return budgetTokens !== undefined || adaptive ? "thinking.budget_tokens" : "thinking.display";
}

/**
 * The caller's wish on the steps that a model has; undefined where it named none. Told once where it is another step, or
 * where a budget in tokens became a step.
 */
export function steppedEffort(control: ReasoningControl, steps: readonly Effort[], report: Report): Effort | undefined {
  const wish = wishedEffort(control);
  if (wish === undefined) return undefined;
  const step = nearestEffort(wish, steps);
  if (control.effort !== undefined || wish === "none") {
    if (step !== wish) {
      report.approximated(
        reasoningField(control),
        `The effort '${wish}' is sent as '${step}', the nearest that the model takes.`,
      );
    }
    return step;
  }
  report.approximated(
    reasoningField(control),
    `The model takes no budget of tokens; ${control.budgetTokens} is sent as the effort '${step}'.`,
  );
  return step;
}
