/**
 * What a failing Redis costs a call (D7): the time of an admission while the server answers, in the moment in which it
 * freezes, and after. Needs redis-server in PATH: `node bench/redis-down.ts`.
 */
import { openCoordination } from "../packages/gateway/src/coordination/open-coordination.ts";
import { systemEvery, systemPlatform } from "../packages/gateway/src/platform.ts";
import { createLog } from "../packages/gateway/src/telemetry/log.ts";
import { startRedisServer } from "../packages/gateway/src/testing/redis-server.ts";

const limits = { requestsPerMinute: 1_000_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1_000_000 };
/** Calls a second, one after the other at even distances. */
const rate = 500;

const server = await startRedisServer();
const platform = systemPlatform();
const { counters, close } = await openCoordination({
  redis: server.url,
  redisDown: "local",
  platform,
  every: systemEvery,
  log: createLog({ now: platform.now, level: "warn" }),
  liveReplicas: () => 1,
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The times of the admissions of so many milliseconds, each begun at its moment whatever became of those before. */
async function load(ms: number): Promise<number[]> {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const begin = performance.now();
  for (let count = 0; performance.now() - begin < ms; ) {
    for (; count < ((performance.now() - begin) * rate) / 1000; count += 1) calls.push(call(count, times));
    await pause(1);
  }
  await Promise.all(calls);
  return times;
}

async function call(count: number, times: number[]): Promise<void> {
  const begin = performance.now();
  const asked = counters.admitCall({ keyId: `key_${count % 50}`, limits, tokens: 100 });
  const admission = asked instanceof Promise ? await asked : asked;
  times.push(performance.now() - begin);
  if (!admission.ok) throw new Error("a call was lost");
  admission.permit.settle(50);
}

function report(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
  console.log(`${name.padEnd(28)} ${sorted.length} calls: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
}

await load(1000);
report("answering", await load(3000));
server.freeze();
report("first 100 ms frozen", await load(100));
report("frozen", await load(1800));
report("frozen, connection given up", await load(3000));
server.thaw();
await pause(2500);
report("answering again", await load(3000));
await server.stop();
report("first 100 ms stopped", await load(100));
report("stopped", await load(3000));
await close();
await server[Symbol.asyncDispose]();
