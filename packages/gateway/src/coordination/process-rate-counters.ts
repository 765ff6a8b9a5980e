import type { KeyLimits } from "../config/config.ts";
import { chargeFor, reserveFor } from "./call-tokens.ts";
import { fill, stateOf, tighter, waitFor } from "./meter.ts";
import {
  type CallAdmission,
  type CallDemand,
  type CallPermit,
  type LimitName,
  type LimitReached,
  type LimitScope,
  type LimitStates,
  placeRetryMs,
  type RateCounters,
  type ReadAdmission,
  type ReadDemand,
} from "./rate-counters.ts";
import { createSubjectStore, drainAll, type SubjectCounters } from "./subject-counters.ts";

/** Counters of this process, and what can be seen of them. */
export interface ProcessRateCounters extends RateCounters {
  admitCall(demand: CallDemand): CallAdmission;
  admitRead(demand: ReadDemand): ReadAdmission;
  /** Calls of a key that hold a place. */
  running(keyId: string): number;
  /** Keys and accounts that are kept in memory. */
  readonly size: number;
}

/** Who must have room for a request: its key, and the key's account where there is one. */
type Subjects = readonly { scope: LimitScope; counters: SubjectCounters }[];

/** Exact counters for one process, which decides alone. Time is handed in. */
export function createProcessRateCounters(monotonic: () => number): ProcessRateCounters {
  const keys = createSubjectStore(monotonic);
  const accounts = createSubjectStore(monotonic);

  const subjectsOf = ({ keyId, limits, account }: ReadDemand): Subjects => {
    const key = { scope: "key", counters: keys.of(keyId, limits) } as const;
    return account ? [key, { scope: "account", counters: accounts.of(account.id, account.limits) }] : [key];
  };

  const permitFor = (subjects: Subjects, reserved: number): CallPermit => {
    let settled = false;
    return {
      reserved,
      settle(tokens) {
        if (settled) return;
        settled = true;
        for (const { counters } of subjects) {
          counters.running -= 1;
          counters.held -= reserved;
          drainAll(counters, monotonic());
          if (counters.limits.tokensPerMinute !== undefined) fill(counters.tokens, chargeFor(tokens));
        }
      },
    };
  };

  return {
    admitCall(demand) {
      const subjects = subjectsOf(demand);
      const reserve = reserveFor(
        demand.tokens,
        subjects.map(({ counters }) => counters.limits.tokensPerMinute),
      );
      const refused =
        reached(subjects, "concurrency", ({ running }, allowed) => (running >= allowed ? placeRetryMs : 0)) ??
        reached(subjects, "requests", ({ requests }, allowed) => waitFor(requests, allowed, 1)) ??
        reached(subjects, "tokens", ({ tokens, held }, allowed) => waitFor(tokens, allowed, reserve, held));
      if (refused) return { ok: false, refused, state: callStates(subjects) };
      for (const { counters } of subjects) {
        counters.running += 1;
        counters.held += reserve;
        if (counters.limits.requestsPerMinute !== undefined) fill(counters.requests, 1);
      }
      return { ok: true, permit: permitFor(subjects, reserve), state: callStates(subjects) };
    },

    admitRead(demand) {
      const subjects = subjectsOf(demand);
      const refused = reached(subjects, "requests", ({ reads }, allowed) => waitFor(reads, allowed, 1));
      if (refused) return { ok: false, refused, state: readStates(subjects) };
      for (const { counters } of subjects) {
        if (counters.limits.requestsPerMinute !== undefined) fill(counters.reads, 1);
      }
      return { ok: true, state: readStates(subjects) };
    },

    running: (keyId) => keys.known(keyId)?.running ?? 0,
    get size() {
      return keys.size + accounts.size;
    },
  };
}

const settings = {
  concurrency: "concurrency",
  requests: "requestsPerMinute",
  tokens: "tokensPerMinute",
} as const satisfies Record<LimitName, keyof KeyLimits>;

/** The limit of one kind that is reached, if any: the one with the longest wait. `wait`: milliseconds, 0 where there is room. */
function reached(
  subjects: Subjects,
  limit: LimitName,
  wait: (counters: SubjectCounters, allowed: number) => number,
): LimitReached | undefined {
  let worst: LimitReached | undefined;
  for (const { scope, counters } of subjects) {
    const allowed = counters.limits[settings[limit]];
    if (allowed === undefined) continue;
    const retryAfterMs = wait(counters, allowed);
    if (retryAfterMs > (worst?.retryAfterMs ?? 0)) worst = { kind: "limit", scope, limit, allowed, retryAfterMs };
  }
  return worst;
}

function callStates(subjects: Subjects): LimitStates {
  const states: LimitStates = {};
  for (const { counters } of subjects) {
    const { requestsPerMinute, tokensPerMinute } = counters.limits;
    if (requestsPerMinute !== undefined)
      states.requests = tighter(stateOf(counters.requests, requestsPerMinute), states.requests);
    if (tokensPerMinute !== undefined)
      states.tokens = tighter(stateOf(counters.tokens, tokensPerMinute, counters.held), states.tokens);
  }
  return states;
}

function readStates(subjects: Subjects): LimitStates {
  const states: LimitStates = {};
  for (const { counters } of subjects) {
    const { requestsPerMinute } = counters.limits;
    if (requestsPerMinute !== undefined)
      states.requests = tighter(stateOf(counters.reads, requestsPerMinute), states.requests);
  }
  return states;
}
