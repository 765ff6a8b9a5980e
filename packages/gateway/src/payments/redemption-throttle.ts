import { createFailureThrottle, type FailureThrottle } from "../accounts/failure-throttle.ts";

const hourMs = 3_600_000;

/** Slows down who guesses redemption codes: ten failures of an address in an hour. Ask before a code is looked up. */
export function createRedemptionThrottle(monotonic: () => number): FailureThrottle {
  return createFailureThrottle({ most: 10, windowMs: hourMs, monotonic });
}
