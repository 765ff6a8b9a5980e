/** What calls tell of a channel or a model. */
export interface Sample {
  /** Good answers and faults of the upstream; what callers are to blame for, or left, tells nothing. */
  attempts: number;
  faults: number;
  /** Good streaming answers that let wait longer than `slowFirstTokenMs` for their first token. */
  slow: number;
}

/** What was measured; `unknown`: nothing was. */
export type MeasuredState = "operational" | "degraded" | "down" | "unknown";

/** What is shown of a channel or a model. */
export type ShownState = MeasuredState | "under_observation" | "disabled";

/** A first token later than this is slow, milliseconds. The longest wait that a bucket of first tokens but the last counts. */
export const slowFirstTokenMs = 25_600;

/** How calls become a state. Documented in docs/status.md. */
export const thresholds = {
  /** With fewer attempts nothing is ever called down. */
  enough: 5,
  /** One fault says nothing. */
  leastFaults: 2,
  /** From this share of faults on. */
  down: 0.5,
  degraded: 0.1,
  /** From this share of slow answers on. */
  slow: 0.3,
  /** With fewer attempts in a day only its state is told, and no percentage: it would tell the number of calls. */
  fewADay: 20,
} as const;

/** The state that a sample tells. Few attempts never say `down`, and a single fault says nothing. */
export function stateOf({ attempts, faults, slow }: Sample): MeasuredState {
  if (attempts === 0) return "unknown";
  if (faults >= thresholds.leastFaults) {
    const share = faults / attempts;
    if (share >= thresholds.down) return attempts >= thresholds.enough ? "down" : "degraded";
    if (share >= thresholds.degraded) return "degraded";
  }
  const slowShare = slow / attempts;
  return slow >= thresholds.leastFaults && slowShare >= thresholds.slow ? "degraded" : "operational";
}

/** What is shown where the operator has set something: trouble that was measured goes before the wish to observe. */
export function shownState(
  setting: "operational" | "under_observation" | "disabled",
  measured: MeasuredState,
): ShownState {
  if (setting === "disabled") return "disabled";
  if (setting === "operational" || measured === "degraded" || measured === "down") return measured;
  return "under_observation";
}

/**
 * The percentage of attempts that were no fault, cut to a tenth so that it never reads 100 where one was; null where there
 * were so few that it would tell their number.
 */
export function availabilityOf({ attempts, faults }: Sample, few: number = thresholds.fewADay): number | null {
  if (attempts < few || attempts === 0) return null;
  return Math.floor(((attempts - faults) * 1000) / attempts) / 10;
}

/** The sum of samples. */
export function addSamples(samples: Iterable<Sample>): Sample {
  const sum = { attempts: 0, faults: 0, slow: 0 };
  for (const { attempts, faults, slow } of samples) {
    sum.attempts += attempts;
    sum.faults += faults;
    sum.slow += slow;
  }
  return sum;
}

/** How the whole service does, by its models: what callers feel. */
export function overallState(states: readonly ShownState[]): MeasuredState | "partly_down" {
  const measured = states.filter((state) => state !== "unknown" && state !== "disabled");
  if (measured.length === 0) return "unknown";
  const down = measured.filter((state) => state === "down").length;
  if (down === measured.length) return "down";
  if (down > 0) return "partly_down";
  return measured.includes("degraded") ? "degraded" : "operational";
}
