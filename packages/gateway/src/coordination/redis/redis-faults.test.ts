import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startDelayingProxy } from "../../testing/delaying-proxy.ts";
import { describeRedis } from "../../testing/describe-redis.ts";
import { rateScene, refused, wideLimits } from "../../testing/rate-counters-contract.ts";
import { type RedisReplica, type RedisReplicaOptions, startRedisReplica } from "../../testing/redis-replica.ts";
import { type RedisServer, startRedisServer } from "../../testing/redis-server.ts";
import { type TestPlatform, testPlatform } from "../../testing/test-platform.ts";

describeRedis("T09 Redis faults", () => {
  let server: RedisServer;
  let platform: TestPlatform;
  let replicas: RedisReplica[] = [];

  /** A gateway on the server, and what the test asks of it. */
  const stage = async (limits: Parameters<typeof rateScene>[2], more: Partial<RedisReplicaOptions> = {}) => {
    const replica = await startRedisReplica({ url: server.url, platform, ...more });
    replicas.push(replica);
    const scene = rateScene(replica.counters, platform, limits);
    const together = (count: number) => Promise.all(Array.from({ length: count }, () => scene.call()));
    return {
      ...scene,
      ...replica,
      isUp: () => replica.link.up,
      /** Whether an answer is there at once, without any wait. */
      answersAtOnce: () => !(replica.counters.admitRead({ keyId: "another", limits: wideLimits }) instanceof Promise),
      /** How many calls pass, one after the other. */
      async passes(count: number) {
        let passed = 0;
        for (let use = 0; use < count; use += 1) if ((await scene.pass()).ok) passed += 1;
        return passed;
      },
      /** How many places are free. */
      async free() {
        const permits = (await together(50)).flatMap((admission) => (admission.ok ? [admission.permit] : []));
        for (const permit of permits) permit.settle(0);
        await replica.counters.idle();
        return permits.length;
      },
    };
  };
  /** The server takes no writes, as one that has become a replica: each is answered by an error, at once. */
  const demote = () => server.client.replicaof("127.0.0.1", "1");
  const promote = () => server.client.replicaof("NO", "ONE");

  beforeAll(async () => {
    server = await startRedisServer();
  });
  beforeEach(() => {
    platform = testPlatform();
  });
  afterEach(async () => {
    for (const { die } of replicas) die();
    replicas = [];
    await promote();
    await server.client.flushall();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describe("D7 what holds while the server is away", () => {
    it("local: every gateway gives its share of each limit, exactly, and one at least", async () => {
      const scene = await stage({ requestsPerMinute: 20, concurrency: 2 }, { down: "local", replicas: 3 });
      expect(await scene.passes(4)).toBe(4);
      await demote();
      expect(await scene.pass()).toMatchObject({ ok: true, state: { requests: { limit: 6, remaining: 5 } } });
      expect(await scene.passes(20)).toBe(5);
      scene.at(10_000);
      expect(await scene.passes(20)).toBe(1);
      scene.at(100_000);
      const [first, second] = [await scene.call(), await scene.call()];
      expect([first, second]).toMatchObject([{ ok: true }, refused("concurrency", 1, 1000)]);
    });

    it("local: the limits of accounts are shared out, too", async () => {
      const scene = await stage({}, { down: "local", replicas: 2 });
      scene.join({ requestsPerMinute: 10 });
      await demote();
      expect(await scene.passes(20)).toBe(5);
      expect(await scene.pass()).toMatchObject(refused("requests", 5, 12_000, "account"));
    });

    it("deny: nothing passes, and the refusal blames nobody", async () => {
      const scene = await stage({}, { down: "deny" });
      await demote();
      const unavailable = { ok: false, refused: { kind: "unavailable", retryAfterMs: 1000 }, state: {} };
      for (let use = 0; use < 7; use += 1) {
        expect(await scene.pass()).toEqual(unavailable);
        expect(await scene.read()).toEqual(unavailable);
      }
    });

    it("allow: everything passes", async () => {
      const scene = await stage({ requestsPerMinute: 1 }, { down: "allow" });
      await demote();
      expect(await scene.passes(20)).toBe(20);
      expect(await scene.read()).toEqual({ ok: true, state: {} });
    });
  });

  describe("D7 the breaker", () => {
    it("opens after five failures in a row, and closes when a probe succeeds, one a second", async () => {
      const scene = await stage({}, { down: "local" });
      await demote();
      for (let use = 0; use < 4; use += 1) await scene.read();
      await promote();
      await scene.read();
      await demote();
      for (let use = 0; use < 5; use += 1) {
        expect(scene.answersAtOnce()).toBe(false);
        await scene.link.tryRun((redis) => redis.ping());
      }
      // The fifth look was answered before the ping that came after it.
      expect(scene.answersAtOnce()).toBe(true);
      await promote();
      expect(scene.answersAtOnce()).toBe(true);
      platform.advance(999);
      expect(await scene.link.tryRun((redis) => redis.ping())).toBe(true);
      expect(scene.answersAtOnce()).toBe(true);
      const up = new Promise<void>((resolve) => scene.link.onUp(resolve));
      platform.advance(1);
      await up;
      expect(scene.answersAtOnce()).toBe(false);
    });

    it("tells the operator once, and once when it is over", async () => {
      const scene = await stage({}, { down: "local" });
      await demote();
      await scene.passes(50);
      expect(scene.isUp()).toBe(false);
      await promote();
      await scene.recover();
      await scene.passes(50);
      const told = scene.log.map((line) => JSON.parse(line)).map(({ level, event }) => `${level} ${event}`);
      expect(told).toEqual([
        "info redis is available",
        "warn redis is not available: limits follow redis_down",
        "info redis is available",
      ]);
    });
  });

  describe("a call that was under way when the server failed", () => {
    it("D7 frees its place and is charged when the server is back", async () => {
      const scene = await stage({ concurrency: 1, tokensPerMinute: 1000 });
      const call = await scene.call(10);
      await demote();
      for (let use = 0; use < 5; use += 1) await scene.read();
      if (call.ok) call.permit.settle(400);
      await promote();
      await scene.recover();
      await scene.counters.idle();
      expect(await scene.call()).toMatchObject({ ok: true, state: { tokens: { remaining: 600 } } });
    });

    it("is not lost where only its settlement failed", async () => {
      const scene = await stage({ concurrency: 1, tokensPerMinute: 1000 });
      const call = await scene.call(10);
      await demote();
      if (call.ok) call.permit.settle(400);
      await scene.counters.idle();
      await promote();
      expect(scene.isUp()).toBe(true);
      platform.advance(5000);
      await scene.counters.idle();
      expect(await scene.call()).toMatchObject({ ok: true, state: { tokens: { remaining: 600 } } });
    });

    it("keeps its place for the time in which no other gateway can give it away", async () => {
      const scene = await stage({ concurrency: 1 });
      const call = await scene.call();
      await demote();
      for (let use = 0; use < 5; use += 1) await scene.read();
      platform.advance(60_000);
      await promote();
      await scene.recover();
      expect(await scene.free()).toBe(0);
      if (call.ok) call.permit.settle(0);
      expect(await scene.free()).toBe(1);
    });
  });

  describe("D7 emptied", () => {
    it("at most one extra window for each key, and running calls get their places again", async () => {
      const scene = await stage({ requestsPerMinute: 10, concurrency: 5, tokensPerMinute: 1000 });
      const running = [await scene.call(300), await scene.call(300), await scene.call(300)];
      expect(await scene.passes(20)).toBe(7);
      await server.client.flushall();
      await server.client.script("FLUSH");
      platform.advance(5000);
      expect(await scene.call(101)).toMatchObject({ ok: false, refused: { limit: "tokens" } });
      expect(await scene.free()).toBe(2);
      expect(await scene.passes(20)).toBe(8);
      for (const admission of running) if (admission.ok) admission.permit.settle(300);
      scene.change({ requestsPerMinute: 1000 });
      expect(await scene.call(101)).toMatchObject({ ok: false, refused: { limit: "tokens" } });
      expect(await scene.free()).toBe(5);
    });

    it("a call that ends before any other begins is charged all the same", async () => {
      const scene = await stage({ tokensPerMinute: 1000 });
      const call = await scene.call(10);
      await server.client.flushall();
      platform.advance(5000);
      if (call.ok) call.permit.settle(400);
      await scene.counters.idle();
      expect(await scene.call()).toMatchObject({ ok: true, state: { tokens: { remaining: 600 } } });
    });

    it("a server that is started again is used again, and calls in between are not lost", async () => {
      const scene = await stage({ requestsPerMinute: 10 }, { down: "local" });
      expect(await scene.passes(20)).toBe(10);
      await server.stop();
      expect(await scene.passes(20)).toBe(10);
      expect(scene.isUp()).toBe(false);
      expect(scene.answersAtOnce()).toBe(true);
      await server.start();
      await scene.recover();
      expect(scene.answersAtOnce()).toBe(false);
      expect(await scene.passes(20)).toBe(10);
    });
  });

  describe("a server that does not answer in time", () => {
    /** What was asked in vain must leave no trace, although the server may have done it. */
    const leavesNoTrace = async (scene: Awaited<ReturnType<typeof stage>>, cure: () => void) => {
      const calls = await Promise.all(Array.from({ length: 8 }, () => scene.call(100)));
      expect(calls.filter(({ ok }) => ok)).toHaveLength(8);
      expect(scene.isUp()).toBe(false);
      expect(scene.answersAtOnce()).toBe(true);
      cure();
      await scene.recover();
      await scene.counters.idle();
      expect(scene.answersAtOnce()).toBe(false);
      expect(await scene.call()).toMatchObject({
        ok: true,
        state: { requests: { remaining: 99 }, tokens: { remaining: 5000 } },
      });
      expect(await scene.free()).toBe(8 - 1);
    };
    const limits = { requestsPerMinute: 100, tokensPerMinute: 5000, concurrency: 8 };

    it("frozen", async () => {
      const scene = await stage(limits, { down: "local", timeoutMs: 200 });
      server.freeze();
      await leavesNoTrace(scene, server.thaw);
    });

    it("an end that was taken without an answer is not counted again", async () => {
      await using proxy = await startDelayingProxy(server.port);
      const url = `redis://127.0.0.1:${proxy.port}`;
      const scene = await stage(limits, { down: "local", timeoutMs: 200, url });
      const call = await scene.call(100);
      proxy.delay(500);
      if (call.ok) call.permit.settle(4000);
      await scene.counters.idle();
      proxy.delay(0);
      // What is sent now comes after what was delayed.
      for (let turn = 0; turn < 3; turn += 1) {
        platform.advance(5000);
        await scene.counters.idle();
      }
      expect(scene.isUp()).toBe(true);
      // In 15 s 1250 have drained.
      expect(await scene.call()).toMatchObject({ ok: true, state: { tokens: { remaining: 5000 - 4000 + 1250 } } });
    });

    it("too slow", async () => {
      await using proxy = await startDelayingProxy(server.port);
      const url = `redis://127.0.0.1:${proxy.port}`;
      const scene = await stage(limits, { down: "local", timeoutMs: 200, url });
      proxy.delay(500);
      await leavesNoTrace(scene, () => proxy.delay(0));
    });
  });

  it("D7 a server that cannot be reached at the start is a warning, and is used from when it can be", async () => {
    await server.stop();
    const scene = await stage({ requestsPerMinute: 10 }, { down: "local", replicas: 2 });
    expect(scene.log.join()).toContain("redis cannot be reached: limits follow redis_down");
    expect(scene.answersAtOnce()).toBe(true);
    expect(await scene.passes(20)).toBe(5);
    await server.start();
    await scene.recover();
    expect(await scene.passes(20)).toBe(10);
  });
});
