import type { Every, Platform } from "../../platform.ts";
import type { Log } from "../../telemetry/log.ts";
import { createTimerWheel } from "../../timer-wheel.ts";
import type { RateCounters } from "../rate-counters.ts";
import { rateScripts } from "./rate-scripts.ts";
import { createRedisChangeChannel, type RedisChangeChannel } from "./redis-change-channel.ts";
import { openRedisLink } from "./redis-link.ts";
import { createRedisRateCounters, type RedisRateCounters } from "./redis-rate-counters.ts";

interface RedisCoordinationOptions {
  url: string;
  /** Counts while the server is away. */
  fallback: RateCounters;
  platform: Platform;
  every: Every;
  log: Log;
}

/** So much later than its time a command is given up at most. */
const tickMs = 2;

/** Counters and hints over one server. */
export async function openRedisCoordination(
  options: RedisCoordinationOptions,
): Promise<{ counters: RedisRateCounters; changes: RedisChangeChannel; close(): Promise<void> }> {
  const { url, fallback, platform, every, log } = options;
  const timers = createTimerWheel(every, platform.monotonic, tickMs);
  const link = await openRedisLink({ url, scripts: rateScripts, every, timers, log });
  const counters = createRedisRateCounters({ link, fallback, platform, every });
  const changes = createRedisChangeChannel({ url, link, log });
  return {
    counters,
    changes,
    async close() {
      await counters.close();
      changes.close();
      link.close();
      timers.close();
    },
  };
}
