import { errorFields } from "./telemetry/error-fields.ts";
import type { Log } from "./telemetry/log.ts";
import type { TimerWheel } from "./timer-wheel.ts";

/** How long a failed look rests before the next one. */
const retryMs = 250;

/** Keeps what a gateway holds in memory as it is in the database. */
export interface Follower {
  /** To be called after each change. Resolves when what is held is at least as new as this call; never rejects. */
  look(): Promise<void>;
  /** No look begins after this. */
  close(): void;
}

export interface FollowerOptions {
  /** Reads all of it again. */
  reload(): Promise<void>;
  /** What the log says when that failed; it is tried again. */
  failed: string;
  timers: Pick<TimerWheel, "after">;
  log: Pick<Log, "warn">;
}

/** One look at a time: of two, the one that began first could end last and bring back what is old. */
export function createFollower({ reload, failed, timers, log }: FollowerOptions): Follower {
  let wanted = false;
  let closed = false;
  let looking: Promise<void> | undefined;

  const lookUntilCurrent = async () => {
    while (wanted && !closed) {
      wanted = false;
      try {
        await reload();
      } catch (cause) {
        if (closed) return;
        log.warn(failed, errorFields(cause));
        wanted = true;
        await new Promise<void>((resolve) => timers.after(retryMs, resolve));
      }
    }
  };

  return {
    look() {
      wanted = true;
      looking ??= lookUntilCurrent().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    close() {
      closed = true;
    },
  };
}
