import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../telemetry/log.ts";
import { describeRedis } from "../../testing/describe-redis.ts";
import { startRedisReplica } from "../../testing/redis-replica.ts";
import { type RedisServer, startRedisServer } from "../../testing/redis-server.ts";
import { testPlatform } from "../../testing/test-platform.ts";
import { createRedisChangeChannel } from "./redis-change-channel.ts";

describeRedis("A1 hints of changes by Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** A gateway's channel, and a way to wait for its hints. */
  const gateway = async () => {
    const platform = testPlatform();
    const log = createLog({ now: platform.now, level: "silent" });
    const replica = await startRedisReplica({ url: server.url, platform });
    const changes = createRedisChangeChannel({ url: server.url, link: replica.link, log });
    const hint = () =>
      new Promise<void>((resolve) => {
        const stop = changes.onChange(() => {
          stop();
          resolve();
        });
      });
    return {
      ...replica,
      changes,
      hint,
      [Symbol.dispose]() {
        changes.close();
        replica.die();
      },
    };
  };

  it("reach every gateway, and nobody who has stopped to listen", async () => {
    using one = await gateway();
    using two = await gateway();
    await Promise.all([one.changes.listening, two.changes.listening]);
    let heard = 0;
    const stop = two.changes.onChange(() => {
      heard += 1;
    });
    const both = [one.hint(), two.hint()];
    one.changes.publish();
    await Promise.all(both);
    expect(heard).toBe(1);
    stop();
    const again = two.hint();
    one.changes.publish();
    await again;
    expect(heard).toBe(1);
  });

  it("D7 are dropped while the server is away; when it is back there is one, since others may be lost", async () => {
    using one = await gateway();
    await one.changes.listening;
    const back = one.hint();
    const connected = new Promise<void>((resolve) => one.link.onUp(resolve));
    await server.stop();
    for (let use = 0; use < 10; use += 1) one.changes.publish();
    await server.start();
    await Promise.all([back, connected]);
    const next = one.hint();
    one.changes.publish();
    await next;
  });
});
