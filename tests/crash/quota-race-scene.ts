import { createCluster } from "../replicas/cluster.ts";
import { type DatabasePlace, openPlainSql } from "../support/plain-sql.ts";
import { plainPlan, startProvider } from "../support/provider.ts";
import { checkRows, type Violation } from "./check.ts";
import { untilNoneIsOpen } from "./open-reservations.ts";
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
  // What a call that was shed may have left set aside is free within a minute.
  await untilNoneIsOpen(sql);
  return { results, violations: await checkRows(sql) };
}

/** Calls of a race that were answered. */
export function served({ statuses }: RaceResult): number {
  return statuses.get(200) ?? 0;
}

/** Whether exactly as many calls were served and charged as were paid. */
export function isExact(result: RaceResult): boolean {
  return served(result) === result.pays && result.charged === BigInt(result.pays);
}

/** Calls of a race that were turned away with 503: the database was too busy to say whether they can be paid (D1). */
export function shed({ statuses }: RaceResult): number {
  return statuses.get(503) ?? 0;
}

/**
 * Races that did not end as the law says: nobody is served who is not charged, no more are charged than are paid, and
 * whoever is neither served nor shed is told 403. Where nobody was shed exactly as many are served as are paid.
 */
export function wrongRaces(results: readonly RaceResult[]): string[] {
  return results
    .filter((result) => {
      const { callers, pays, overshoot, charged } = result;
      const refused = result.statuses.get(403) ?? 0;
      const due = isExact(result) || (shed(result) > 0 && served(result) <= charged && charged <= pays);
      return !due || served(result) + refused + shed(result) !== callers || overshoot !== 0n;
    })
    .map(({ callers, pays, what, statuses, overshoot, charged }) => {
      const told = [...statuses].map(([status, count]) => `${count} x ${status}`).join(", ");
      return `${callers} callers, ${what} of ${pays}: ${told}; charged ${charged}, overshoot ${overshoot}`;
    });
}
