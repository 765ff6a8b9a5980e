import { type RedisServer, startRedisServer } from "../../packages/gateway/src/testing/redis-server.ts";

/** A Redis server of the test's own; undefined where none is installed. */
export function availableRedis(): Promise<RedisServer | undefined> {
  return startRedisServer().catch((error: unknown) => {
    if (error instanceof Error && error.message.includes("in PATH")) return undefined;
    throw error;
  });
}
