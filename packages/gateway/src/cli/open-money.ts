import { userInfo } from "node:os";
import { checkPepper, createPepper } from "../accounts/pepper.ts";
import { loadSecret, type Secret } from "../accounts/secret.ts";
import type { AuditActor } from "../audit/audit-log.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { commandActor } from "./command-actor.ts";
import { fileOption } from "./config-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** What commands on money work with. */
export interface OpenMoney {
  config: Config;
  database: Database;
  platform: Platform;
  /** The command line and the user of the system who runs it. */
  actor: AuditActor;
  /** The installation's secret, once it is known to be the database's. Rejects with a SecretError. */
  secret(): Promise<Secret>;
}

/** Opens the configured database for a command, and closes it whatever comes of the task. */
export async function runOnMoney<Result>(
  options: CommonOptions,
  context: CommandContext,
  task: (open: OpenMoney) => Promise<Result>,
): Promise<Result> {
  const { platform } = context;
  // The local server is of no interest here, and asking it would take time.
  const config = await loadConfig({ ...fileOption(options), env: context.env, localModels: async () => [] });
  const database = await openDatabase(config.database);
  try {
    const secret = async () => {
      const found = loadSecret(config, platform);
      await checkPepper(database, createPepper(found), found);
      return found;
    };
    return await task({ config, database, platform, actor: systemActor(), secret });
  } finally {
    await database.close();
  }
}

function systemActor(): AuditActor {
  return { ...commandActor, name: `${commandActor.name} (${systemUser()})` };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return String(process.getuid?.() ?? "unknown");
  }
}
