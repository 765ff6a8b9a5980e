import { chmodSync } from "node:fs";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import { openDatabase } from "../../packages/gateway/src/storage/open-database.ts";
import { makeIncidents } from "./incidents.ts";
import { type KnownKeys, makeLiveCalls } from "./live-calls.ts";
import { writePast } from "./past.ts";
import { makeAuditLog, makeCrowd, makePeople, type Person, type SignInData } from "./people.ts";
import { sumUpTotals } from "./sum-up-totals.ts";

export interface SeedOptions {
  calls: number;
  /** Of the largest account; the others have a few thousand more. */
  keys: number;
  /** The same seed makes the same past before the same moment; people, passwords and keys are new each time. */
  seed: number;
  platform: Platform;
  /** Told what is being done. */
  tell?: (text: string) => void;
}

/** How to get into a seeded installation. */
export interface SeededInstallation {
  people: Record<Person, SignInData>;
  keys: KnownKeys;
}

/**
 * Makes a whole installation with 30 days of past up to now in a new SQLite file: accounts of every size, keys, calls of all
 * protocols with their attempts, ledger, quotas and sums, users, an audit log, and a few calls whose content is kept. Its
 * books pass `interlingua audit`. The installation's secret stands beside the file.
 */
export async function seedInstallation(databaseFile: string, options: SeedOptions): Promise<SeededInstallation> {
  const { calls, keys, seed, platform, tell = () => undefined } = options;
  const config = { kind: "sqlite", path: databaseFile } as const;
  const now = platform.now();
  await (await openDatabase(config)).close();
  tell(`writing ${calls} calls and ${keys} keys`);
  writePast(databaseFile, { calls, keys, now, seed });
  chmodSync(databaseFile, 0o600);

  const database = await openDatabase(config);
  const people = await (async () => {
    try {
      tell("summing up the hours");
      await sumUpTotals(database, databaseFile, platform);
      tell("making people");
      await makeAuditLog(database, platform, 600, now);
      await makeCrowd(database, 60, now);
      await makeIncidents(database, platform);
      return await makePeople(database, platform);
    } finally {
      await database.close();
    }
  })();
  tell("making calls through a gateway");
  return { people, keys: await makeLiveCalls(databaseFile, platform) };
}
