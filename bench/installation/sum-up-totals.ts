import { createUsageTotals } from "../../packages/gateway/src/calls/usage-totals.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import type { Database } from "../../packages/gateway/src/storage/database.ts";
import { openHastyDatabase } from "../../packages/gateway/src/testing/hasty-database.ts";

/** Has the gateway's own job sum up all hours that have ended. */
export async function sumUpTotals(seam: Database, path: string, platform: Platform): Promise<void> {
  const hasty = openHastyDatabase(path, seam);
  try {
    // No call comes late here, so that once is enough.
    hasty.run({ sql: "update usage_total_state set checked_until = ?", parameters: [platform.now()] });
    const every = () => () => undefined;
    await createUsageTotals({ database: hasty.database, platform, every, log: { warn: console.error } }).run();
    hasty.commit();
  } finally {
    await hasty.close();
  }
}
