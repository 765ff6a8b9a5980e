import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProcessRateCounters } from "./process-rate-counters.ts";

const wide = { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1_000_000 };

/** Counters whose time the test moves. */
function stage(own: Partial<typeof wide> = {}) {
  const time = { now: 0.25 };
  const counters = createProcessRateCounters(() => time.now);
  let limits = { ...wide, ...own };
  return {
    time,
    counters,
    change(more: Partial<typeof wide>) {
      limits = { ...limits, ...more };
    },
    call: (tokens = 0, keyId = "key_1") => counters.admitCall({ keyId, limits, tokens }),
    read: (keyId = "key_1") => counters.admitRead({ keyId, limits }),
    /** A call that is over in the same moment. */
    pass(tokens = 0, used = 0) {
      const admission = counters.admitCall({ keyId: "key_1", limits, tokens });
      if (admission.ok) admission.permit.settle(used);
      return admission;
    },
  };
}

const refused = (limit: string, allowed: number, retryAfterMs: number) => ({
  ok: false,
  refused: { limit, allowed, retryAfterMs },
});

describe("C13 requests a minute", () => {
  it.each([1, 2, 7, 600])("of a limit of %i exactly that many pass at once, and no more", (limit) => {
    const scene = stage({ requestsPerMinute: limit });
    for (let use = 1; use <= limit; use += 1) {
      expect(scene.pass()).toMatchObject({ ok: true, state: { requests: { limit, remaining: limit - use } } });
    }
    expect(scene.pass()).toMatchObject(refused("requests", limit, Math.ceil(60_000 / limit)));
  });

  it("come back one by one, to the millisecond", () => {
    const scene = stage({ requestsPerMinute: 600 });
    for (let use = 0; use < 600; use += 1) scene.pass();
    scene.time.now = 99;
    expect(scene.pass()).toMatchObject(refused("requests", 600, 1));
    scene.time.now = 100;
    expect(scene.pass()).toMatchObject({ ok: true });
    expect(scene.pass()).toMatchObject(refused("requests", 600, 100));
    scene.time.now = 100 + 60_000;
    for (let use = 0; use < 600; use += 1) expect(scene.pass().ok).toBe(true);
    expect(scene.pass().ok).toBe(false);
  });

  it("a refused request uses nothing up", () => {
    const scene = stage({ requestsPerMinute: 2 });
    scene.pass();
    scene.pass();
    for (let attempt = 0; attempt < 100; attempt += 1)
      expect(scene.pass()).toMatchObject(refused("requests", 2, 30_000));
    scene.time.now = 30_000;
    expect(scene.pass().ok).toBe(true);
  });

  it("keys do not share", () => {
    const scene = stage({ requestsPerMinute: 1 });
    expect([scene.call(0, "a").ok, scene.call(0, "a").ok, scene.call(0, "b").ok]).toEqual([true, false, true]);
  });

  it("admits as the exact model does, whatever the limit, the times and the changes", () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 70_000 }), limit: fc.integer({ min: 1, max: 5000 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.array(step, { maxLength: 200 }), (first, steps) => {
        const scene = stage({ requestsPerMinute: first });
        // In fractions of a request, without any rounding.
        let used = 0n;
        let last = 0n;
        scene.time.now = 0;
        for (const { wait, limit } of steps) {
          // Mostly the same limit, so that it can be reached.
          const now = wait % 3 === 0 ? limit % 40 : first;
          scene.change({ requestsPerMinute: Math.max(1, now) });
          scene.time.now += wait % 500;
          const at = BigInt(scene.time.now);
          const drained = (at - last) * BigInt(Math.max(1, now));
          used = used > drained ? used - drained : 0n;
          last = at;
          const fits = used + 60_000n <= BigInt(Math.max(1, now)) * 60_000n;
          if (fits) used += 60_000n;
          expect(scene.pass().ok).toBe(fits);
        }
      }),
    );
  });
});

describe("C13 calls at once", () => {
  it("exactly the limit runs, and each end frees one place, once", () => {
    const scene = stage({ concurrency: 10 });
    const admissions = Array.from({ length: 500 }, () => scene.call());
    const permits = admissions.flatMap((admission) => (admission.ok ? [admission.permit] : []));
    expect(permits).toHaveLength(10);
    expect(admissions[10]).toMatchObject(refused("concurrency", 10, 1000));
    permits[0]?.settle(0);
    permits[0]?.settle(0);
    expect([scene.call().ok, scene.call().ok]).toEqual([true, false]);
    for (const permit of permits) permit.settle(0);
    expect(scene.counters.running("key_1")).toBe(1);
  });

  it("a lower limit lets running calls end and no new one begin", () => {
    const scene = stage({ concurrency: 3 });
    const running = [scene.call(), scene.call(), scene.call()];
    scene.change({ concurrency: 1 });
    for (const admission of running.slice(0, 2)) if (admission.ok) admission.permit.settle(0);
    expect(scene.call().ok).toBe(false);
    if (running[2]?.ok) running[2].permit.settle(0);
    expect(scene.call().ok).toBe(true);
  });
});

describe("C13 tokens a minute", () => {
  it("of what is left exactly that much can be set aside", () => {
    const scene = stage({ tokensPerMinute: 1000 });
    expect(scene.call(400)).toMatchObject({ ok: true, state: { tokens: { limit: 1000, remaining: 600 } } });
    expect(scene.call(601).ok).toBe(false);
    expect(scene.call(600)).toMatchObject({ ok: true, state: { tokens: { remaining: 0, resetMs: 60_000 } } });
    expect(scene.call(1).ok).toBe(false);
  });

  it("a call that failed gives all back, one that used less the rest; more becomes a debt that drains first", () => {
    const scene = stage({ tokensPerMinute: 1000 });
    scene.pass(1000, 0);
    expect(scene.call(0)).toMatchObject({ ok: true, state: { tokens: { remaining: 1000 } } });
    expect(scene.pass(1000, 300)).toMatchObject({ ok: true });
    expect(scene.pass(700, 1700)).toMatchObject({ ok: true });
    // 2000 used: a debt of 1000, which is gone after a minute.
    expect(scene.pass(1)).toMatchObject(refused("tokens", 1000, 60_060));
    scene.time.now = 60_059;
    expect(scene.pass(1).ok).toBe(false);
    scene.time.now = 60_060;
    expect(scene.pass(1).ok).toBe(true);
  });

  it("what is set aside does not drain while its call runs, so it cannot forgive another's use", () => {
    const scene = stage({ tokensPerMinute: 1000 });
    const long = scene.call(500);
    scene.time.now = 600_000;
    scene.pass(500, 500);
    expect(scene.call(1).ok).toBe(false);
    if (long.ok) long.permit.settle(0);
    expect(scene.call(501).ok).toBe(false);
    expect(scene.call(500).ok).toBe(true);
  });

  it("a call that is estimated above the whole limit waits for all of it, not for ever", () => {
    const scene = stage({ tokensPerMinute: 1000 });
    scene.pass(10, 10);
    expect(scene.call(50_000)).toMatchObject(refused("tokens", 1000, 600));
    scene.time.now = 600;
    expect(scene.call(50_000).ok).toBe(true);
  });

  it("a refusal for tokens uses no request up, and the order is concurrency, requests, tokens", () => {
    const scene = stage({ tokensPerMinute: 10, requestsPerMinute: 2, concurrency: 1 });
    const first = scene.call(10);
    expect(scene.call(1)).toMatchObject({ refused: { limit: "concurrency" }, state: { requests: { remaining: 1 } } });
    if (first.ok) first.permit.settle(10);
    expect(scene.call(1)).toMatchObject({ refused: { limit: "tokens" }, state: { requests: { remaining: 1 } } });
    expect(scene.pass(0).ok).toBe(true);
    expect(scene.call(1)).toMatchObject({ refused: { limit: "requests" } });
  });

  it("a counter that an upstream told wrong does not lock the key for days", () => {
    const scene = stage({ tokensPerMinute: 2_000_000 });
    scene.pass(10, Number.MAX_SAFE_INTEGER);
    const next = scene.call(10);
    expect(next.ok ? 0 : next.refused.retryAfterMs).toBeLessThan(5 * 60_000);
  });
});

describe("counts and lists", () => {
  it("have a meter of their own and take no place", () => {
    const scene = stage({ requestsPerMinute: 2, concurrency: 1 });
    scene.call();
    expect([scene.read().ok, scene.read().ok]).toEqual([true, true]);
    expect(scene.read()).toMatchObject(refused("requests", 2, 30_000));
    expect(scene.counters.running("key_1")).toBe(1);
  });
});

it("O8 keys that nobody uses any more are forgotten, those that owe or run are not", () => {
  const scene = stage();
  for (let index = 0; index < 1022; index += 1) scene.read(`idle_${index}`);
  const running = scene.call(0, "running");
  const owing = scene.call(0, "owing");
  if (owing.ok) owing.permit.settle(10_000_000);
  scene.change({ tokensPerMinute: 1000 });
  scene.read("owing");
  scene.time.now = 120_000;
  scene.read("new");
  expect(scene.counters.size).toBe(3);
  expect(scene.counters.running("running")).toBe(1);
  expect(scene.call(1, "owing").ok).toBe(false);
  expect(running.ok).toBe(true);
});
