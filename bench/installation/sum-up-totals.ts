import { DatabaseSync } from "node:sqlite";
import { createUsageTotals } from "../../packages/gateway/src/calls/usage-totals.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import { type Database, StorageError } from "../../packages/gateway/src/storage/database.ts";
import { commitGroup } from "../../packages/gateway/src/storage/sqlite/commit-group.ts";
import { createStatementCache } from "../../packages/gateway/src/storage/sqlite/statement-cache.ts";

/** Has the gateway's own job sum up all hours that have ended, by commits that wait for no disk. */
export async function sumUpTotals(database: Database, path: string, platform: Platform): Promise<void> {
  const hasty = new DatabaseSync(path, { timeout: 2000 });
  try {
    hasty.exec("pragma synchronous = off; pragma cache_size = -200000");
    const prepare = createStatementCache(hasty);
    const write: Database["write"] = async (unit) => {
      const [outcome] = commitGroup(hasty, prepare, [unit]);
      if (outcome?.ok) return outcome.results;
      throw new StorageError(outcome?.kind ?? "fatal", outcome?.message ?? "Nothing was written");
    };
    const every = () => () => undefined;
    await createUsageTotals({ database: { ...database, write }, platform, every, log: { warn: console.error } }).run();
  } finally {
    hasty.close();
  }
}
