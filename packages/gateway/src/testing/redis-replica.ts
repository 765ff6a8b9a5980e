import type { RedisDown } from "../config/config.ts";
import { createDownCounters } from "../coordination/down-counters.ts";
import { createProcessRateCounters } from "../coordination/process-rate-counters.ts";
import { rateScripts } from "../coordination/redis/rate-scripts.ts";
import { openRedisLink, type RedisLink } from "../coordination/redis/redis-link.ts";
import { createRedisRateCounters, type RedisRateCounters } from "../coordination/redis/redis-rate-counters.ts";
import { systemEvery } from "../platform.ts";
import { createLog } from "../telemetry/log.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import type { TestPlatform } from "./test-platform.ts";

/** What one gateway has of the limits that several share. */
export interface RedisReplica {
  link: RedisLink;
  counters: RedisRateCounters;
  /** Log lines so far. */
  log: readonly string[];
  /** Probes, without any time passing, until the link is up. */
  recover(): Promise<void>;
  /** Ends it as a crash does: nothing is settled, nothing renewed. */
  die(): void;
}

export interface RedisReplicaOptions {
  url: string;
  /** Drives probes and renewals, and the counters of the process. */
  platform: TestPlatform;
  /** What holds while the server is away. `deny` unless told otherwise: then no call passes unseen by the server. */
  down?: RedisDown;
  replicas?: number;
  /** Whether the server takes the platform's time for its own. */
  fixedTime?: boolean;
  /** Generous unless told otherwise: a busy machine must not look like a failing server. */
  timeoutMs?: number;
}

export async function startRedisReplica(options: RedisReplicaOptions): Promise<RedisReplica> {
  const { url, platform, down = "deny", replicas = 1, fixedTime = true, timeoutMs = 10_000 } = options;
  const log: string[] = [];
  const probes: (() => void)[] = [];
  const link = await openRedisLink({
    url,
    scripts: rateScripts,
    every(interval, task) {
      probes.push(task);
      return platform.every(interval, task);
    },
    // A frozen server is frozen for real.
    timers: createTimerWheel(systemEvery, () => performance.now(), 5),
    log: createLog({ now: platform.now, level: "info", destination: { write: (line) => log.push(line) } }),
    timeoutMs,
  });
  const stops: (() => void)[] = [];
  const counters = createRedisRateCounters({
    link,
    fallback: createDownCounters(down, createProcessRateCounters(platform.monotonic), () => replicas),
    platform,
    every: (interval, task) => {
      const stop = platform.every(interval, task);
      stops.push(stop);
      return stop;
    },
    ...(fixedTime ? { time: platform.monotonic } : {}),
  });
  return {
    link,
    counters,
    log,
    async recover() {
      while (!link.up) {
        for (const probe of probes) probe();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    die() {
      for (const stop of stops) stop();
      link.close();
    },
  };
}
