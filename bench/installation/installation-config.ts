import type { Config } from "../../packages/gateway/src/config/config.ts";
import { loadConfig } from "../../packages/gateway/src/config/load-config.ts";
import { configuredChannels } from "./models.ts";

/** The configuration file of the seeded installation (JSON is YAML). `upstream`: address of a simulated provider. */
export function installationConfig(options: { databaseFile: string; listen: string; upstream: string }): string {
  return JSON.stringify({
    listen: options.listen,
    database: `sqlite:${options.databaseFile}`,
    sandbox: true,
    channels: configuredChannels(options.upstream),
    // Channels that are made in the console may lead to the simulated provider, too.
    outbound: { allow: ["127.0.0.1"] },
    content_logging: { enabled: true, retention: "30d" },
    limits: { requests_per_minute: 100_000, tokens_per_minute: 1_000_000_000 },
    drain: { delay: "0s", timeout: "1s" },
  });
}

/** The same as the gateway reads it. */
export function loadInstallationConfig(text: string): Promise<Config> {
  return loadConfig({
    file: "interlingua.yaml",
    env: {},
    fileSystem: { read: async () => text },
    localModels: async () => [],
  });
}
