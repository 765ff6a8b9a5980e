/** A call cannot use more than any model takes: a counter that an upstream tells wrong must not lock a key for days. */
const mostTokens = 10_000_000;

/**
 * Tokens to set aside for a call. One that is estimated above a whole limit may run when nothing else of it is used.
 * `limits`: tokens a minute, of key and account; undefined where there is none.
 */
export function reserveFor(estimate: number, limits: readonly (number | undefined)[]): number {
  const bounds = limits.filter((limit) => limit !== undefined);
  return Math.min(Math.max(0, Math.ceil(estimate)), mostTokens, ...bounds);
}

/** What an ended call is charged, in whole tokens. */
export function chargeFor(used: number): number {
  return Math.min(mostTokens, Math.max(0, Math.ceil(used)));
}
