import { DatabaseSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import { createUsageTotals } from "../../packages/gateway/src/calls/usage-totals.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import type { Database, Statement, StatementResult } from "../../packages/gateway/src/storage/database.ts";
import type { Schema } from "../../packages/gateway/src/storage/schema.ts";
import { kyselyDatabase } from "../../packages/gateway/src/storage/sqlite/kysely-database.ts";
import { inputValues } from "../../packages/gateway/src/storage/sqlite/statement-cache.ts";

/** Has the gateway's own job sum up all hours that have ended, in one transaction that waits for no disk. */
export async function sumUpTotals(database: Database, path: string, platform: Platform): Promise<void> {
  const hasty = new DatabaseSync(path, { timeout: 2000 });
  const read = new Kysely<Schema>({ dialect: new SqliteDialect({ database: kyselyDatabase(hasty) }) });
  const run = ({ sql, parameters, expect }: Statement): StatementResult => {
    const { changes } = hasty.prepare(sql).run(...inputValues(parameters));
    if (expect !== undefined && Number(changes) !== expect) throw new Error(`${changes} rows changed: ${sql}`);
    return { changes: Number(changes), rows: [] };
  };
  try {
    hasty.exec("pragma synchronous = off; pragma cache_size = -200000; begin");
    // No call comes late here, so that once is enough.
    run({ sql: "update usage_total_state set checked_until = ?", parameters: [platform.now()] });
    const every = () => () => undefined;
    const { build, compile } = database;
    const write: Database["write"] = async (unit) => unit.map(run);
    const seam = { engine: database.engine, read, build, compile, write };
    await createUsageTotals({ database: seam, platform, every, log: { warn: console.error } }).run();
    hasty.exec("commit");
  } finally {
    await read.destroy();
  }
}
