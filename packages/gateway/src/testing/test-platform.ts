import { createIdSource, type Every, type Platform } from "../platform.ts";

/** A platform that a test moves by hand: the same calls give the same values in every run. */
export interface TestPlatform extends Platform {
  /** Moves both clocks on and runs the `every` tasks that fall due, in order. */
  advance(ms: number): void;
  /** Moves both clocks on without running anything, as for a process that was stopped for a while. */
  stall(ms: number): void;
  /** Moves only the wall clock, as a correction of the machine's time does. */
  jumpWallClock(ms: number): void;
  every: Every;
}

/** Starts at 2026-01-01T00:00:00Z; randomness is a fixed sequence. */
export function testPlatform(start = Date.UTC(2026, 0, 1)): TestPlatform {
  let wall = start;
  let elapsed = 0;
  let seed = 0x9e3779b9;
  const tasks = new Set<{ due: number; intervalMs: number; task: () => void }>();

  const randomBytes = (size: number) => {
    const bytes = new Uint8Array(size);
    for (let index = 0; index < size; index++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      bytes[index] = seed >>> 24;
    }
    return bytes;
  };

  return {
    now: () => wall,
    monotonic: () => elapsed,
    randomBytes,
    id: createIdSource(() => wall, randomBytes),
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const next = [...tasks].filter((entry) => entry.due <= end).sort((a, b) => a.due - b.due)[0];
        if (!next) break;
        wall += next.due - elapsed;
        elapsed = next.due;
        next.due += next.intervalMs;
        next.task();
      }
      wall += end - elapsed;
      elapsed = end;
    },
    stall(ms) {
      wall += ms;
      elapsed += ms;
    },
    jumpWallClock(ms) {
      wall += ms;
    },
    every(intervalMs, task) {
      const entry = { due: elapsed + intervalMs, intervalMs, task };
      tasks.add(entry);
      return () => {
        tasks.delete(entry);
      };
    },
  };
}
