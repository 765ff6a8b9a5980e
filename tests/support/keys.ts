import type { AccessKeys } from "../../packages/gateway/src/accounts/access-keys.ts";
import { withAccessKeys } from "../../packages/gateway/src/cli/keys-command.ts";
import { loadConfig } from "../../packages/gateway/src/config/load-config.ts";
import { systemPlatform } from "../../packages/gateway/src/platform.ts";
import { testSecret } from "./test-secret.ts";

/** Works on the access keys of a configuration as the command line does, many times with one start. */
export async function withKeysOf<Result>(
  configFile: string,
  task: (keys: AccessKeys) => Promise<Result>,
): Promise<Result> {
  const config = await loadConfig({ file: configFile, env: testSecret, localModels: async () => [] });
  return withAccessKeys(config, systemPlatform(), task);
}

/** Who these tests are in the audit log. */
export const tester = { kind: "command", id: null, name: "tests", address: null } as const;

/** Makes access keys. Their texts in the order of the names. */
export function makeKeys(configFile: string, names: readonly string[]): Promise<string[]> {
  return withKeysOf(configFile, async (keys) => {
    const made: string[] = [];
    for (const name of names) made.push((await keys.create({ name }, tester)).key);
    return made;
  });
}
