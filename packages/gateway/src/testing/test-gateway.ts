import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { type ScriptSource, startUpstreamSim, type UpstreamSim } from "@interlingua/upstream-sim";
import { type Gateway, startGateway } from "../app.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { listCalls } from "../calls/list-calls.ts";
import type { Network } from "../channels/outbound-guard.ts";
import type { Config, ProviderChannel } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { type Platform, systemPlatform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { placeSqlite } from "./database-templates.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** The access key that a test gateway knows from its configuration. */
export const testKey = "test-access-key-0123456789-0123456789";

export interface TestGatewayOptions {
  script?: ScriptSource;
  /** Judge upstream requests strictly (default true). */
  strict?: boolean;
  /** In the place of the four channels `to-<protocol>`. */
  channels?: (simUrl: string) => readonly ProviderChannel[];
  config?: (base: Config) => Config;
  lossy?: "allow" | "refuse";
  /** The machine's, unless told otherwise. */
  platform?: Platform;
  /** For connections that are guarded; the machine's, unless told otherwise. */
  network?: Network;
}

/** A gateway on a free port with its own database, in front of a simulated provider. */
export interface TestGateway extends AsyncDisposable {
  address: string;
  gateway: Gateway;
  sim: UpstreamSim;
  /** Log lines so far. */
  log: readonly string[];
  /** The recorded calls, newest first. */
  calls(): Promise<CallRecord[]>;
  /** Works on the gateway's database beside it. */
  withDatabase<Result>(task: (database: Database) => Promise<Result>): Promise<Result>;
  /** A POST with the test's key and the family's headers. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** A channel that points at the simulated provider by one protocol; its model is `to-<protocol>`. */
export function simChannel(
  simUrl: string,
  protocol: ProtocolName,
  more: Partial<ProviderChannel> = {},
): ProviderChannel {
  const openai = protocol === "chat-completions" || protocol === "responses";
  return {
    name: `sim-${protocol}`,
    sandbox: false,
    protocols: [protocol],
    baseUrl: openai ? `${simUrl}/v1` : simUrl,
    apiKey: "provider-secret",
    headers: {},
    models: [{ id: `to-${protocol}`, upstreamId: "sandbox" }],
    status: "operational",
    ...more,
  };
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const directory = temporaryDirectory();
  const databaseFile = directory.file("test.db");
  placeSqlite(databaseFile);
  const platform = options.platform ?? systemPlatform();
  const sim = await startUpstreamSim({
    clock: platform.now,
    ids: () => platform.id("sim"),
    script: options.script,
    strict: options.strict ?? true,
  });
  const base = await loadConfig({
    env: { INTERLINGUA_SECRET: "a secret of the tests, long enough to be one" },
    fileSystem: { read: async () => undefined },
    localModels: async () => [],
  });
  const channels = options.channels?.(sim.url) ?? protocolNames.map((protocol) => simChannel(sim.url, protocol));
  const own: Config = {
    ...base,
    listen: { host: "127.0.0.1", port: 0 },
    database: { kind: "sqlite", path: databaseFile },
    // A file of tests makes more calls of one key than one caller in a minute.
    limits: { ...base.limits, requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1000 },
    channels,
    accessKeys: [{ name: "test", key: testKey, lossy: options.lossy ?? "allow" }],
  };
  const config = options.config?.(own) ?? own;
  const log: string[] = [];
  const gateway = await startGateway({
    config,
    platform,
    ...(options.network ? { network: options.network } : {}),
    log: createLog({ now: platform.now, level: "debug", destination: { write: (line) => log.push(line) } }),
  });
  // Opened when a test first asks, once: opening takes longer than most of what tests ask.
  let beside: Promise<Database> | undefined;
  const withDatabase = async <Result>(task: (database: Database) => Promise<Result>) => {
    beside ??= openDatabase(config.database);
    return task(await beside);
  };
  return {
    address: gateway.address,
    gateway,
    sim,
    log,
    calls: () => withDatabase(async (database) => (await listCalls(database, { limit: 200 })).calls),
    withDatabase,
    post: (path, body, headers = {}) =>
      fetch(gateway.address + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${testKey}`,
          ...(path.includes("/messages") ? { "anthropic-version": "2023-06-01" } : {}),
          ...headers,
        },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await (await beside)?.close();
      await gateway.close({ drainMs: 0 });
      await sim.close();
      directory[Symbol.dispose]();
    },
  };
}
