import { createCluster } from "../replicas/cluster.ts";
import { pause } from "../replicas/gateway-process.ts";
import { startAnswerEater } from "../support/answer-eater.ts";
import { setMoneyScene } from "../support/money-scene.ts";
import { type DatabasePlace, openPlainSql } from "../support/plain-sql.ts";
import { startProvider } from "../support/provider.ts";
import { startSwarm } from "../support/swarm.ts";
import { checkInvariants, type Violation } from "./check.ts";
import { openReservations, untilNoneIsOpen } from "./open-reservations.ts";
import { pricedModels, priceOf } from "./prices.ts";

export interface LostAnswersOptions {
  database: Extract<DatabasePlace, { kind: "postgres" }>;
  /** How many commits lose their answer. */
  losses: number;
  seed: number;
  clients?: number;
}

export interface LostAnswersReport {
  losses: number;
  acknowledged: number;
  ends: Readonly<Record<string, number>>;
  /** Reservations that were still open when nothing ran any more, and a minute had passed or all were closed. */
  open: readonly string[];
  violations: readonly Violation[];
}

/** T08: commits are done and nobody tells the gateway, one after the other, while a swarm is at work. */
export async function runLostAnswers(options: LostAnswersOptions): Promise<LostAnswersReport> {
  const { database, losses, seed, clients = 20 } = options;
  await using stack = new AsyncDisposableStack();
  const provider = stack.adopt(await startProvider(), (it) => it.close());
  const direct = new URL(database.url);
  const eater = stack.use(await startAnswerEater(Number(direct.port), "COMMIT"));
  const lossy = new URL(database.url);
  lossy.port = String(eater.port);
  const cluster = stack.adopt(
    await createCluster({
      replicas: 1,
      database: { kind: "postgres", url: lossy.href },
      provider: provider.sim.url,
      settings: pricedModels,
    }),
    (it) => it.close(),
  );
  const key = await cluster.createKey("swarm");
  const sql = stack.use(await openPlainSql(database));
  await setMoneyScene(sql, { key: "swarm", balance: 10n ** 15n, quota: 10n ** 15n });
  await cluster.start();
  const swarm = startSwarm({ target: cluster.address, key, clients, seed });
  try {
    while (eater.eaten < losses) {
      const before = eater.eaten;
      eater.eat();
      while (eater.eaten === before) await pause(5);
      await pause(100);
    }
  } finally {
    await swarm.stop();
  }
  await untilNoneIsOpen(sql);
  const evidence = { acknowledged: swarm.acknowledged, ids: swarm.ids, bill: provider.bill, price: priceOf };
  return {
    losses: eater.eaten,
    acknowledged: swarm.acknowledged.length,
    ends: Object.fromEntries(swarm.ends),
    open: await openReservations(sql),
    violations: await checkInvariants(sql, evidence),
  };
}
