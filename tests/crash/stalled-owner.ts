import { createCluster } from "../replicas/cluster.ts";
import { pause } from "../replicas/gateway-process.ts";
import { setMoneyScene } from "../support/money-scene.ts";
import { type DatabasePlace, openPlainSql } from "../support/plain-sql.ts";
import { startProvider } from "../support/provider.ts";
import { startSwarm } from "../support/swarm.ts";
import { checkInvariants, type Violation } from "./check.ts";
import { untilNoneIsOpen } from "./open-reservations.ts";
import { pricedModels, priceOf } from "./prices.ts";

export interface StalledOwnerReport {
  acknowledged: number;
  ends: Readonly<Record<string, number>>;
  /** Calls that another gateway ended while theirs stood still. */
  recovered: number;
  violations: readonly Violation[];
}

/** Longer than a lease, so that the others take the one that stands still for dead. */
const stallMs = 45_000;

/**
 * One of two gateways stands still in the middle of its calls (SIGSTOP), the other one ends them in its place; then it
 * goes on as if nothing had been.
 */
export async function runStalledOwner(
  database: Extract<DatabasePlace, { kind: "postgres" }>,
  seed: number,
): Promise<StalledOwnerReport> {
  await using stack = new AsyncDisposableStack();
  const provider = stack.adopt(await startProvider(), (it) => it.close());
  const cluster = stack.adopt(
    await createCluster({ replicas: 2, database, provider: provider.sim.url, settings: pricedModels }),
    (it) => it.close(),
  );
  const key = await cluster.createKey("swarm");
  const sql = stack.use(await openPlainSql(database));
  await setMoneyScene(sql, { key: "swarm", balance: 10n ** 15n, quota: 10n ** 15n });
  await cluster.start();
  const swarm = startSwarm({ target: cluster.address, key, clients: 20, seed });
  await pause(1500);
  cluster.signal(0, "SIGSTOP");
  await pause(stallMs);
  cluster.signal(0, "SIGCONT");
  await pause(3000);
  await swarm.stop();
  await untilNoneIsOpen(sql);
  const [row] = await sql.all("select count(*) as count from reservation where state = 'recovered'");
  return {
    acknowledged: swarm.acknowledged.length,
    ends: Object.fromEntries(swarm.ends),
    recovered: Number(row?.count ?? 0),
    violations: await checkInvariants(sql, {
      acknowledged: swarm.acknowledged,
      ids: swarm.ids,
      bill: provider.bill,
      price: priceOf,
    }),
  };
}
