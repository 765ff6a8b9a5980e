import { BoundedMap } from "../accounts/bounded-map.ts";
import { createMeter, drain, fill, type Meter, waitFor } from "../coordination/meter.ts";

/** Requests a minute of one user, or of one address without a session. */
const perMinute = { read: 600, write: 120 };

const maxWatched = 10_000;

/** Bounds what one user asks of the console, so that a page gone wild does not take the database from the calls. */
export interface RequestMeter {
  /** Takes one request, or says how many whole seconds there are to wait. */
  take(who: string, kind: keyof typeof perMinute): number | undefined;
}

export function createRequestMeter(monotonic: () => number): RequestMeter {
  const meters = new BoundedMap<string, Meter>(maxWatched);
  return {
    take(who, kind) {
      const now = monotonic();
      const key = `${kind} ${who}`;
      const meter = meters.get(key) ?? createMeter(now);
      meters.set(key, meter);
      drain(meter, perMinute[kind], now);
      const wait = waitFor(meter, perMinute[kind], 1);
      if (wait > 0) return Math.ceil(wait / 1000);
      fill(meter, 1);
      return undefined;
    },
  };
}
