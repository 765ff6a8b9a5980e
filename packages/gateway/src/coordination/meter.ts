/**
 * What one key has used of one limit: the generic cell rate algorithm as a level that drains. Whole numbers only, so that
 * it is exact to the millisecond: a use of 1 fills 60,000 units, and each millisecond drains as many units as the limit
 * allows uses in a minute. Empty, the whole limit may be used at once; from then on uses come back one by one.
 */
export interface Meter {
  level: number;
  /** Whole monotonic milliseconds at which `level` was right. */
  at: number;
}

/** How a limit stands, as it is told to the caller. */
export interface LimitState {
  /** Uses a minute. */
  limit: number;
  /** Uses that are left now. */
  remaining: number;
  /** Whole milliseconds until nothing is used any more. */
  resetMs: number;
}

/** Units of one use; also the milliseconds of a minute, which makes the drain of a millisecond the limit itself. */
export const unit = 60_000;

export function createMeter(now: number): Meter {
  return { level: 0, at: Math.floor(now) };
}

/** Lets the time since the last look drain. A limit that was changed meanwhile counts for all of it. */
export function drain(meter: Meter, perMinute: number, now: number): void {
  const at = Math.floor(now);
  if (at <= meter.at) return;
  meter.level = Math.max(0, meter.level - (at - meter.at) * perMinute);
  meter.at = at;
}

/**
 * Milliseconds until `uses` more fit beside `held` ones, which do not drain: 0 when they fit now. What never fits as long
 * as so much is held is answered by the time in which all else drains. Of a drained meter.
 */
export function waitFor(meter: Meter, perMinute: number, uses: number, held = 0): number {
  const over = meter.level + (held + uses - perMinute) * unit;
  return over <= 0 ? 0 : Math.max(1, Math.ceil(Math.min(over, meter.level) / perMinute));
}

/** Uses that much. It may go beyond the limit: the debt then drains first. */
export function fill(meter: Meter, uses: number): void {
  meter.level += uses * unit;
}

/** How a drained meter stands. */
export function stateOf(meter: Pick<Meter, "level">, perMinute: number, held = 0): LimitState {
  const used = held + Math.ceil(meter.level / unit);
  return {
    limit: perMinute,
    remaining: Math.max(0, perMinute - used),
    resetMs: Math.ceil((meter.level + held * unit) / perMinute),
  };
}

/** Of two limits on the same the one of which less is left; where that is equal, the one that takes longer. */
export function tighter(one: LimitState, other: LimitState | undefined): LimitState {
  if (!other) return one;
  if (one.remaining !== other.remaining) return one.remaining < other.remaining ? one : other;
  return one.resetMs >= other.resetMs ? one : other;
}
