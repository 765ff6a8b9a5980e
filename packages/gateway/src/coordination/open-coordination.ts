import type { RedisDown } from "../config/config.ts";
import type { Every, Platform } from "../platform.ts";
import type { Log } from "../telemetry/log.ts";
import { type ChangeChannel, createProcessChangeChannel } from "./change-channel.ts";
import { createDownCounters } from "./down-counters.ts";
import { createProcessRateCounters } from "./process-rate-counters.ts";
import type { RateCounters } from "./rate-counters.ts";

/** What the gateways of one installation share besides their database. */
export interface Coordination {
  counters: RateCounters;
  changes: ChangeChannel;
  /** To be called when no call runs any more. */
  close(): Promise<void>;
}

export interface CoordinationOptions {
  /** Address of the Redis or Valkey server; null where the gateway is alone. */
  redis: string | null;
  redisDown: RedisDown;
  platform: Platform;
  every: Every;
  log: Log;
  /** How many gateways run now, this one among them: each takes its share of the limits while the server is away. */
  liveReplicas: () => number;
}

/** Opens what the configuration asks for. A server that cannot be reached is a warning, and looked for again. */
export async function openCoordination(options: CoordinationOptions): Promise<Coordination> {
  const { redis, redisDown, platform, every, log, liveReplicas } = options;
  const local = createProcessRateCounters(platform.monotonic);
  if (redis === null) return { counters: local, changes: createProcessChangeChannel(), close: async () => undefined };
  const { openRedisCoordination } = await import("./redis/open-redis-coordination.ts");
  const fallback = createDownCounters(redisDown, local, liveReplicas);
  return openRedisCoordination({ url: redis, fallback, platform, every, log });
}
