import { expect, it } from "vitest";
import { describeRateCounters, rateScene } from "../testing/rate-counters-contract.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createProcessRateCounters } from "./process-rate-counters.ts";

describeRateCounters("counters of one process", {
  make: async (platform) => createProcessRateCounters(platform.monotonic),
  runs: 100,
});

it("O8 keys and accounts that nobody uses any more are forgotten, those that owe or run are not", async () => {
  const platform = testPlatform();
  const counters = createProcessRateCounters(platform.monotonic);
  const scene = rateScene(counters, platform);
  scene.join({ requestsPerMinute: 1_000_000 });
  for (let index = 0; index < 1022; index += 1) await scene.read(`idle_${index}`);
  const running = await scene.call(0, "running");
  await scene.pass(0, 10_000_000, "owing");
  scene.change({ tokensPerMinute: 1000 });
  await scene.read("owing");
  scene.at(120_000);
  await scene.read("new");
  // And the account.
  expect(counters.size).toBe(3 + 1);
  expect(counters.running("running")).toBe(1);
  expect((await scene.call(1, "owing")).ok).toBe(false);
  expect(running.ok).toBe(true);
});
