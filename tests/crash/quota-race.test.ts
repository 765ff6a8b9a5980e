import { expect, it } from "vitest";
import { describePostgres, postgresDatabase } from "../../packages/gateway/src/testing/database-engines.ts";
import { isExact, runRaceScene, wrongRaces } from "./quota-race-scene.ts";

/* A small slice of the long run (run.ts --race): 2, 10, 100 and 500 callers, each set twice. */

const repeats = 2;

it("M5 M6 as many calls are served as quota or balance pays, however many come at once (SQLite)", async () => {
  const { results, violations } = await runRaceScene({ repeats });
  expect(wrongRaces(results)).toEqual([]);
  expect(results.filter(isExact)).toHaveLength(8 * repeats);
  expect(violations).toEqual([]);
}, 300_000);

describePostgres("PostgreSQL", () => {
  it("M5 M6 as many calls are served as quota or balance pays, over three replicas at once", async () => {
    using made = await postgresDatabase();
    const { results, violations } = await runRaceScene({ database: made.config, repeats });
    expect(wrongRaces(results)).toEqual([]);
    // Where the database was too busy to say who can pay, some are told to come again; that must be the exception.
    expect(results.filter(isExact).length).toBeGreaterThanOrEqual(results.length / 2);
    expect(violations).toEqual([]);
  }, 300_000);
});
