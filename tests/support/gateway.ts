import { startGateway } from "../../packages/gateway/src/app.ts";
import type { Config } from "../../packages/gateway/src/config/config.ts";
import { loadConfig } from "../../packages/gateway/src/config/load-config.ts";
import { systemPlatform } from "../../packages/gateway/src/platform.ts";
import { createLog } from "../../packages/gateway/src/telemetry/log.ts";
import { temporaryDirectory } from "../../packages/gateway/src/testing/temporary-directory.ts";
import type { Caller } from "../recordings/read-back.ts";
import { testSecret } from "./test-secret.ts";

/** The keys of interlingua.yaml that these tests set, as an operator writes them. */
export interface TestConfiguration {
  sandbox?: boolean;
  prices?: readonly { model: string; request?: number; input?: number; output?: number }[];
  accounts?: readonly { name: string; billing?: "prepaid" | "postpaid" }[];
  /** Beside the one that `caller` bears. */
  access_keys?: readonly Record<string, unknown>[];
  auth?: { failures_per_minute?: number };
  limits?: { requests_per_minute?: number; tokens_per_minute?: number; concurrency?: number };
  stored_responses?: { keep?: "asked" | "default" | "never"; ttl?: string; max_bytes?: string };
  channels?: readonly {
    name: string;
    protocols: readonly string[];
    base_url: string;
    api_key: string;
    models: readonly (string | { id: string; upstream_id: string })[];
  }[];
}

export interface TestGateway {
  caller: Caller;
  /** For what is done from beside the gateway, as commands do it. */
  config: Config;
  /** Ends it and leaves its database to be looked into. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const key = "test-access-key-0123456789-0123456789";

/** Starts a whole gateway on a free port, from a configuration file, with a database of its own. */
export async function startTestGateway(
  configuration: TestConfiguration,
  env: Readonly<Record<string, string>> = testSecret,
): Promise<TestGateway> {
  const directory = temporaryDirectory();
  const platform = systemPlatform();
  // JSON is YAML.
  const text = JSON.stringify({
    listen: "127.0.0.1:0",
    database: `sqlite:${directory.file("test.db")}`,
    // These tests make more calls of one key than one caller in a minute.
    limits: { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrency: 1000 },
    ...configuration,
    access_keys: [{ name: "tests", key }, ...(configuration.access_keys ?? [])],
  });
  const config = await loadConfig({
    file: "interlingua.yaml",
    env,
    fileSystem: { read: async () => text },
  });
  const log = createLog({ now: platform.now, level: "silent", destination: { write: () => undefined } });
  const gateway = await startGateway({ config, platform, log });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopped ??= gateway.close({ drainMs: 0 });
    await stopped;
  };
  return {
    caller: { url: gateway.address, key },
    config,
    stop,
    async close() {
      await stop();
      directory[Symbol.dispose]();
    },
  };
}
