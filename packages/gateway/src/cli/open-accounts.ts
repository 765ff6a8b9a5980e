import { type AccessKeys, createAccessKeys } from "../accounts/access-keys.ts";
import { type Accounts, createAccounts } from "../accounts/accounts.ts";
import { checkPepper, createPepper } from "../accounts/pepper.ts";
import { loadSecret } from "../accounts/secret.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Platform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { fileOption } from "./config-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** What commands manage. */
export interface OpenAccounts {
  accounts: Accounts;
  keys: AccessKeys;
}

/** Opens the configured database for a task on its accounts and keys, and closes it whatever comes of the task. */
export async function withAccounts<Result>(
  config: Config,
  platform: Platform,
  task: (open: OpenAccounts) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(config.database);
  try {
    const secret = loadSecret(config, platform);
    const pepper = createPepper(secret);
    await checkPepper(database, pepper, secret);
    const accounts = createAccounts({ database, platform, declared: config.accounts });
    return await task({ accounts, keys: createAccessKeys({ database, pepper, platform }) });
  } finally {
    await database.close();
  }
}

/** The same for a command, by its options. */
export async function runOnAccounts<Result>(
  options: CommonOptions,
  context: CommandContext,
  task: (open: OpenAccounts) => Promise<Result>,
): Promise<Result> {
  // The local server is of no interest here, and asking it would take time.
  const config = await loadConfig({ ...fileOption(options), env: context.env, localModels: async () => [] });
  return withAccounts(config, context.platform, task);
}
