import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { KeyLimits } from "../config/config.ts";
import type { LimitedAccount, RateCounters } from "../coordination/rate-counters.ts";
import { type TestPlatform, testPlatform } from "./test-platform.ts";

/** Counters whose time is the platform's, empty. */
export type MakeCounters = (platform: TestPlatform) => Promise<RateCounters>;

export interface ContractOptions {
  make: MakeCounters;
  /** Makes an end of what is shared by the tests. */
  end?: () => Promise<void>;
  /** How often a property is tried. */
  runs: number;
}

export const wideLimits: KeyLimits = {
  requestsPerMinute: 1_000_000,
  tokensPerMinute: 1_000_000_000,
  concurrency: 1_000_000,
};

/** A refusal as it is told. */
export const refused = (limit: string, allowed: number, retryAfterMs: number, scope = "key") => ({
  ok: false,
  refused: { kind: "limit", scope, limit, allowed, retryAfterMs },
});

/** One key (and another), one account, and time that the test moves. */
export function rateScene(counters: RateCounters, platform: TestPlatform, own: Partial<KeyLimits> = {}) {
  let limits = { ...wideLimits, ...own };
  let account: LimitedAccount | undefined;
  const demand = (tokens: number, keyId: string) => ({ keyId, limits, tokens, ...(account ? { account } : {}) });
  return {
    counters,
    /** Moves time on to so many milliseconds after the start. */
    at: (ms: number) => platform.advance(ms - platform.monotonic()),
    change(more: Partial<KeyLimits>) {
      limits = { ...limits, ...more };
    },
    /** Puts the keys into an account with these limits. */
    join(shared: Partial<KeyLimits>, id = "account_1") {
      account = { id, limits: shared };
    },
    call: async (tokens = 0, keyId = "key_1") => counters.admitCall(demand(tokens, keyId)),
    read: async (keyId = "key_1") => counters.admitRead(demand(0, keyId)),
    /** A call that is over in the same moment. */
    async pass(tokens = 0, used = 0, keyId = "key_1") {
      const admission = await counters.admitCall(demand(tokens, keyId));
      if (admission.ok) admission.permit.settle(used);
      return admission;
    },
  };
}

/** What holds for all counters, whoever keeps them (C13). */
export function describeRateCounters(name: string, { make, end, runs }: ContractOptions): void {
  describe(name, () => {
    let platform: TestPlatform;
    let counters: RateCounters;
    const stage = (own: Partial<KeyLimits> = {}) => rateScene(counters, platform, own);
    beforeEach(async () => {
      platform = testPlatform();
      platform.advance(0.25);
      counters = await make(platform);
    });
    if (end) afterAll(end);

    describe("C13 requests a minute", () => {
      it.each([1, 2, 7, 600])("of a limit of %i exactly that many pass at once, and no more", async (limit) => {
        const scene = stage({ requestsPerMinute: limit });
        for (let use = 1; use <= limit; use += 1) {
          expect(await scene.pass()).toMatchObject({
            ok: true,
            state: { requests: { limit, remaining: limit - use } },
          });
        }
        expect(await scene.pass()).toMatchObject(refused("requests", limit, Math.ceil(60_000 / limit)));
      });

      it("come back one by one, to the millisecond", async () => {
        const scene = stage({ requestsPerMinute: 600 });
        for (let use = 0; use < 600; use += 1) await scene.pass();
        scene.at(99);
        expect(await scene.pass()).toMatchObject(refused("requests", 600, 1));
        scene.at(100);
        expect(await scene.pass()).toMatchObject({ ok: true });
        expect(await scene.pass()).toMatchObject(refused("requests", 600, 100));
        scene.at(100 + 60_000);
        for (let use = 0; use < 600; use += 1) expect((await scene.pass()).ok).toBe(true);
        expect((await scene.pass()).ok).toBe(false);
      });

      it("a refused request uses nothing up", async () => {
        const scene = stage({ requestsPerMinute: 2 });
        await scene.pass();
        await scene.pass();
        for (let attempt = 0; attempt < 100; attempt += 1)
          expect(await scene.pass()).toMatchObject(refused("requests", 2, 30_000));
        scene.at(30_000);
        expect((await scene.pass()).ok).toBe(true);
      });

      it("keys do not share", async () => {
        const scene = stage({ requestsPerMinute: 1 });
        const passed = [await scene.call(0, "a"), await scene.call(0, "a"), await scene.call(0, "b")];
        expect(passed.map(({ ok }) => ok)).toEqual([true, false, true]);
      });

      it("admits as the exact model does, whatever the limit, the times and the changes", async () => {
        const step = fc.record({ wait: fc.integer({ min: 0, max: 70_000 }), limit: fc.integer({ min: 1, max: 5000 }) });
        let run = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: 5000 }),
            fc.array(step, { maxLength: 200 }),
            async (first, steps) => {
              const scene = stage({ requestsPerMinute: first });
              run += 1;
              const key = `key_of_run_${run}`;
              // In fractions of a request, without any rounding.
              let used = 0n;
              let last = BigInt(Math.floor(platform.monotonic()));
              for (const { wait, limit } of steps) {
                // Mostly the same limit, so that it can be reached.
                const now = BigInt(Math.max(1, wait % 3 === 0 ? limit % 40 : first));
                scene.change({ requestsPerMinute: Number(now) });
                platform.advance(wait % 500);
                const at = BigInt(Math.floor(platform.monotonic()));
                const drained = (at - last) * now;
                used = used > drained ? used - drained : 0n;
                last = at;
                const fits = used + 60_000n <= now * 60_000n;
                if (fits) used += 60_000n;
                expect((await scene.pass(0, 0, key)).ok).toBe(fits);
              }
            },
          ),
          { numRuns: runs },
        );
      });
    });

    describe("C13 calls at once", () => {
      it("exactly the limit runs, and each end frees one place, once", async () => {
        const scene = stage({ concurrency: 10 });
        const admissions = await Promise.all(Array.from({ length: 500 }, () => scene.call()));
        const permits = admissions.flatMap((admission) => (admission.ok ? [admission.permit] : []));
        expect(permits).toHaveLength(10);
        expect(admissions[10]).toMatchObject(refused("concurrency", 10, 1000));
        permits[0]?.settle(0);
        permits[0]?.settle(0);
        expect([(await scene.call()).ok, (await scene.call()).ok]).toEqual([true, false]);
        for (const permit of permits) permit.settle(0);
        const again = await Promise.all(Array.from({ length: 20 }, () => scene.call()));
        expect(again.filter(({ ok }) => ok)).toHaveLength(9);
      });

      it("a lower limit lets running calls end and no new one begin", async () => {
        const scene = stage({ concurrency: 3 });
        const running = [await scene.call(), await scene.call(), await scene.call()];
        scene.change({ concurrency: 1 });
        for (const admission of running.slice(0, 2)) if (admission.ok) admission.permit.settle(0);
        expect((await scene.call()).ok).toBe(false);
        if (running[2]?.ok) running[2].permit.settle(0);
        expect((await scene.call()).ok).toBe(true);
      });

      it("a call that runs for long keeps its place", async () => {
        const scene = stage({ concurrency: 1 });
        const long = await scene.call();
        scene.at(3_600_000);
        expect((await scene.call()).ok).toBe(false);
        if (long.ok) long.permit.settle(0);
        expect((await scene.call()).ok).toBe(true);
      });
    });

    describe("C13 tokens a minute", () => {
      it("of what is left exactly that much can be set aside", async () => {
        const scene = stage({ tokensPerMinute: 1000 });
        expect(await scene.call(400)).toMatchObject({ ok: true, state: { tokens: { limit: 1000, remaining: 600 } } });
        expect((await scene.call(601)).ok).toBe(false);
        expect(await scene.call(600)).toMatchObject({ ok: true, state: { tokens: { remaining: 0, resetMs: 60_000 } } });
        expect((await scene.call(1)).ok).toBe(false);
      });

      it("a call that failed gives all back, one that used less the rest; more is a debt that drains first", async () => {
        const scene = stage({ tokensPerMinute: 1000 });
        await scene.pass(1000, 0);
        expect(await scene.call(0)).toMatchObject({ ok: true, state: { tokens: { remaining: 1000 } } });
        expect(await scene.pass(1000, 300)).toMatchObject({ ok: true });
        expect(await scene.pass(700, 1700)).toMatchObject({ ok: true });
        // 2000 used: a debt of 1000, which is gone after a minute.
        expect(await scene.pass(1)).toMatchObject(refused("tokens", 1000, 60_060));
        scene.at(60_059);
        expect((await scene.pass(1)).ok).toBe(false);
        scene.at(60_060);
        expect((await scene.pass(1)).ok).toBe(true);
      });

      it("what is set aside does not drain while its call runs, so it cannot forgive another's use", async () => {
        const scene = stage({ tokensPerMinute: 1000 });
        const long = await scene.call(500);
        scene.at(600_000);
        await scene.pass(500, 500);
        expect((await scene.call(1)).ok).toBe(false);
        if (long.ok) long.permit.settle(0);
        expect((await scene.call(501)).ok).toBe(false);
        expect((await scene.call(500)).ok).toBe(true);
      });

      it("what a call used drains from its end on, not from its begin", async () => {
        const scene = stage({ tokensPerMinute: 1000 });
        const call = await scene.call(10);
        scene.at(30_000);
        if (call.ok) call.permit.settle(1000);
        expect(await scene.pass(1)).toMatchObject(refused("tokens", 1000, 60));
      });

      it("a call that is estimated above the whole limit waits for all of it, not for ever", async () => {
        const scene = stage({ tokensPerMinute: 1000 });
        await scene.pass(10, 10);
        expect(await scene.call(50_000)).toMatchObject(refused("tokens", 1000, 600));
        scene.at(600);
        expect((await scene.call(50_000)).ok).toBe(true);
      });

      it("a refusal for tokens uses no request up, and the order is concurrency, requests, tokens", async () => {
        const scene = stage({ tokensPerMinute: 10, requestsPerMinute: 2, concurrency: 1 });
        const first = await scene.call(10);
        expect(await scene.call(1)).toMatchObject({
          refused: { limit: "concurrency" },
          state: { requests: { remaining: 1 } },
        });
        if (first.ok) first.permit.settle(10);
        expect(await scene.call(1)).toMatchObject({
          refused: { limit: "tokens" },
          state: { requests: { remaining: 1 } },
        });
        expect((await scene.pass(0)).ok).toBe(true);
        expect(await scene.call(1)).toMatchObject({ refused: { limit: "requests" } });
      });

      it("a counter that an upstream told wrong does not lock the key for days", async () => {
        const scene = stage({ tokensPerMinute: 2_000_000 });
        await scene.pass(10, Number.MAX_SAFE_INTEGER);
        const next = await scene.call(10);
        expect(next.ok ? 0 : next.refused.retryAfterMs).toBeLessThan(5 * 60_000);
      });

      it("are exact at the highest limit that can be set", async () => {
        const scene = stage({ tokensPerMinute: 1_000_000_000 });
        for (let use = 0; use < 99; use += 1) await scene.pass(0, 10_000_000);
        await scene.pass(0, 9_999_999);
        expect(await scene.call(1)).toMatchObject({ ok: true, state: { tokens: { remaining: 0 } } });
        expect((await scene.call(1)).ok).toBe(false);
      });
    });

    describe("C13 limits of an account", () => {
      it("are shared by its keys, beside the limits of each; other accounts have their own", async () => {
        const scene = stage({ requestsPerMinute: 2 });
        scene.join({ requestsPerMinute: 3 });
        expect(await scene.pass(0, 0, "a")).toMatchObject({ ok: true });
        expect(await scene.pass(0, 0, "a")).toMatchObject({ ok: true });
        expect(await scene.pass(0, 0, "a")).toMatchObject(refused("requests", 2, 30_000));
        expect(await scene.pass(0, 0, "b")).toMatchObject({ ok: true });
        expect(await scene.pass(0, 0, "b")).toMatchObject(refused("requests", 3, 20_000, "account"));
        expect(await scene.pass(0, 0, "c")).toMatchObject(refused("requests", 3, 20_000, "account"));
        scene.join({ requestsPerMinute: 3 }, "account_2");
        expect(await scene.pass(0, 0, "d")).toMatchObject({ ok: true });
      });

      it("what the account refuses uses nothing of the key up, and what the key refuses nothing of the account", async () => {
        const scene = stage({ requestsPerMinute: 2, tokensPerMinute: 100, concurrency: 2 });
        scene.join({ requestsPerMinute: 3, tokensPerMinute: 50, concurrency: 3 });
        await scene.pass(0, 0, "a");
        await scene.pass(0, 0, "a");
        for (let use = 0; use < 10; use += 1) expect((await scene.pass(0, 0, "a")).ok).toBe(false);
        // One request of the account is left, and all tokens.
        expect(await scene.call(50, "b")).toMatchObject({
          ok: true,
          state: { requests: { limit: 3, remaining: 0 }, tokens: { limit: 50, remaining: 0 } },
        });
        for (let use = 0; use < 10; use += 1)
          expect(await scene.call(1, "c")).toMatchObject({ ok: false, refused: { scope: "account" } });
        scene.at(60_000);
        scene.join({ concurrency: 3 });
        const places = [await scene.call(100, "c"), await scene.call(0, "c"), await scene.call(0, "c")];
        expect(places).toMatchObject([{ ok: true }, { ok: true }, refused("concurrency", 2, 1000)]);
        expect(await scene.call(0, "d")).toMatchObject(refused("concurrency", 3, 1000, "account"));
      });

      it("tokens are set aside and charged in both; the headers' figures are those of the tighter one", async () => {
        const scene = stage({ tokensPerMinute: 1000, requestsPerMinute: 10 });
        scene.join({ tokensPerMinute: 1500, requestsPerMinute: 600 });
        expect(await scene.pass(600, 700, "a")).toMatchObject({ state: { tokens: { limit: 1000, remaining: 400 } } });
        expect(await scene.call(600, "b")).toMatchObject({
          ok: true,
          state: { tokens: { limit: 1500, remaining: 200 }, requests: { limit: 10, remaining: 9 } },
        });
        expect(await scene.call(300, "c")).toMatchObject({ ok: false, refused: { scope: "account", limit: "tokens" } });
        expect((await scene.call(200, "c")).ok).toBe(true);
      });

      it("where both are reached, the longer wait is told", async () => {
        const scene = stage({ requestsPerMinute: 1 });
        scene.join({ requestsPerMinute: 1 });
        await scene.pass();
        expect(await scene.pass()).toMatchObject(refused("requests", 1, 60_000));
        scene.change({ requestsPerMinute: 2 });
        await scene.pass(0, 0, "b");
        expect(await scene.pass()).toMatchObject(refused("requests", 1, 60_000, "account"));
      });

      it("a call that is estimated above the account's whole limit may run when nothing of it is used", async () => {
        const scene = stage({ tokensPerMinute: 1000 });
        scene.join({ tokensPerMinute: 100 });
        const big = await scene.call(5000);
        expect(big).toMatchObject({
          ok: true,
          permit: { reserved: 100 },
          state: { tokens: { limit: 100, remaining: 0 } },
        });
        expect((await scene.call(1, "b")).ok).toBe(false);
      });

      it("what it does not set is not limited, and a limit that is set later begins empty", async () => {
        const scene = stage();
        scene.join({});
        for (let use = 0; use < 20; use += 1) await scene.call(1000, `key_${use}`);
        const free = await scene.call(0, "other");
        expect(free).toMatchObject({ ok: true, state: { requests: { limit: 1_000_000 } } });
        scene.join({ requestsPerMinute: 2, tokensPerMinute: 1_000_000_000 });
        const passed = [await scene.pass(), await scene.pass(), await scene.pass()];
        expect(passed.map(({ ok }) => ok)).toEqual([true, true, false]);
        scene.join({ concurrency: 1000 });
        expect((await scene.pass()).ok).toBe(true);
        scene.join({ requestsPerMinute: 2 });
        expect(await scene.pass()).toMatchObject({ ok: true, state: { requests: { limit: 2, remaining: 1 } } });
      });
    });

    describe("counts and lists", () => {
      it("have a meter of their own and take no place", async () => {
        const scene = stage({ requestsPerMinute: 2, concurrency: 2 });
        expect((await scene.call()).ok).toBe(true);
        expect([(await scene.read()).ok, (await scene.read()).ok]).toEqual([true, true]);
        expect(await scene.read()).toMatchObject({
          ...refused("requests", 2, 30_000),
          state: { requests: { limit: 2, remaining: 0 } },
        });
        expect((await scene.call()).ok).toBe(true);
        expect(await scene.call()).toMatchObject({ refused: { limit: "concurrency" } });
      });

      it("are limited by the account, too, and use nothing up where one refuses", async () => {
        const scene = stage({ requestsPerMinute: 2 });
        scene.join({ requestsPerMinute: 3 });
        const read = async (key: string) => (await scene.read(key)).ok;
        expect([await read("a"), await read("a"), await read("a"), await read("b")]).toEqual([true, true, false, true]);
        expect(await scene.read("b")).toMatchObject(refused("requests", 3, 20_000, "account"));
        expect(await scene.read("b")).toMatchObject({ state: { requests: { limit: 3, remaining: 0 } } });
        scene.join({});
        expect([await read("b"), await read("b")]).toEqual([true, false]);
      });
    });
  });
}
