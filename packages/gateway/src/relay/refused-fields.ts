import type { RefusedField } from "@interlingua/protocols";
import { BoundedMap } from "../accounts/bounded-map.ts";
import type { Candidate } from "../channels/route-plan.ts";

/**
 * What upstreams refused lately, by account, channel, model and protocol: the account's later calls leave it out at once
 * (conversion.md 7). Accounts learn nothing from each other: what was refused beside other fields of a call, or in words
 * that repeat what the caller wrote, must not change what somebody else sends.
 */
export interface RefusedFields {
  /** Costs one look where nothing is remembered. */
  of(accountId: string, candidate: Candidate): readonly RefusedField[];
  remember(accountId: string, candidate: Candidate, fields: readonly RefusedField[]): void;
}

const rememberedMs = 3_600_000;
/** Callers choose the models, so that there may be many. Who is forgotten pays one more send. */
const mostUpstreams = 10_000;
const mostFields = 16;

interface Remembered {
  field: RefusedField;
  until: number;
}

const none: readonly RefusedField[] = [];

/** `monotonic`: milliseconds. */
export function createRefusedFields(monotonic: () => number): RefusedFields {
  const upstreams = new BoundedMap<string, readonly Remembered[]>(mostUpstreams);
  const keyOf = (accountId: string, { channel, protocol, upstreamModel }: Candidate) =>
    `${accountId}\n${channel.name}\n${protocol}\n${upstreamModel}`;
  const living = (key: string): readonly Remembered[] => {
    const now = monotonic();
    return (upstreams.get(key) ?? []).filter(({ until }) => now < until);
  };
  return {
    of(accountId, candidate) {
      if (upstreams.size === 0) return none;
      const key = keyOf(accountId, candidate);
      if (!upstreams.has(key)) return none;
      const remembered = living(key);
      if (remembered.length === 0) upstreams.delete(key);
      return remembered.map(({ field }) => field);
    },
    remember(accountId, candidate, fields) {
      const key = keyOf(accountId, candidate);
      const until = monotonic() + rememberedMs;
      const added = fields.filter(({ lasting }) => lasting).map((field) => ({ field, until }));
      if (added.length === 0) return;
      upstreams.set(key, [...living(key), ...added].slice(-mostFields));
    },
  };
}
