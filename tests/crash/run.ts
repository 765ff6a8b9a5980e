import { parseArgs } from "node:util";
import { startPostgresServer } from "../../packages/gateway/src/testing/postgres-server.ts";
import { extremes } from "../replicas/revocation.ts";
import { runRevocations } from "../replicas/revocation-scene.ts";
import { availableRedis } from "../support/available-redis.ts";
import { endOnSignal } from "../support/end-on-signal.ts";
import type { DatabasePlace } from "../support/plain-sql.ts";
import type { Violation } from "./check.ts";
import { runCrashCycles } from "./crash-run.ts";
import { runLostAnswers } from "./lost-answers.ts";
import { powerCutImpossible, runPowerCuts } from "./power-cut/power-cut.ts";
import { isExact, runRaceScene, shed, wrongRaces } from "./quota-race-scene.ts";
import { runStalledOwner } from "./stalled-owner.ts";

/*
 * The long runs behind docs/reliability.md, by hand. Each prints its figures and ends with 1 where a promise was broken.
 *   node tests/crash/run.ts --database sqlite|postgres --cycles 200 --seed 1
 *   node tests/crash/run.ts --race --database sqlite|postgres --cycles 200
 *   node tests/crash/run.ts --revocation --cycles 200
 *   node tests/crash/run.ts --power-cut --cycles 500 --seed 1
 *   node tests/crash/run.ts --lost-answers --cycles 100 --seed 1
 *   node tests/crash/run.ts --stalled-owner --seed 1
 */
const { values } = parseArgs({
  options: {
    database: { type: "string", default: "sqlite" },
    cycles: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    clients: { type: "string", default: "50" },
    race: { type: "boolean", default: false },
    revocation: { type: "boolean", default: false },
    "power-cut": { type: "boolean", default: false },
    "lost-answers": { type: "boolean", default: false },
    "stalled-owner": { type: "boolean", default: false },
    load: { type: "string", default: "10000" },
  },
});
endOnSignal();
const stack = new AsyncDisposableStack();
const cycles = Number(values.cycles);
const seed = Number(values.seed);
const clients = Number(values.clients);
const tell = (line: string) => console.log(line);
const run = values.race
  ? race
  : values.revocation
    ? revoke
    : values["power-cut"]
      ? cut
      : values["lost-answers"]
        ? loseAnswers
        : values["stalled-owner"]
          ? stall
          : crash;
const failed = await run().finally(() => stack.disposeAsync());
console.log(failed ? "A promise was broken." : "No promise was broken.");
process.exit(failed ? 1 : 0);

async function crash(): Promise<boolean> {
  const database = await postgresIfWanted();
  const redis = database ? stack.use((await availableRedis()) ?? null) : null;
  const report = await runCrashCycles({
    cycles,
    seed,
    clients,
    tell,
    ...(database ? { database } : {}),
    ...(redis ? { redis: redis.url } : {}),
  });
  const { violations, audit, ...figures } = report;
  console.log(JSON.stringify(figures, undefined, 2));
  tellViolations(violations);
  console.log(audit ? `audit ended with ${audit.code}: ${audit.output.trim()}` : "this version has no audit");
  console.log(`95 % bound: less than ${((3 / report.kills) * 100).toFixed(2)} % of kills break an invariant.`);
  return violations.length > 0 || report.lastReservation === undefined || (audit?.code ?? 0) !== 0;
}

async function race(): Promise<boolean> {
  const database = await postgresIfWanted();
  const { results, violations } = await runRaceScene({ repeats: cycles, tell, ...(database ? { database } : {}) });
  const wrong = wrongRaces(results);
  const overshoot = results.map((result) => result.overshoot).toSorted((a, b) => Number(b - a))[0] ?? 0n;
  console.log(
    `${results.length} races, ${wrong.length} of them wrong, the greatest overshoot ${overshoot} nano-dollars`,
  );
  for (const callers of new Set(results.map((result) => result.callers))) {
    const turnedAway = results.filter((result) => result.callers === callers).map(shed);
    const exact = results.filter((result) => result.callers === callers && isExact(result)).length;
    const told = `${exact} exact, ${turnedAway.filter((count) => count > 0).length} with calls turned away by 503`;
    console.log(
      `${callers} callers: ${turnedAway.length} races, ${told}, at most ${Math.max(...turnedAway)} of a race`,
    );
  }
  for (const line of wrong.slice(0, 20)) console.log(line);
  tellViolations(violations);
  return wrong.length > 0 || violations.length > 0;
}

async function revoke(): Promise<boolean> {
  const reports = await runRevocations({
    database: await postgres(),
    repeats: cycles,
    ...redisOption(stack.use((await availableRedis()) ?? null)),
  });
  let failed = false;
  for (const [name, { repeats, delays, revived, others, requests }] of Object.entries(reports)) {
    const { max, p99 } = extremes(delays);
    console.log(
      `${name}: ${repeats} repeats, ${requests} requests, last accepted start ${max} ms at most, ${p99} ms p99`,
    );
    const rest = [...others].map(([status, count]) => `${count} x ${status}`).join(", ") || "none";
    console.log(`${name}: ${revived} accepted after a refusal; neither accepted nor refused: ${rest}`);
    failed ||= max > 1000 || revived > 0;
  }
  return failed;
}

async function cut(): Promise<boolean> {
  const impossible = await powerCutImpossible();
  if (impossible !== undefined) throw new Error(`The power cut ${impossible}.`);
  const { failures, ...figures } = await runPowerCuts({ cuts: cycles, seed, clients, loadMs: Number(values.load) });
  console.log(JSON.stringify(figures, undefined, 2));
  for (const line of failures.slice(0, 20)) console.log(line);
  console.log(`${failures.length} failures`);
  return failures.length > 0;
}

async function loseAnswers(): Promise<boolean> {
  const { violations, open, ...figures } = await runLostAnswers({
    database: await postgres(),
    losses: cycles,
    seed,
    clients,
  });
  console.log(JSON.stringify(figures, undefined, 2));
  console.log(`${open.length} reservations stayed open`);
  tellViolations(violations);
  return violations.length > 0 || open.length > 0;
}

async function stall(): Promise<boolean> {
  const { violations, ...figures } = await runStalledOwner(await postgres(), seed);
  console.log(JSON.stringify(figures, undefined, 2));
  tellViolations(violations);
  return violations.length > 0;
}

function tellViolations(violations: readonly Violation[]): void {
  for (const { invariant, what, ids } of violations) {
    console.log(`${invariant} ${what}: ${ids.length} (${ids.slice(0, 10).join(", ")})`);
  }
}

function redisOption<Server>(redis: Server | null): { redis?: Server } {
  return redis === null ? {} : { redis };
}

function postgresIfWanted(): Promise<Extract<DatabasePlace, { kind: "postgres" }> | undefined> {
  return values.database === "postgres" ? postgres() : Promise.resolve(undefined);
}

async function postgres(): Promise<Extract<DatabasePlace, { kind: "postgres" }>> {
  const server = await startPostgresServer();
  if ("missing" in server) throw new Error(`There is no PostgreSQL server here: ${server.missing}`);
  stack.defer(() => server.remove());
  await server.createDatabase("replicas");
  return { kind: "postgres", url: server.url("replicas") };
}
