import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryDirectory } from "../../packages/gateway/src/testing/temporary-directory.ts";
import { createCluster } from "../replicas/cluster.ts";
import { pause } from "../replicas/gateway-process.ts";
import { setMoneyScene } from "../support/money-scene.ts";
import { type DatabasePlace, openPlainSql } from "../support/plain-sql.ts";
import { type Provider, startProvider } from "../support/provider.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { type Swarm, startSwarm } from "../support/swarm.ts";
import { checkInvariants, type Violation } from "./check.ts";
import { readKept } from "./kept-answers.ts";
import { untilNoneIsOpen } from "./open-reservations.ts";
import { pricedModels, priceOf } from "./prices.ts";

export interface CrashRunOptions {
  /** PostgreSQL: three replicas, of which one dies at a time. Left out: one gateway on a SQLite file. */
  database?: Extract<DatabasePlace, { kind: "postgres" }>;
  redis?: string;
  cycles: number;
  seed: number;
  clients?: number;
  /** Ends without waiting until the last reservations of the dead are free. */
  leaveReservations?: boolean;
  /** Gets a line now and then. */
  tell?: (line: string) => void;
}

/** Where a call was when its gateway was killed. */
export type Phase = "not sent yet" | "before the first byte" | "streaming" | "settling";

export interface CrashReport {
  kills: number;
  /** Requests begun, and how they ended. `broken`: the connection, also of those that met no gateway at all. */
  requests: number;
  /** Calls that came as far as the provider. */
  sent: number;
  ends: Readonly<Record<string, number>>;
  acknowledged: number;
  /** Those of them whose answer was to be kept, and those of these that went on from another one. */
  kept: number;
  continued: number;
  /** Calls under way at the moments of the kills. */
  phases: Readonly<Record<Phase, number>>;
  violations: readonly Violation[];
  /** From the kill until the gateway takes calls again, in milliseconds. */
  recovery: { p50: number; max: number };
  /** From the end of the load until no reservation was open, in milliseconds; undefined: some stayed open. */
  lastReservation: number | undefined;
  /** What the product's own audit says; undefined where this version has none. */
  audit: { code: number | null; output: string } | undefined;
}

/** T01: clients at work, gateways killed at any moment and started again, and every invariant checked after each kill. */
export async function runCrashCycles(options: CrashRunOptions): Promise<CrashReport> {
  const { cycles, seed, clients = 50, tell = () => undefined } = options;
  const random = seededRandom(`crash/${seed}`);
  await using stack = new AsyncDisposableStack();
  const replicas = options.database ? 3 : 1;
  const evidenceFiles = stack.use(temporaryDirectory());
  const billFile = evidenceFiles.file("bill.jsonl");
  const provider = stack.adopt(await startProvider({ billFile }), (it) => it.close());
  const cluster = stack.adopt(
    await createCluster({
      replicas,
      provider: provider.sim.url,
      ...(options.database ? { database: options.database } : {}),
      ...(options.redis === undefined ? {} : { redis: options.redis }),
      settings: pricedModels,
    }),
    (it) => it.close(),
  );
  const key = await cluster.createKey("swarm");
  const sql = stack.use(await openPlainSql(cluster.database));
  await setMoneyScene(sql, { key: "swarm", balance: plenty, quota: plenty });
  await cluster.start();

  const swarm = startSwarm({
    target: cluster.address,
    key,
    clients,
    seed,
    keep: true,
    acknowledgedFile: evidenceFiles.file("acknowledged.jsonl"),
  });
  const evidence = {
    acknowledged: swarm.acknowledged,
    ids: swarm.ids,
    kept: swarm.kept,
    bill: provider.bill,
    price: priceOf,
  };
  const phases: Record<Phase, number> = { "not sent yet": 0, "before the first byte": 0, streaming: 0, settling: 0 };
  const violations: Violation[] = [];
  const recoveries: number[] = [];
  try {
    for (let cycle = 0; cycle < cycles && violations.length === 0; cycle++) {
      await pause(random.between(50, 1500));
      const victim = random.between(0, replicas - 1);
      const begin = performance.now();
      const killed = cluster.kill(victim);
      for (const call of swarm.running()) phases[phaseOf(call, provider)] += 1;
      await killed;
      await cluster.restart(victim);
      recoveries.push(performance.now() - begin);
      violations.push(...(await checkInvariants(sql, evidence)));
      if (cycle % 10 === 9)
        tell(`${cycle + 1} kills, ${swarm.acknowledged.length} acknowledged, ${violations.length} violations`);
    }
  } finally {
    await swarm.stop();
  }
  const lastReservation = options.leaveReservations ? undefined : await untilNoneIsOpen(sql);
  if (violations.length === 0) violations.push(...(await checkInvariants(sql, evidence)));
  if (violations.length === 0) violations.push(...(await readKept({ target: cluster.address, key, ...evidence })));
  const kept = swarm.acknowledged.flatMap((call) => (call.kept ? [call.kept] : []));
  const audit = await cluster.command("audit");
  if (violations.length > 0) {
    const kept = mkdtempSync(join(tmpdir(), "interlingua-evidence-"));
    for (const from of [evidenceFiles.path, cluster.directory]) cpSync(from, kept, { recursive: true });
    tell(`the files of this run are kept in ${kept}`);
  }
  return {
    kills: recoveries.length,
    requests: swarm.started,
    sent: provider.bill.size,
    ends: Object.fromEntries([...swarm.ends].sort(([, a], [, b]) => b - a)),
    acknowledged: swarm.acknowledged.length,
    kept: kept.length,
    continued: kept.filter(({ turn }) => turn > 1).length,
    phases,
    violations,
    recovery: summary(recoveries),
    lastReservation,
    audit: audit.stderr.includes("unknown command")
      ? undefined
      : { code: audit.code, output: audit.stdout + audit.stderr },
  };
}

/** A million dollars: the crashes are to be what ends calls, not the money. */
const plenty = 1_000_000_000_000_000n;

function phaseOf({ marker, bytes }: ReturnType<Swarm["running"]>[number], { bill }: Provider): Phase {
  const attempt = bill.get(marker)?.at(-1);
  if (!attempt) return "not sent yet";
  if (attempt.complete) return "settling";
  return bytes > 0 ? "streaming" : "before the first byte";
}

function summary(durations: readonly number[]): { p50: number; max: number } {
  const sorted = durations.toSorted((a, b) => a - b).map(Math.round);
  return { p50: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
}
