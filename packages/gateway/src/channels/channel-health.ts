/** How a try of a channel went wrong, as far as its health is concerned. */
export type ChannelFailure =
  /** Connection, time-out, 5xx, garbage. */
  | { kind: "fault" }
  /** 429, 503, 529 with the wait it asked for. */
  | { kind: "busy"; retryAfterSeconds?: number }
  /** 401, 402, 403: the operator's credential or account (R12). */
  | { kind: "credential" };

type ChannelState = "operational" | "degraded" | "down" | "credential_failed";

/** Measured health of one channel in this process. Times are monotonic milliseconds. */
export interface ChannelHealth {
  readonly state: ChannelState;
  /** Monotonic milliseconds of the last failure; -Infinity where there was none. */
  readonly lastFailure: number;
  /** Whether a call may go there now. After a cool-down one probe at a time may (half-open). */
  usable(now: number): boolean;
  /** A call goes there; must be followed by exactly one of the three below. */
  begin(now: number): void;
  succeeded(): void;
  failed(now: number, failure: ChannelFailure): void;
  /** The caller left or the request itself was at fault: says nothing about the channel. */
  undecided(): void;
}

const consecutiveLimit = 5;
const windowMs = 30_000;
const windowCalls = 20;
const coolDownMs = 30_000;
const coolDownMaxMs = 300_000;
const credentialCoolDownMs = 60_000;

/** Passive health after R3, R11 and R12. `random` gives [0, 1): the cool-down has 10 % jitter. */
export function createChannelHealth(random: () => number): ChannelHealth {
  let consecutive = 0;
  let ejections = 0;
  let coolUntil = Number.NEGATIVE_INFINITY;
  let halfOpen = false;
  let probing = false;
  let credentialFailed = false;
  let lastFailure = Number.NEGATIVE_INFINITY;
  let window = { start: Number.NEGATIVE_INFINITY, calls: 0, failures: 0 };

  const count = (now: number, failures: number) => {
    if (now - window.start > windowMs) window = { start: now, calls: 0, failures: 0 };
    window.calls += failures === 0 ? 1 : 0;
    window.failures += failures;
  };
  const coolDown = (now: number, ms: number) => {
    coolUntil = Math.max(coolUntil, now + Math.min(ms, coolDownMaxMs) * (1 + random() * 0.1));
  };
  const eject = (now: number) => {
    ejections++;
    halfOpen = true;
    coolDown(now, coolDownMs * ejections);
  };

  return {
    get state() {
      if (credentialFailed) return "credential_failed";
      if (halfOpen) return "down";
      return consecutive > 0 ? "degraded" : "operational";
    },
    get lastFailure() {
      return lastFailure;
    },
    usable: (now) => now >= coolUntil && !(halfOpen && probing),
    begin(now) {
      probing = true;
      count(now, 0);
    },
    succeeded() {
      probing = false;
      consecutive = 0;
      ejections = 0;
      halfOpen = false;
      credentialFailed = false;
      coolUntil = Number.NEGATIVE_INFINITY;
    },
    failed(now, failure) {
      probing = false;
      lastFailure = now;
      switch (failure.kind) {
        case "busy":
          if (failure.retryAfterSeconds !== undefined) coolDown(now, failure.retryAfterSeconds * 1000);
          return;
        case "credential":
          credentialFailed = true;
          coolDown(now, credentialCoolDownMs);
          return;
        case "fault": {
          consecutive++;
          count(now, 1);
          const half = window.calls >= windowCalls && window.failures * 2 >= window.calls;
          if (halfOpen || consecutive >= consecutiveLimit || half) eject(now);
          return;
        }
      }
    },
    undecided() {
      probing = false;
    },
  };
}
