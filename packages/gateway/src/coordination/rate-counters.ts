import type { KeyLimits } from "../config/config.ts";
import type { LimitState } from "./meter.ts";

/** Which limit of a key is reached. */
export type LimitName = "concurrency" | "requests" | "tokens";

/** A call that asks to be let in. */
export interface CallDemand {
  keyId: string;
  /** The key's limits at this moment: a change holds from the next call on. */
  limits: KeyLimits;
  /** Tokens that the call may use, estimated. */
  tokens: number;
}

/** How the limits of a key stand right after an admission or a refusal. */
export interface KeyState {
  requests: LimitState;
  /** Absent for what uses no tokens. */
  tokens?: LimitState;
}

/** The place of a running call. */
export interface CallPermit {
  /** What was set aside at the admission. */
  readonly reserved: number;
  /** Ends the call: frees its place and charges what it really used instead of the reserve. Only the first one counts. */
  settle(tokens: number): void;
}

export interface LimitRefusal {
  limit: LimitName;
  /** Uses a minute, or calls at once. */
  allowed: number;
  /** Whole milliseconds after which it is worth to ask again. At least 1. */
  retryAfterMs: number;
}

export type CallAdmission =
  | { ok: true; permit: CallPermit; state: KeyState }
  | { ok: false; refused: LimitRefusal; state: KeyState };

export type ReadAdmission = { ok: true; state: KeyState } | { ok: false; refused: LimitRefusal; state: KeyState };

/**
 * The limits of access keys (C13): requests a minute, tokens a minute, calls at once. An admission is one step: it takes
 * all that it needs or nothing, so a refused call uses nothing up. Answers at once where the counters are in this process;
 * counters that several processes share answer by promise.
 */
export interface RateCounters {
  /** Asks for a call, in the order concurrency, requests, tokens. The call holds its place until its permit is settled. */
  admitCall(demand: CallDemand): CallAdmission | Promise<CallAdmission>;
  /** Asks for a token count or a list. They have a meter of their own, as large as that of the calls, and use no tokens. */
  admitRead(demand: Pick<CallDemand, "keyId" | "limits">): ReadAdmission | Promise<ReadAdmission>;
}
