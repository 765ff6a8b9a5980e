/**
 * What became of a field that the other side cannot carry as it is (conversion.md section 0).
 * `emulated`: the same observable result by other means. `approximated`: the nearest lawful value.
 * `dropped`: left out.
 */
export type Verdict = "emulated" | "approximated" | "dropped";

/** One loss, never silent: it goes into the answer's header and the call record. */
export interface Notice {
  /** The client's own field path, for example `logit_bias` or `tools[3].strict`. */
  field: string;
  verdict: Verdict;
  /** One plain sentence for a person: what happened and why. */
  detail: string;
}
