import { parseArgs } from "node:util";
import { startPostgresServer } from "../../packages/gateway/src/testing/postgres-server.ts";
import { runCrashCycles } from "./crash-run.ts";

/*
 * The long runs of the crash tests, by hand:
 *   node tests/crash/run.ts --database sqlite|postgres --cycles 200 --seed 1
 */
const { values } = parseArgs({
  options: {
    database: { type: "string", default: "sqlite" },
    cycles: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    clients: { type: "string", default: "50" },
  },
});

await using stack = new AsyncDisposableStack();
const server = values.database === "postgres" ? await startPostgresServer() : undefined;
if (server && "missing" in server) throw new Error(`There is no PostgreSQL server here: ${server.missing}`);
if (server) {
  stack.defer(() => server.remove());
  await server.createDatabase("crash");
}

const cycles = Number(values.cycles);
const report = await runCrashCycles({
  cycles,
  seed: Number(values.seed),
  clients: Number(values.clients),
  ...(server ? { database: { kind: "postgres", url: server.url("crash") } } : {}),
  tell: (line) => console.log(line),
});
const { violations, ...figures } = report;
console.log(JSON.stringify(figures, undefined, 2));
for (const { invariant, what, ids } of violations) {
  console.log(`${invariant} ${what}: ${ids.length} (${ids.slice(0, 20).join(", ")})`);
}
console.log(
  violations.length === 0
    ? `No violation in ${report.kills} kills: less than ${((3 / report.kills) * 100).toFixed(2)} % of kills at 95 %.`
    : "Violations found.",
);
process.exitCode = violations.length === 0 ? 0 : 1;
