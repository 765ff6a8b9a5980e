import type { KeyLimits, RedisDown } from "../config/config.ts";
import type { ProcessRateCounters } from "./process-rate-counters.ts";
import type { CallAdmission, CallDemand, RateCounters, ReadAdmission, ReadDemand } from "./rate-counters.ts";

/** Counters for the time in which the shared ones cannot be asked. They never wait. */
export interface DownCounters extends RateCounters {
  admitCall(demand: CallDemand): CallAdmission;
  admitRead(demand: ReadDemand): ReadAdmission;
}

const denied = { ok: false, refused: { kind: "unavailable", retryAfterMs: 1000 }, state: {} } as const;

/**
 * What holds while the shared counters are away (D7). `local`: each of the live gateways gives its share of every limit, at
 * least 1. `deny`: nothing passes. `allow`: everything does.
 */
export function createDownCounters(
  mode: RedisDown,
  local: ProcessRateCounters,
  liveReplicas: () => number,
): DownCounters {
  switch (mode) {
    case "local":
      return {
        admitCall: (demand) => local.admitCall({ ...demand, ...shareOf(demand, liveReplicas()) }),
        admitRead: (demand) => local.admitRead({ ...demand, ...shareOf(demand, liveReplicas()) }),
      };
    case "deny":
      return { admitCall: () => denied, admitRead: () => denied };
    case "allow":
      return {
        admitCall: ({ tokens }) => {
          const permit = { reserved: Math.max(0, Math.ceil(tokens)), settle: () => undefined };
          return { ok: true, permit, state: {} };
        },
        admitRead: () => ({ ok: true, state: {} }),
      };
  }
}

function shareOf({ limits, account }: ReadDemand, replicas: number): Pick<ReadDemand, "limits" | "account"> {
  const share = (limit: number) => Math.max(1, Math.floor(limit / Math.max(1, replicas)));
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
  return {
    limits: {
      requestsPerMinute: share(requestsPerMinute),
      tokensPerMinute: share(tokensPerMinute),
      concurrency: share(concurrency),
    },
    ...(account ? { account: { id: account.id, limits: partialShare(account.limits, share) } } : {}),
  };
}

function partialShare(limits: Partial<KeyLimits>, share: (limit: number) => number): Partial<KeyLimits> {
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
  return {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute: share(requestsPerMinute) }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute: share(tokensPerMinute) }),
    ...(concurrency === undefined ? {} : { concurrency: share(concurrency) }),
  };
}
