import type { Every } from "./platform.ts";

/** A deadline that can be moved without cost, once for each byte if need be. */
export interface Deadline {
  /** From now on. */
  restart(ms: number): void;
  cancel(): void;
}

/** Many deadlines on one timer: a call needs several, and none of them needs to be exact. */
export interface TimerWheel {
  /** Runs the task once, up to one tick late. */
  after(ms: number, task: () => void): Deadline;
  close(): void;
}

interface Entry {
  due: number;
  task: () => void;
}

/** Default tick: the finest deadline (retry backoff) starts at 100 ms. */
const defaultTickMs = 50;

export function createTimerWheel(every: Every, monotonic: () => number, tickMs = defaultTickMs): TimerWheel {
  const entries = new Set<Entry>();
  let stop: (() => void) | undefined;

  const tick = () => {
    const now = monotonic();
    for (const entry of entries) {
      if (entry.due > now) continue;
      entries.delete(entry);
      entry.task();
    }
    if (entries.size === 0) {
      stop?.();
      stop = undefined;
    }
  };

  return {
    after(ms, task) {
      const entry: Entry = { due: monotonic() + ms, task };
      entries.add(entry);
      stop ??= every(tickMs, tick);
      return {
        restart(again) {
          entry.due = monotonic() + again;
          entries.add(entry);
          stop ??= every(tickMs, tick);
        },
        cancel() {
          entries.delete(entry);
        },
      };
    },
    close() {
      entries.clear();
      stop?.();
      stop = undefined;
    },
  };
}
