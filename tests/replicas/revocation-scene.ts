import type { RedisServer } from "../../packages/gateway/src/testing/redis-server.ts";
import { tester, withKeysOf } from "../support/keys.ts";
import type { DatabasePlace } from "../support/plain-sql.ts";
import { startProvider } from "../support/provider.ts";
import { createCluster } from "./cluster.ts";
import { measureRevocation, type RevocationReport } from "./revocation.ts";

export interface RevocationSceneOptions {
  database: Extract<DatabasePlace, { kind: "postgres" }>;
  /** Left out: the members know of no Redis. */
  redis?: RedisServer;
  repeats: number;
}

/** Three members under steady use of one key: with Redis, then with Redis down where there is one. */
export async function runRevocations(options: RevocationSceneOptions): Promise<Record<string, RevocationReport>> {
  const { database, redis, repeats } = options;
  await using stack = new AsyncDisposableStack();
  const provider = stack.adopt(await startProvider(), (it) => it.close());
  const cluster = stack.adopt(
    await createCluster({
      replicas: 3,
      database,
      provider: provider.sim.url,
      ...(redis ? { redis: redis.url } : {}),
      // A disabled key is a wrong key, and this address presents it often.
      settings: { auth: { failures_per_minute: 1_000_000 } },
    }),
    (it) => it.close(),
  );
  const key = await cluster.createKey("revoked");
  await cluster.start();
  const members = cluster.members().filter((address) => address !== undefined);
  return await withKeysOf(cluster.configFile, async (keys) => {
    const measure = () =>
      measureRevocation({ members, key, repeats, change: (state) => keys.setState("revoked", state, tester) });
    const reports: Record<string, RevocationReport> = {};
    reports[redis ? "Redis up" : "no Redis"] = await measure();
    await redis?.stop();
    if (redis) reports["Redis down"] = await measure();
    return reports;
  });
}
