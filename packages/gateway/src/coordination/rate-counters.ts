import type { KeyLimits } from "../config/config.ts";
import type { LimitState } from "./meter.ts";

/** Which kind of limit is reached. */
export type LimitName = "concurrency" | "requests" | "tokens";

/** Whose limit it is. */
export type LimitScope = "key" | "account";

/** The account of an access key. What it does not limit is limited by its keys alone. */
export interface LimitedAccount {
  id: string;
  limits: Partial<KeyLimits>;
}

/** A token count or a list that asks to be let in. */
export interface ReadDemand {
  keyId: string;
  /** The key's limits at this moment: a change holds from the next call on. */
  limits: KeyLimits;
  /** Limits that the key shares with the other keys of its account, at this moment. */
  account?: LimitedAccount;
}

/** A call that asks to be let in. */
export interface CallDemand extends ReadDemand {
  /** Tokens that the call may use, estimated. */
  tokens: number;
}

/**
 * How the limits stand right after an admission or a refusal: of key and account the tighter one for each kind. What is
 * absent is not counted.
 */
export interface LimitStates {
  requests?: LimitState;
  tokens?: LimitState;
}

/** The place of a running call. */
export interface CallPermit {
  /** What was set aside at the admission. */
  readonly reserved: number;
  /**
   * Ends the call: frees its place and charges what it really used instead of the reserve. Only the first one counts.
   * Never throws, and nobody waits for it.
   */
  settle(tokens: number): void;
}

/** When a place among the calls at once becomes free is not known: it is worth to ask again after so many milliseconds. */
export const placeRetryMs = 1000;

/** A limit is reached. */
export interface LimitReached {
  kind: "limit";
  scope: LimitScope;
  limit: LimitName;
  /** Uses a minute, or calls at once. */
  allowed: number;
  /** Whole milliseconds after which it is worth to ask again. At least 1. */
  retryAfterMs: number;
}

/** Nobody can tell whether a limit is reached, and the configuration wants no call then (D7, `redis_down: deny`). */
interface LimitsUnavailable {
  kind: "unavailable";
  retryAfterMs: number;
}

export type LimitRefusal = LimitReached | LimitsUnavailable;

export type CallAdmission =
  | { ok: true; permit: CallPermit; state: LimitStates }
  | { ok: false; refused: LimitRefusal; state: LimitStates };

export type ReadAdmission = { ok: true; state: LimitStates } | { ok: false; refused: LimitRefusal; state: LimitStates };

/**
 * The limits of access keys and their accounts (C13): requests a minute, tokens a minute, calls at once. An admission is
 * one step: it takes all that it needs, of the key and of the account, or nothing, so a refused call uses nothing up.
 * Answers at once where the counters are in this process; counters that several processes share answer by promise, which
 * never rejects.
 */
export interface RateCounters {
  /**
   * Asks for a call, in the order concurrency, requests, tokens. Where key and account lack the same, the refusal tells of
   * the one with the longer wait. The call holds its place until its permit is settled.
   */
  admitCall(demand: CallDemand): CallAdmission | Promise<CallAdmission>;
  /** Asks for a token count or a list. They have a meter of their own, as large as that of the calls, and use no tokens. */
  admitRead(demand: ReadDemand): ReadAdmission | Promise<ReadAdmission>;
}
