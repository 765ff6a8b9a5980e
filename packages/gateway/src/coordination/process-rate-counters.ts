import type { KeyLimits } from "../config/config.ts";
import { createMeter, drain, fill, type Meter, stateOf, waitFor } from "./meter.ts";
import type {
  CallAdmission,
  CallDemand,
  CallPermit,
  KeyState,
  LimitName,
  RateCounters,
  ReadAdmission,
} from "./rate-counters.ts";

/** What is counted of one key. */
interface KeyCounters {
  /** As the key's last request bore them. */
  limits: KeyLimits;
  running: number;
  /** Tokens set aside for running calls. They do not drain: nobody knows yet what becomes of them. */
  held: number;
  requests: Meter;
  tokens: Meter;
  reads: Meter;
}

/** Counters of this process, and what can be seen of them. */
export interface ProcessRateCounters extends RateCounters {
  admitCall(demand: CallDemand): CallAdmission;
  admitRead(demand: Pick<CallDemand, "keyId" | "limits">): ReadAdmission;
  /** Calls of a key that hold a place. */
  running(keyId: string): number;
  /** Keys that are kept in memory. */
  readonly size: number;
}

/** A call cannot use more than any model takes: a counter that an upstream tells wrong must not lock a key for days. */
const mostTokens = 10_000_000;

/** Keys without use are looked for when there are twice as many as after the last look, and this many. */
const sweepFrom = 1024;

/** When a place among the calls at once becomes free is not known. */
const placeRetryMs = 1000;

/** Exact counters for one process, which decides alone. Time is handed in. */
export function createProcessRateCounters(monotonic: () => number): ProcessRateCounters {
  const keys = new Map<string, KeyCounters>();
  let sweepAt = sweepFrom;

  const drainAll = (counters: KeyCounters, now: number) => {
    const { requestsPerMinute, tokensPerMinute } = counters.limits;
    drain(counters.requests, requestsPerMinute, now);
    drain(counters.tokens, tokensPerMinute, now);
    drain(counters.reads, requestsPerMinute, now);
  };

  /** Forgets the keys that a new one would equal. */
  const sweep = (now: number) => {
    for (const [id, counters] of keys) {
      drainAll(counters, now);
      const { requests, tokens, reads, running } = counters;
      if (running === 0 && requests.level + tokens.level + reads.level === 0) keys.delete(id);
    }
    sweepAt = Math.max(sweepFrom, keys.size * 2);
  };

  /** The counters of a key as they stand now, under its present limits. */
  const countersOf = (keyId: string, limits: KeyLimits): KeyCounters => {
    const now = monotonic();
    const known = keys.get(keyId);
    if (known) {
      known.limits = limits;
      drainAll(known, now);
      return known;
    }
    if (keys.size >= sweepAt) sweep(now);
    const fresh: KeyCounters = {
      limits,
      running: 0,
      held: 0,
      requests: createMeter(now),
      tokens: createMeter(now),
      reads: createMeter(now),
    };
    keys.set(keyId, fresh);
    return fresh;
  };

  const permitFor = (counters: KeyCounters, reserved: number): CallPermit => {
    let settled = false;
    return {
      reserved,
      settle(tokens) {
        if (settled) return;
        settled = true;
        counters.running -= 1;
        counters.held -= reserved;
        drain(counters.tokens, counters.limits.tokensPerMinute, monotonic());
        fill(counters.tokens, Math.min(mostTokens, Math.max(0, Math.ceil(tokens))));
      },
    };
  };

  return {
    admitCall({ keyId, limits, tokens }) {
      const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
      const counters = countersOf(keyId, limits);
      const state = (): KeyState => ({
        requests: stateOf(counters.requests, requestsPerMinute),
        tokens: stateOf(counters.tokens, tokensPerMinute, counters.held),
      });
      const refuse = (limit: LimitName, allowed: number, retryAfterMs: number): CallAdmission => ({
        ok: false,
        refused: { limit, allowed, retryAfterMs },
        state: state(),
      });
      if (counters.running >= concurrency) return refuse("concurrency", concurrency, placeRetryMs);
      const requestWait = waitFor(counters.requests, requestsPerMinute, 1);
      if (requestWait > 0) return refuse("requests", requestsPerMinute, requestWait);
      // A call that is estimated above the whole limit may run when nothing else is used.
      const reserve = Math.min(tokensPerMinute, Math.max(0, Math.ceil(tokens)));
      const tokenWait = waitFor(counters.tokens, tokensPerMinute, reserve, counters.held);
      if (tokenWait > 0) return refuse("tokens", tokensPerMinute, tokenWait);
      counters.running += 1;
      counters.held += reserve;
      fill(counters.requests, 1);
      return { ok: true, permit: permitFor(counters, reserve), state: state() };
    },

    admitRead({ keyId, limits }) {
      const { requestsPerMinute } = limits;
      const { reads } = countersOf(keyId, limits);
      const wait = waitFor(reads, requestsPerMinute, 1);
      if (wait === 0) fill(reads, 1);
      const state = { requests: stateOf(reads, requestsPerMinute) };
      if (wait === 0) return { ok: true, state };
      return { ok: false, refused: { limit: "requests", allowed: requestsPerMinute, retryAfterMs: wait }, state };
    },

    running: (keyId) => keys.get(keyId)?.running ?? 0,
    get size() {
      return keys.size;
    },
  };
}
