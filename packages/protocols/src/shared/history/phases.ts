import type { Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/**
 * For protocols that do not tell commentary from the final answer (H18): one notice for the whole conversation, because
 * agents write a phase on every message.
 */
export function tellPhases(turns: readonly Turn[], report: Report): void {
  const first = turns.find((turn) => turn.phase !== undefined);
  if (!first) return;
  const field = first.at === undefined ? "phase" : `${first.at}.phase`;
  report.dropped(field, "The model's protocol does not tell commentary from the final answer.");
}
