import { expect, it } from "vitest";
import { describePostgres, postgresDatabase } from "../../packages/gateway/src/testing/database-engines.ts";
import { runCrashCycles } from "./crash-run.ts";

/* A small slice of the long runs (run.ts). */

const seed = 20_261_121;

it("M1 M2 M3 M7 M14 R2 kill -9 at any moment: no call that was acknowledged is lost, none is charged twice, what was to be kept is kept (SQLite)", async () => {
  const report = await runCrashCycles({ cycles: 5, seed, clients: 20 });
  expect(report.violations).toEqual([]);
  expect(report.audit?.code ?? 0, report.audit?.output).toBe(0);
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report.kept).toBeGreaterThan(2);
  // The first thing that a gateway alone on its file does is to end what its forerunner left.
  expect(report.lastReservation).toBeLessThan(60_000);
}, 300_000);

describePostgres("PostgreSQL", () => {
  it("M1 M2 M3 M7 M14 one of three replicas dies again and again: no call is lost, none is charged twice", async () => {
    using made = await postgresDatabase();
    const report = await runCrashCycles({
      database: made.config,
      cycles: 3,
      seed,
      clients: 20,
      // The dead one's calls are ended when its lease has run out: the long run waits for it.
      leaveReservations: true,
    });
    expect(report.violations).toEqual([]);
    expect(report.audit?.code ?? 0, report.audit?.output).toBe(0);
    expect(report.acknowledged).toBeGreaterThan(50);
  }, 300_000);
});
