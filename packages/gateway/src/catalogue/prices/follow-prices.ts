import { errorFields } from "../../telemetry/error-fields.ts";
import type { Log } from "../../telemetry/log.ts";
import type { TimerWheel } from "../../timer-wheel.ts";
import type { PriceSource } from "./price-source.ts";

/** How long a failed look rests before the next one. */
const retryMs = 250;

/** Keeps a gateway's prices those that operators have set. */
export interface PriceFollower {
  /** To be called after each change. Resolves when the prices are at least as new as this call; never rejects. */
  look(): Promise<void>;
  /** No look begins after this. */
  close(): void;
}

export interface PriceFollowerOptions {
  prices: Pick<PriceSource, "reload">;
  timers: Pick<TimerWheel, "after">;
  log: Pick<Log, "warn">;
}

/** One look at a time: of two, the one that began first could end last and bring back old prices. */
export function followPrices({ prices, timers, log }: PriceFollowerOptions): PriceFollower {
  let wanted = false;
  let closed = false;
  let looking: Promise<void> | undefined;

  const lookUntilCurrent = async () => {
    while (wanted && !closed) {
      wanted = false;
      try {
        await prices.reload();
      } catch (cause) {
        if (closed) return;
        log.warn("the prices could not be read again; the ones before hold on", errorFields(cause));
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
