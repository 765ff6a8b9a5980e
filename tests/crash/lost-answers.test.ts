import { expect, it } from "vitest";
import { describePostgres, postgresDatabase } from "../../packages/gateway/src/testing/database-engines.ts";
import { runLostAnswers } from "./lost-answers.ts";

describePostgres("PostgreSQL", () => {
  it("M1 M2 M15 commits whose answer is lost: nothing is charged twice, nothing stays set aside", async () => {
    using made = await postgresDatabase();
    const report = await runLostAnswers({ database: made.config, losses: 10, seed: 20_261_121 });
    expect(report.violations).toEqual([]);
    expect(report.open).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(20);
  }, 300_000);
});
