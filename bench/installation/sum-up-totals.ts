import { createUsageTotals } from "../../packages/gateway/src/calls/usage-totals.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import { createAvailabilityRollUp } from "../../packages/gateway/src/status/availability-roll-up.ts";
import type { Database } from "../../packages/gateway/src/storage/database.ts";
import { openHastyDatabase } from "../../packages/gateway/src/testing/hasty-database.ts";
import { models } from "./models.ts";

/** Has the gateway's own jobs sum up all hours that have ended. */
export async function sumUpTotals(seam: Database, path: string, platform: Platform): Promise<void> {
  const hasty = openHastyDatabase(path, seam);
  const every = () => () => undefined;
  const shared = { database: hasty.database, platform, every, log: { warn: console.error } };
  try {
    // No call comes late here, so that once is enough.
    hasty.run({ sql: "update usage_total_state set checked_until = ?", parameters: [platform.now()] });
    await createUsageTotals(shared).run();
    const known = new Set(models.map(({ id }) => id));
    const catalogue = { publishedName: (model: string) => (known.has(model) ? model : undefined) };
    await createAvailabilityRollUp({ ...shared, catalogue }).run();
    hasty.commit();
  } finally {
    await hasty.close();
  }
}
