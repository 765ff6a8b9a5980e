import { expect, it } from "vitest";
import { describePostgres, postgresDatabase } from "../../packages/gateway/src/testing/database-engines.ts";
import { runRaceScene, shed, wrongRaces } from "./quota-race-scene.ts";

/* A small slice of the long run (run.ts --race): 2, 10, 100 and 500 callers, each set twice. */

const repeats = 2;

it("M5 M6 as many calls are served as quota or balance pays, however many come at once (SQLite)", async () => {
  const { results, violations } = await runRaceScene({ repeats });
  expect(wrongRaces(results)).toEqual([]);
  expect(results).toHaveLength(8 * repeats);
  expect(violations).toEqual([]);
}, 120_000);

describePostgres("PostgreSQL", () => {
  it("M5 M6 as many calls are served as quota or balance pays, over three replicas at once", async () => {
    using made = await postgresDatabase();
    const { results, violations } = await runRaceScene({ database: made.config, repeats });
    expect(wrongRaces(results)).toEqual([]);
    // At 500 the pool's wait of 250 ms may be over before the database can say; below, everybody is told.
    expect(results.filter(({ callers }) => callers <= 10).filter((result) => shed(result) > 0)).toEqual([]);
    expect(violations).toEqual([]);
  }, 120_000);
});
