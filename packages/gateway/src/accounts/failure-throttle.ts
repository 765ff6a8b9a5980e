import { BoundedMap } from "./bounded-map.ts";

/** Slows down who guesses keys or codes (A6). */
export interface FailureThrottle {
  /** Whole seconds this address has to wait, or undefined when it may try. Ask before authenticating. */
  blockedFor(address: string): number | undefined;
  /** Notes a refused one. */
  failed(address: string): void;
}

/** Addresses that are watched at once; beyond, the one that failed first is forgotten. */
const maxAddresses = 10_000;

export interface FailureThrottleOptions {
  /** Failures in a window, after which the address has to wait for its end. */
  most: number;
  windowMs: number;
  monotonic: () => number;
}

/** Counts failures of an address in windows that begin with its first failure. Good keys are never counted. */
export function createFailureThrottle(options: FailureThrottleOptions): FailureThrottle {
  const { most, windowMs } = options;
  const windows = new BoundedMap<string, { start: number; failures: number }>(maxAddresses);

  const current = (address: string) => {
    const entry = windows.get(address);
    if (!entry) return undefined;
    if (options.monotonic() - entry.start < windowMs) return entry;
    windows.delete(address);
    return undefined;
  };

  return {
    blockedFor(address) {
      const entry = current(address);
      if (!entry || entry.failures < most) return undefined;
      return Math.max(1, Math.ceil((entry.start + windowMs - options.monotonic()) / 1000));
    },
    failed(address) {
      const entry = current(address);
      if (entry) entry.failures += 1;
      else windows.set(address, { start: options.monotonic(), failures: 1 });
    },
  };
}
