import type { KeyLimits } from "../config/config.ts";
import { createMeter, drain, type Meter } from "./meter.ts";

/** What is counted of one subject: a key or an account. */
export interface SubjectCounters {
  /** As its last request bore them. What is not set is not counted. */
  limits: Partial<KeyLimits>;
  running: number;
  /** Tokens set aside for running calls. They do not drain: nobody knows yet what becomes of them. */
  held: number;
  requests: Meter;
  tokens: Meter;
  reads: Meter;
}

/** The counters of all subjects of one kind, in this process. Those that a new one would equal are forgotten (O8). */
export interface SubjectStore {
  /** The counters of a subject as they stand now, under its present limits. */
  of(id: string, limits: Partial<KeyLimits>): SubjectCounters;
  /** What is known of a subject, as it stood at its last request. */
  known(id: string): SubjectCounters | undefined;
  /** Subjects that are kept in memory. */
  readonly size: number;
}

/** Subjects without use are looked for when there are twice as many as after the last look, and this many. */
const sweepFrom = 1024;

/** Lets all meters of a subject drain. */
export function drainAll(counters: SubjectCounters, now: number): void {
  const { requestsPerMinute, tokensPerMinute } = counters.limits;
  drainOrEmpty(counters.requests, requestsPerMinute, now);
  drainOrEmpty(counters.tokens, tokensPerMinute, now);
  drainOrEmpty(counters.reads, requestsPerMinute, now);
}

function drainOrEmpty(meter: Meter, perMinute: number | undefined, now: number): void {
  if (perMinute === undefined) meter.level = 0;
  drain(meter, perMinute ?? 0, now);
}

export function createSubjectStore(monotonic: () => number): SubjectStore {
  const subjects = new Map<string, SubjectCounters>();
  let sweepAt = sweepFrom;

  const sweep = (now: number) => {
    for (const [id, counters] of subjects) {
      drainAll(counters, now);
      const { requests, tokens, reads, running } = counters;
      if (running === 0 && requests.level + tokens.level + reads.level === 0) subjects.delete(id);
    }
    sweepAt = Math.max(sweepFrom, subjects.size * 2);
  };

  return {
    of(id, limits) {
      const now = monotonic();
      const known = subjects.get(id);
      if (known) {
        known.limits = limits;
        drainAll(known, now);
        return known;
      }
      if (subjects.size >= sweepAt) sweep(now);
      const fresh: SubjectCounters = {
        limits,
        running: 0,
        held: 0,
        requests: createMeter(now),
        tokens: createMeter(now),
        reads: createMeter(now),
      };
      subjects.set(id, fresh);
      return fresh;
    },
    known: (id) => subjects.get(id),
    get size() {
      return subjects.size;
    },
  };
}
