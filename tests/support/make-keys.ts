import { withAccessKeys } from "../../packages/gateway/src/cli/keys-command.ts";
import { loadConfig } from "../../packages/gateway/src/config/load-config.ts";
import { systemPlatform } from "../../packages/gateway/src/platform.ts";
import { testSecret } from "./test-secret.ts";

/** Makes access keys as the command line does, many with one start. Key texts in the order of the names. */
export async function makeKeys(configFile: string, names: readonly string[]): Promise<string[]> {
  const config = await loadConfig({ file: configFile, env: testSecret, localModels: async () => [] });
  return withAccessKeys(config, systemPlatform(), async (keys) => {
    const made: string[] = [];
    for (const name of names) made.push((await keys.create({ name })).key);
    return made;
  });
}
