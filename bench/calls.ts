import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// The declarations of the test server extend those of the test runner.
import type {} from "vitest";
import { type ListCallsOptions, listCalls } from "../packages/gateway/src/calls/list-calls.ts";
import { readCall } from "../packages/gateway/src/calls/read-call.ts";
import { compareUsage, firstTokenWaits, usageTable } from "../packages/gateway/src/calls/usage.ts";
import { createUsageTotals } from "../packages/gateway/src/calls/usage-totals.ts";
import type { DatabaseConfig } from "../packages/gateway/src/config/config.ts";
import type { Database } from "../packages/gateway/src/storage/database.ts";
import { openDatabase } from "../packages/gateway/src/storage/open-database.ts";
import { startPostgresServer } from "../packages/gateway/src/testing/postgres-server.ts";
import { begin, end, seed, timeAt } from "./calls-seed.ts";

/**
 * How long the pages of the console take over 1,000,000 calls, on both engines: milliseconds as the one who asks sees them.
 * `RUNS` sets how often each is asked (default 200).
 */
const runs = Number(process.env.RUNS ?? 200);

interface Figure {
  name: string;
  p50: number;
  p95: number;
  max: number;
  note: string;
}

const lists: readonly { name: string; filter: ListCallsOptions }[] = [
  { name: "all", filter: {} },
  { name: "all, from the middle", filter: { to: timeAt(0.5) } },
  { name: "all, the last page", filter: { to: timeAt(0.00004) } },
  { name: "all, oldest first", filter: { order: "oldest" } },
  { name: "200 at once", filter: { limit: 200 } },
  { name: "account with 20 %", filter: { accountId: "acct_1" } },
  { name: "account with 1 %", filter: { accountId: "acct_2" } },
  { name: "account with 1 %, from the middle", filter: { accountId: "acct_2", to: timeAt(0.5) } },
  { name: "key among 400,000", filter: { accessKeyId: "key_1234" } },
  { name: "busy key", filter: { accessKeyId: "key_0" } },
  { name: "common model", filter: { model: "model-a" } },
  { name: "model with 10 calls", filter: { model: "rare-model" } },
  { name: "model with no call", filter: { model: "no-model" } },
  { name: "channel", filter: { channel: "channel-3" } },
  { name: "channel with 10 calls", filter: { channel: "rare-channel" } },
  { name: "errors only", filter: { failed: true } },
  { name: "errors of an account", filter: { failed: true, accountId: "acct_2" } },
  { name: "status 429", filter: { status: 429 } },
  { name: "status 5xx", filter: { status: "5xx" } },
  { name: "outcome client_closed", filter: { outcome: "client_closed" } },
  { name: "status 503 (none)", filter: { status: 503 } },
  { name: "error kind with 10 calls", filter: { errorKind: "timeout" } },
  { name: "with notices", filter: { withNotices: true } },
  { name: "client protocol", filter: { clientProtocol: "messages" } },
  { name: "client protocol with 10 calls", filter: { clientProtocol: "generate-content" } },
  { name: "upstream protocol", filter: { upstreamProtocol: "responses" } },
  { name: "upstream protocol with no call", filter: { upstreamProtocol: "generate-content" } },
  { name: "stream", filter: { stream: true } },
  { name: "charge of $5 and more (10)", filter: { minCharge: 5_000_000_000n } },
  { name: "a day", filter: { from: timeAt(0.5), to: timeAt(0.533) } },
  { name: "id prefix", filter: { idPrefix: "call_1000500000" } },
  { name: "id prefix of all", filter: { idPrefix: "call_" } },
  { name: "account and model with 10 calls", filter: { accountId: "acct_1", model: "rare-model" } },
  { name: "account and common model", filter: { accountId: "acct_2", model: "model-a" } },
  { name: "two that never meet, both common", filter: { model: "model-a", minCharge: 9_900_000_000n } },
  {
    name: "account, no stream, messages, 5xx",
    filter: { accountId: "acct_1", stream: false, clientProtocol: "messages", status: "5xx" },
  },
  { name: "errors of a busy key", filter: { accessKeyId: "key_0", failed: true } },
  { name: "errors of a common model", filter: { model: "model-a", failed: true } },
  { name: "errors with 10 calls, oldest first", filter: { failed: true, errorKind: "timeout", order: "oldest" } },
];

const month = { from: begin, to: end };
const usage: readonly { name: string; ask(database: Database): Promise<{ rows: unknown[] } | unknown[]> }[] = [
  { name: "by day, all", ask: (database) => usageTable(database, { ...month, by: ["day"] }) },
  { name: "by hour, all", ask: (database) => usageTable(database, { ...month, by: ["hour"] }) },
  {
    name: "by hour, one day",
    ask: (database) => usageTable(database, { from: timeAt(0.5), to: timeAt(0.5) + 86_400_000, by: ["hour"] }),
  },
  { name: "by model, all", ask: (database) => usageTable(database, { ...month, by: ["model"] }) },
  { name: "by account, all", ask: (database) => usageTable(database, { ...month, by: ["account"] }) },
  { name: "by day and model, all", ask: (database) => usageTable(database, { ...month, by: ["day", "model"] }) },
  {
    name: "by day, account with 20 %",
    ask: (database) => usageTable(database, { ...month, by: ["day"], accountId: "acct_1" }),
  },
  {
    name: "by day, account with 1 %",
    ask: (database) => usageTable(database, { ...month, by: ["day"], accountId: "acct_2" }),
  },
  {
    name: "by hour, account with 1 %",
    ask: (database) => usageTable(database, { ...month, by: ["hour"], accountId: "acct_2" }),
  },
  {
    name: "by key, account with 1 %",
    ask: (database) => usageTable(database, { ...month, by: ["accessKey"], accountId: "acct_2" }),
  },
  {
    name: "by day, one key",
    ask: (database) => usageTable(database, { ...month, by: ["day"], accountId: "acct_2", accessKeyId: "key_1205" }),
  },
  { name: "first token by hour, all", ask: (database) => firstTokenWaits(database, { ...month, by: "hour" }) },
  {
    name: "15 days and the 15 before",
    ask: async (database) => [await compareUsage(database, { from: timeAt(0.5), to: end })],
  },
];

async function measure(name: string, times: number, ask: () => Promise<string>): Promise<Figure> {
  let note = "";
  const taken: number[] = [];
  for (let run = -Math.ceil(times / 10); run < times; run += 1) {
    const start = performance.now();
    note = await ask();
    if (run >= 0) taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  const at = (part: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * part))] ?? Number.NaN;
  return { name, p50: at(0.5), p95: at(0.95), max: at(1), note };
}

async function measureAll(database: Database): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, filter } of lists) {
    figures.push(
      await measure(name, runs, async () => {
        const page = await listCalls(database, filter);
        const ended =
          page.searchedTo === null
            ? ""
            : `, looked at ${Math.round(Math.abs((filter.order === "oldest" ? begin : end) - page.searchedTo) / 2592)}`;
        return `${page.calls.length} calls${ended}`;
      }),
    );
  }
  figures.push(
    await measure("one call with its attempts", runs, async () => {
      const call = await readCall(database, "call_1000777777abcdefghjkmnpqrs");
      return `${call?.attempts.length} attempts`;
    }),
  );
  for (const { name, ask } of usage) {
    figures.push(
      await measure(`usage ${name}`, Math.max(5, Math.floor(runs / 10)), async () => {
        const answer = await ask(database);
        return `${(Array.isArray(answer) ? answer : answer.rows).length} rows`;
      }),
    );
  }
  return figures;
}

/** As the gateway does it while it runs; the last hour stays open. */
function closeHours(database: Database): Promise<number> {
  const every = () => () => undefined;
  return createUsageTotals({
    database,
    platform: { now: () => end - 60_000 },
    every,
    log: { warn: console.error },
  }).run();
}

async function run(config: DatabaseConfig): Promise<Figure[]> {
  await (await openDatabase(config)).close();
  const start = performance.now();
  await seed(config);
  console.log(`${config.kind}: seeded in ${Math.round((performance.now() - start) / 1000)} s`);
  const database = await openDatabase(config);
  try {
    const closing = performance.now();
    const hours = await closeHours(database);
    console.log(`${config.kind}: summed up ${hours} hours in ${Math.round(performance.now() - closing)} ms`);
    return await measureAll(database);
  } finally {
    await database.close();
  }
}

function print(sqlite: readonly Figure[], postgres: readonly Figure[]): void {
  console.log(
    "| asked for | gives | SQLite p50 / p95 / max ms | PostgreSQL p50 / p95 / max ms |\n| --- | --- | --- | --- |",
  );
  const show = (figure: Figure | undefined) =>
    figure ? [figure.p50, figure.p95, figure.max].map((value) => value.toFixed(1)).join(" / ") : "not measured";
  for (const figure of sqlite) {
    const other = postgres.find(({ name }) => name === figure.name);
    console.log(`| ${figure.name} | ${figure.note} | ${show(figure)} | ${show(other)} |`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "interlingua-bench-"));
try {
  const sqlite = await run({ kind: "sqlite", path: join(folder, "calls.db") });
  const server = await startPostgresServer();
  if ("missing" in server) {
    console.log(`PostgreSQL: ${server.missing}`);
    print(sqlite, []);
  } else {
    try {
      await server.createDatabase("calls");
      print(sqlite, await run({ kind: "postgres", url: server.url("calls"), allowUnsafe: true }));
    } finally {
      await server.remove();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// The library of the test server waits for a process that ends by itself.
process.exit();
