import { fstatSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runProgram } from "../../../packages/gateway/src/testing/run-program.ts";
import { temporaryDirectory } from "../../../packages/gateway/src/testing/temporary-directory.ts";
import { createCluster } from "../../replicas/cluster.ts";
import { pause } from "../../replicas/gateway-process.ts";
import { setMoneyScene } from "../../support/money-scene.ts";
import { openPlainSql } from "../../support/plain-sql.ts";
import { startProvider } from "../../support/provider.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type Acknowledged, startSwarm } from "../../support/swarm.ts";
import { checkRows } from "../check.ts";
import { pricedModels } from "../prices.ts";
import { createRebuilder, type Fate, type Wreck } from "./rebuild.ts";
import { readWriteLog } from "./write-log.ts";

export interface PowerCutOptions {
  cuts: number;
  seed: number;
  clients?: number;
  /** How long the gateway is under load, in milliseconds. */
  loadMs: number;
  /** Takes every sync for one that did nothing, to see that this test can fail. */
  ignoreSyncs?: boolean;
}

export interface PowerCutReport {
  cuts: number;
  /** Cuts by what became of the writes that were not synced. */
  fates: Readonly<Record<Fate, number>>;
  /** Cuts at which writes were lost or torn at all. */
  cutsWithUnsynced: number;
  records: number;
  syncs: number;
  acknowledged: number;
  /** Acknowledged calls that were looked for, over all cuts. */
  looked: number;
  /** What was found wrong, a line each. */
  failures: readonly string[];
}

/** Why the test cannot run here; undefined where it can. */
export async function powerCutImpossible(): Promise<string | undefined> {
  if (process.platform !== "linux") return "needs Linux";
  const compiler = await runProgram("gcc", ["--version"]).catch(() => undefined);
  return compiler?.code === 0 ? undefined : "needs gcc";
}

const fates: readonly Fate[] = ["none arrived", "all arrived", "some arrived", "some arrived torn"];

/**
 * T03: a gateway on SQLite under load, with every write to its files written down; then the files as a power cut may
 * have left them, again and again, each looked through for damage and for calls that were acknowledged by then.
 */
export async function runPowerCuts(options: PowerCutOptions): Promise<PowerCutReport> {
  const { cuts, seed } = options;
  const random = seededRandom(`power-cut/${seed}`);
  using scratch = temporaryDirectory();
  const { base, log, acknowledged, database } = await recordLoad(options, scratch.path);
  const written = readWriteLog(log);
  const records = options.ignoreSyncs ? written.map((it) => (it?.kind === "sync" ? undefined : it)) : written;
  const rebuilder = createRebuilder(base, records);
  const counts: Record<Fate, number> = {
    "none arrived": 0,
    "all arrived": 0,
    "some arrived": 0,
    "some arrived torn": 0,
  };
  const failures: string[] = [];
  let looked = 0;
  let cutsWithUnsynced = 0;
  for (const cut of cutPoints(records, cuts, random)) {
    const fate = random.pick(fates);
    counts[fate] += 1;
    const { files, unsynced } = rebuilder.cutAt(cut, fate, random);
    if (unsynced > 0) cutsWithUnsynced += 1;
    const position = records.slice(0, cut).findLast((record) => record)?.end ?? 0;
    const due = acknowledged.filter((call) => call.position <= position);
    looked += due.length;
    using place = temporaryDirectory();
    const problems = await problemsOf(files, place.path, basename(database), due);
    failures.push(...problems.map((problem) => `cut at record ${cut}, ${fate}: ${problem}`));
  }
  return {
    cuts,
    fates: counts,
    cutsWithUnsynced,
    records: records.length,
    syncs: records.filter((record) => record?.kind === "sync").length,
    acknowledged: acknowledged.length,
    looked,
    failures,
  };
}

interface RecordedLoad {
  /** The files before the load. */
  base: Wreck;
  log: Buffer;
  acknowledged: readonly Acknowledged[];
  /** The database's path. */
  database: string;
}

async function recordLoad({ seed, clients = 50, loadMs }: PowerCutOptions, directory: string): Promise<RecordedLoad> {
  const shim = join(directory, "shim.so");
  const source = join(import.meta.dirname, "shim.c");
  const built = await runProgram("gcc", ["-O2", "-shared", "-fPIC", "-o", shim, source, "-ldl", "-lpthread"]);
  if (built.code !== 0) throw new Error(`The shim was not built:\n${built.stderr}`);
  const data = join(directory, "data");
  mkdirSync(data);
  const database = join(data, "gateway.db");
  const logFile = join(directory, "writes.log");
  writeFileSync(logFile, "");
  const logDescriptor = openSync(logFile, "r");

  await using stack = new AsyncDisposableStack();
  const provider = stack.adopt(await startProvider(), (it) => it.close());
  const cluster = stack.adopt(
    await createCluster({
      replicas: 1,
      database: { kind: "sqlite", path: database },
      provider: provider.sim.url,
      settings: pricedModels,
      env: { LD_PRELOAD: shim, CUT_DIRECTORY: `${data}/`, CUT_LOG: logFile },
    }),
    (it) => it.close(),
  );
  const key = await cluster.createKey("swarm");
  {
    await using sql = await openPlainSql(cluster.database);
    await setMoneyScene(sql, { key: "swarm", balance: 10n ** 15n, quota: 10n ** 15n });
  }
  const base = new Map(readdirSync(data).map((name) => [join(data, name), readFileSync(join(data, name))]));
  await cluster.start();
  const swarm = startSwarm({
    target: cluster.address,
    key,
    clients,
    seed,
    position: () => fstatSync(logDescriptor).size,
  });
  await pause(loadMs);
  await swarm.stop();
  await cluster.kill(0);
  return { base, log: readFileSync(logFile), acknowledged: swarm.acknowledged, database };
}

/** Places in the log in rising order: half of them anywhere, half right before a sync, where most is at stake. */
function cutPoints(
  records: readonly ({ kind: string } | undefined)[],
  count: number,
  random: ReturnType<typeof seededRandom>,
): number[] {
  const syncs = records.flatMap((record, number) => (record?.kind === "sync" ? [number] : []));
  const points = Array.from({ length: count }, (_, turn) =>
    turn % 2 === 0 || syncs.length === 0 ? random.between(1, records.length) : random.pick(syncs),
  );
  return points.sort((a, b) => a - b);
}

async function problemsOf(
  files: Wreck,
  directory: string,
  database: string,
  due: readonly Acknowledged[],
): Promise<string[]> {
  for (const [file, bytes] of files) writeFileSync(join(directory, basename(file)), bytes);
  try {
    await using sql = await openPlainSql({ kind: "sqlite", path: join(directory, database) });
    const problems = (await sql.all("pragma integrity_check"))
      .map((row) => String(row.integrity_check))
      .filter((line) => line !== "ok");
    const recorded = new Set((await sql.all(`select id from "call" where outcome = 'succeeded'`)).map((row) => row.id));
    for (const { callId } of due) if (!recorded.has(callId)) problems.push(`I1 acknowledged and lost: ${callId}`);
    for (const { invariant, what, ids } of await checkRows(sql)) {
      // Nobody lives after the cut: what is open is for the next start to close.
      if (invariant !== "I7") problems.push(`${invariant} ${what}: ${ids.slice(0, 5).join(", ")}`);
    }
    return problems;
  } catch (error) {
    return [`it cannot be read: ${String(error)}`];
  }
}
