import { randomFillSync } from "node:crypto";

/**
 * What the gateway takes from the machine: time, randomness and new ids. The composition root makes one and hands it
 * down; nothing else reads a clock or a random source, so a test can hand in an exact one.
 */
export interface Platform {
  /** Wall clock in unix milliseconds, whole. For what is stored and shown; it can jump. */
  now(): number;
  /** Milliseconds from an arbitrary start, fractional, never going back. For durations. */
  monotonic(): number;
  /** Bytes fit for secrets. */
  randomBytes(size: number): Uint8Array;
  /**
   * A new unique id, `<prefix>_` and 26 lower-case letters and digits. Ids of one prefix sort by the millisecond in
   * which they were made, so that a table keyed by them grows at its end.
   */
  id(prefix: string): string;
}

/** Runs a task again and again until the returned function is called. The first run is one interval from now. */
export type Every = (intervalMs: number, task: () => void) => () => void;

/** The real clock, random source and ids. */
export function systemPlatform(): Platform {
  const randomBytes = (size: number) => randomFillSync(new Uint8Array(size));
  const now = () => Date.now();
  return { now, monotonic: () => performance.now(), randomBytes, id: createIdSource(now, pooled(randomBytes)) };
}

/** Real timers that do not keep the process alive. */
export const systemEvery: Every = (intervalMs, task) => {
  const timer = setInterval(task, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
};

// Crockford's base 32: no i, l, o, u, so that an id can be read aloud.
const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/** Makes ids of 10 digits of time and 16 digits (80 bits) of randomness, from the given sources. */
export function createIdSource(now: () => number, randomBytes: (size: number) => Uint8Array): Platform["id"] {
  return (prefix) => {
    let time = now();
    let stamp = "";
    for (let place = 0; place < 10; place++) {
      stamp = digits.charAt(time % 32) + stamp;
      time = Math.floor(time / 32);
    }
    let tail = "";
    for (const byte of randomBytes(16)) tail += digits.charAt(byte & 31);
    return `${prefix}_${stamp}${tail}`;
  };
}

/** Draws small requests from a larger block: one call into the random source serves many ids. */
function pooled(randomBytes: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (size) => {
    if (used + size > pool.length) {
      pool = Uint8Array.from(randomBytes(Math.max(4096, size)));
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
