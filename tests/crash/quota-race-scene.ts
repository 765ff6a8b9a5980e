import { createCluster } from "../replicas/cluster.ts";
import { type DatabasePlace, openPlainSql } from "../support/plain-sql.ts";
import { plainPlan, startProvider } from "../support/provider.ts";
import { checkRows, type Violation } from "./check.ts";
import { pricedModels } from "./prices.ts";
import { type Race, type RaceResult, races, runRaces } from "./quota-race.ts";

export interface RaceSceneOptions {
  /** PostgreSQL: three replicas. Left out: one gateway on a SQLite file. */
  database?: Extract<DatabasePlace, { kind: "postgres" }>;
  repeats: number;
  list?: readonly Race[];
  tell?: (line: string) => void;
}

export interface RaceReport {
  results: readonly RaceResult[];
  violations: readonly Violation[];
}

/** T04: all races, again and again, against gateways in processes of their own. */
export async function runRaceScene({ database, repeats, list = races, tell }: RaceSceneOptions): Promise<RaceReport> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.adopt(await startProvider({ plan: plainPlan }), (it) => it.close());
  const cluster = stack.adopt(
    await createCluster({
      replicas: database ? 3 : 1,
      provider: provider.sim.url,
      ...(database ? { database } : {}),
      settings: pricedModels,
    }),
    (it) => it.close(),
  );
  await cluster.start();
  const sql = stack.use(await openPlainSql(cluster.database));
  const results: RaceResult[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    results.push(...(await runRaces(cluster, sql, String(repeat), list)));
    if (repeat % 20 === 19) tell?.(`${repeat + 1} repeats`);
  }
  return { results, violations: await checkRows(sql) };
}

/** Calls of a race that were turned away with 503: the database was too busy to say whether they can be paid (D1). */
export function shed({ statuses }: RaceResult): number {
  return statuses.get(503) ?? 0;
}

/**
 * Races that did not end as the law says: no more are served than are paid, each is charged, and whoever is not served
 * is told 403. Where nobody was shed exactly as many are served as are paid.
 */
export function wrongRaces(results: readonly RaceResult[]): string[] {
  return results
    .filter((result) => {
      const { callers, pays, statuses, overshoot, charged } = result;
      const served = statuses.get(200) ?? 0;
      const refused = statuses.get(403) ?? 0;
      const due = shed(result) === 0 ? served === pays : served <= pays;
      return !due || served + refused + shed(result) !== callers || overshoot !== 0n || charged !== BigInt(served);
    })
    .map(({ callers, pays, what, statuses, overshoot, charged }) => {
      const told = [...statuses].map(([status, count]) => `${count} x ${status}`).join(", ");
      return `${callers} callers, ${what} of ${pays}: ${told}; charged ${charged}, overshoot ${overshoot}`;
    });
}
