import { expect, it } from "vitest";
import { describePostgres, postgresDatabase } from "../../packages/gateway/src/testing/database-engines.ts";
import { describeRedis } from "../../packages/gateway/src/testing/describe-redis.ts";
import { availableRedis } from "../support/available-redis.ts";
import type { RevocationReport } from "./revocation.ts";
import { runRevocations } from "./revocation-scene.ts";

/* A small slice of the long run (tests/crash/run.ts --revocation). */

const repeats = 3;

function expectKept(report: RevocationReport | undefined): void {
  expect(report?.delays.filter((delay) => delay > 1000)).toEqual([]);
  expect(report?.delays).toHaveLength(repeats);
  expect(report?.revived).toBe(0);
}

describePostgres("PostgreSQL", () => {
  describeRedis("Redis", () => {
    it("A1 a disabled key is refused on all replicas within a second, with Redis up and with Redis down", async () => {
      using made = await postgresDatabase();
      await using redis = await availableRedis();
      const reports = await runRevocations({ database: made.config, repeats, ...(redis ? { redis } : {}) });
      expectKept(reports["Redis up"]);
      expectKept(reports["Redis down"]);
    }, 300_000);
  });
});
