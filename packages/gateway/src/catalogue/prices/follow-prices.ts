import { createFollower, type Follower, type FollowerOptions } from "../../follower.ts";
import type { PriceSource } from "./price-source.ts";

export interface PriceFollowerOptions extends Pick<FollowerOptions, "timers" | "log"> {
  prices: Pick<PriceSource, "reload">;
}

/** Keeps a gateway's prices those that operators have set. */
export function followPrices({ prices, timers, log }: PriceFollowerOptions): Follower {
  const failed = "the prices could not be read again; the ones before hold on";
  return createFollower({ reload: () => prices.reload(), failed, timers, log });
}
