import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
// The declarations of the test server extend those of the test runner.
import type {} from "vitest";
import { auditBooks } from "../packages/gateway/src/accounts/books-audit.ts";
import type { DatabaseConfig } from "../packages/gateway/src/config/config.ts";
import { openDatabase } from "../packages/gateway/src/storage/open-database.ts";
import { openSnapshot } from "../packages/gateway/src/storage/open-snapshot.ts";
import { connectClient } from "../packages/gateway/src/storage/postgres/connections.ts";
import { startPostgresServer } from "../packages/gateway/src/testing/postgres-server.ts";
import { end, seed } from "./calls-seed.ts";

/* How long `interlingua audit` takes over 1,000,000 calls with their lines in the ledger, on both engines. */

/** Makes books of the calls: lines of prices, charges, balances, and the reservations of the last two days. */
const books = [
  `insert into price_version (id, model, valid_from, source, prices, created_at)
   values ('price_1', '*', 0, 'operator', '{}', 0)`,
  `update call set price_lines = '[{"class":"input","quantity":500,"price":"1000000000","amount":"500000"},' ||
     '{"class":"output","quantity":200,"price":"5000000000","amount":"' || (charge - 500000) || '"}]'`,
  `insert into ledger_entry (id, account_id, at, kind, amount, balance_after, access_key_id, call_id, actor)
   select 'entry_' || id, account_id, started_at + 2000, 'charge', -charge, 0, access_key_id, id, 'call' from call`,
  `update account set balance = coalesce((select sum(amount) from ledger_entry where account_id = account.id), 0)`,
  `insert into reservation (call_id, account_id, access_key_id, amount, state, instance_id, created_at, price_version,
     started_at, client_protocol, model, stream, checkpoint_charge)
   select id, account_id, access_key_id, reserved, 'settled', 'instance_1', started_at, price_version, started_at,
     client_protocol, model, stream, 0 from call where started_at > ${end - 2 * 24 * 3_600_000}`,
];

async function makeBooks(config: DatabaseConfig): Promise<void> {
  await (await openDatabase(config)).close();
  await seed(config);
  if (config.kind === "sqlite") {
    const database = new DatabaseSync(config.path, { enableForeignKeyConstraints: false });
    database.exec("pragma synchronous = off; pragma cache_size = -500000; begin");
    for (const statement of books) database.exec(statement);
    database.exec("commit");
    database.close();
    return;
  }
  const client = await connectClient(config.url);
  await client.query("set statement_timeout = 0; set session_replication_role = replica; set synchronous_commit = off");
  for (const statement of books) await client.query(statement);
  for (const table of ["call", "ledger_entry", "reservation", "account"]) await client.query(`vacuum analyze ${table}`);
  await client.end();
}

async function measure(config: DatabaseConfig): Promise<void> {
  for (let run = 0; run < 3; run++) {
    const start = performance.now();
    const snapshot = await openSnapshot(config);
    const { clean, checks, counted } = await auditBooks(snapshot, { retentionMs: 400 * 24 * 3_600_000 });
    await snapshot[Symbol.asyncDispose]();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${config.kind}: ${counted.calls} calls, ${checks.length} checks, ${seconds} s`);
    if (!clean) throw new Error(JSON.stringify(checks.filter(({ findings }) => findings.length > 0)));
  }
}

async function run(config: DatabaseConfig): Promise<void> {
  await makeBooks(config);
  await measure(config);
}

const folder = mkdtempSync(join(tmpdir(), "interlingua-audit-"));
try {
  await run({ kind: "sqlite", path: join(folder, "calls.db") });
  const server = await startPostgresServer();
  if ("missing" in server) console.log(`PostgreSQL: ${server.missing}`);
  else {
    try {
      await server.createDatabase("calls");
      await run({ kind: "postgres", url: server.url("calls"), allowUnsafe: true });
    } finally {
      await server.remove();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// The library of the test server waits for a process that ends by itself.
process.exit();
