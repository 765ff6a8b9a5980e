import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeRedis } from "../../testing/describe-redis.ts";
import { describeRateCounters, rateScene, refused } from "../../testing/rate-counters-contract.ts";
import { type RedisReplica, type RedisReplicaOptions, startRedisReplica } from "../../testing/redis-replica.ts";
import { type RedisServer, startRedisServer } from "../../testing/redis-server.ts";
import { type TestPlatform, testPlatform } from "../../testing/test-platform.ts";

describeRedis("Redis", () => {
  let server: RedisServer | undefined;
  let replicas: RedisReplica[] = [];
  let platform: TestPlatform;
  const replica = async (more: Partial<RedisReplicaOptions> = {}) => {
    server ??= await startRedisServer();
    const made = await startRedisReplica({ url: server.url, platform, ...more });
    replicas.push(made);
    return made;
  };
  beforeEach(() => {
    platform = testPlatform();
  });
  afterEach(async () => {
    for (const { die } of replicas) die();
    replicas = [];
    await server?.client.flushall();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  describeRateCounters("counters on a server", {
    async make(own) {
      return (await replica({ platform: own })).counters;
    },
    runs: 20,
  });

  describe("C13 three gateways on one server", () => {
    /** Three gateways, and scenes that call them in turn. */
    const three = async (limits: Parameters<typeof rateScene>[2], more: Partial<RedisReplicaOptions> = {}) => {
      const made = [await replica(more), await replica(more), await replica(more)];
      const scenes = made.map(({ counters }) => rateScene(counters, platform, limits));
      const at = (index: number) => {
        const scene = scenes[index % 3];
        if (!scene) throw new Error("there are three gateways");
        return scene;
      };
      return { made, at, idle: () => Promise.all(made.map(({ counters }) => counters.idle())) };
    };
    const passed = (admissions: readonly { ok: boolean }[]) => admissions.filter(({ ok }) => ok).length;
    const together = <Result>(count: number, task: (index: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_each, index) => task(index)));

    it.each([1, 10, 137])("of 500 calls at once exactly %i requests pass", async (requestsPerMinute) => {
      const { at } = await three({ requestsPerMinute });
      expect(passed(await together(500, (index) => at(index).pass()))).toBe(requestsPerMinute);
    });

    it("exactly the limit runs at once, and an end at one gateway makes room at another", async () => {
      const { at, idle } = await three({ concurrency: 10 });
      const admissions = await together(500, (index) => at(index).call());
      expect(passed(admissions)).toBe(10);
      const running = admissions.flatMap((admission) => (admission.ok ? [admission.permit] : []));
      for (const permit of running.slice(0, 4)) permit.settle(0);
      await idle();
      expect(passed(await together(100, (index) => at(index).call()))).toBe(4);
    });

    it("of the tokens exactly the limit is set aside, and of an account's requests exactly the limit used", async () => {
      const { at } = await three({ tokensPerMinute: 1000 });
      expect(passed(await together(300, (index) => at(index).call(30)))).toBe(33);
      for (const index of [0, 1, 2]) at(index).join({ requestsPerMinute: 50 });
      expect(passed(await together(300, (index) => at(index).pass(0, 0, `key_${index % 7}`)))).toBe(50);
    });

    it("they admit as the exact model does, whichever gateway is asked and when", async () => {
      const { at } = await three({ requestsPerMinute: 300 });
      const step = fc.record({ wait: fc.integer({ min: 0, max: 300 }), at: fc.nat(2) });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 300, maxLength: 500 }), async (steps) => {
          run += 1;
          let used = 0;
          for (const { wait, at: index } of steps) {
            const pause = wait < 250 ? 0 : wait;
            platform.advance(pause);
            used = Math.max(0, used - pause * 300);
            const fits = used + 60_000 <= 300 * 60_000;
            if (fits) used += 60_000;
            expect((await at(index).pass(0, 0, `key_of_run_${run}`)).ok).toBe(fits);
          }
        }),
        { numRuns: 10 },
      );
    });

    it("by the server's own clock: the gateways' clocks do not matter", async () => {
      const other = testPlatform(Date.UTC(2031, 5, 1));
      other.stall(1e12);
      const one = rateScene((await replica({ fixedTime: false })).counters, platform, { requestsPerMinute: 1 });
      const two = rateScene((await replica({ fixedTime: false, platform: other })).counters, other, {
        requestsPerMinute: 1,
      });
      expect((await one.pass()).ok).toBe(true);
      expect([await two.pass(), await one.pass()]).toMatchObject([{ ok: false }, { ok: false }]);
      const again = await two.pass();
      expect(again.ok || again.refused.retryAfterMs).toBeGreaterThan(30_000);
    });

    it("the places and tokens of a gateway that died come back after 30 s, those of the living stay", async () => {
      const { made, at } = await three({ concurrency: 10, tokensPerMinute: 1000 });
      await together(6, () => at(0).call(100));
      await together(4, () => at(1).call(100));
      made[0]?.die();
      platform.advance(29_000);
      expect(await at(2).call()).toMatchObject(refused("concurrency", 10, 1000));
      platform.advance(1000);
      const places = await together(10, () => at(2).call(100));
      expect(passed(places)).toBe(6);
      expect(places[5]).toMatchObject({ ok: true, state: { tokens: { remaining: 0 } } });
      platform.advance(3_600_000);
      expect((await at(2).call()).ok).toBe(false);
    });

    it("O8 an idle key costs nothing: every key of the server has an end", async () => {
      const { at, idle } = await three({ concurrency: 10 });
      at(0).join({ requestsPerMinute: 500 });
      await at(0).call(100);
      await at(0).read();
      await at(1).pass(100, 50);
      platform.advance(5000);
      await idle();
      const keys = (await server?.client.keys("interlingua:*")) ?? [];
      expect(keys.toSorted()).toEqual([
        "interlingua:probe",
        "interlingua:{account_1}:account",
        "interlingua:{account_1}:account:places",
        "interlingua:{account_1}:key:key_1",
        "interlingua:{account_1}:key:key_1:places",
        "interlingua:{key_1}:key:key_1",
      ]);
      for (const key of keys) expect(await server?.client.pttl(key)).toBeGreaterThan(0);
    });

    it("what is used is not forgotten before it has drained", async () => {
      const { at, idle } = await three({ requestsPerMinute: 1, tokensPerMinute: 1 });
      await at(0).read("reads");
      await at(0).call(0, "requests");
      at(0).change({ requestsPerMinute: 1000 });
      await at(0).pass(0, 60, "tokens");
      await idle();
      const end = (key: string) => server?.client.pttl(`interlingua:{${key}}:key:${key}`);
      // 10 minutes more, of which the test takes less than half of one.
      expect(await end("reads")).toBeGreaterThan(10.5 * 60_000);
      expect(await end("requests")).toBeGreaterThan(10.5 * 60_000);
      expect(await end("tokens")).toBeGreaterThan(69.5 * 60_000);
    });
  });
});
