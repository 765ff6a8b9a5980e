import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { protocolNames } from "@interlingua/protocols";
import { type Finished, runProgram } from "../../packages/gateway/src/testing/run-program.ts";
import { temporaryDirectory } from "../../packages/gateway/src/testing/temporary-directory.ts";
import type { DatabasePlace } from "../support/plain-sql.ts";
import { testSecret } from "../support/test-secret.ts";
import { type Front, startFront } from "./front.ts";
import { type GatewayProcess, type GatewayProcessOptions, startGatewayProcess } from "./gateway-process.ts";

/** Gateways in processes of their own on one database, and a balancer in front of them. */
export interface Cluster {
  /** Base address of the balancer. */
  address: string;
  configFile: string;
  directory: string;
  /** The base address of each member; undefined for one that is down. */
  members(): readonly (string | undefined)[];
  /** Starts all members, one after the other. */
  start(): Promise<void>;
  /** `kill -9`. */
  kill(member: number): Promise<void>;
  /** Lets a member stand still, or go on. */
  signal(member: number, signal: "SIGSTOP" | "SIGCONT"): void;
  /** Starts a member that is down; resolves when it is ready. */
  restart(member: number): Promise<void>;
  /** Runs the command line on the cluster's configuration. */
  command(...args: string[]): Promise<Finished>;
  /** Makes an access key, and returns it. */
  createKey(name: string): Promise<string>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  replicas: number;
  /** Left out: a SQLite file in the cluster's directory. */
  database?: DatabasePlace;
  redis?: string;
  /** Base address of the simulated provider. */
  provider: string;
  /** More of the configuration file, as an operator writes it. */
  settings?: Readonly<Record<string, unknown>>;
  /** More of the environment of the gateways. */
  env?: Readonly<Record<string, string>>;
}

const main = resolve(import.meta.dirname, "../../packages/gateway/src/main.ts");

/** Prepares a cluster; nothing runs before `start`. */
export async function createCluster(options: ClusterOptions): Promise<Cluster & { database: DatabasePlace }> {
  const directory = temporaryDirectory();
  const database = options.database ?? { kind: "sqlite", path: directory.file("gateway.db") };
  const configFile = directory.file("interlingua.yaml");
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify(configuration(options, database), undefined, 2));
  const launch = (member: number): GatewayProcessOptions => ({
    configFile,
    env: { ...testSecret, ...options.env },
    logFile: directory.file(`gateway-${member}.log`),
  });
  const running: (GatewayProcess | undefined)[] = Array.from({ length: options.replicas }, () => undefined);
  const members = () => running.map((member) => (member?.alive ? member.address : undefined));
  const front: Front = await startFront(members);
  const restart = async (member: number) => {
    running[member] = await startGatewayProcess(launch(member));
  };
  const command = (...args: string[]) =>
    runProgram(process.execPath, [main, ...args, "--config", configFile], {
      env: { PATH: process.env.PATH, ...testSecret },
    });
  return {
    address: front.address,
    configFile,
    database,
    directory: directory.path,
    members,
    async start() {
      for (const member of running.keys()) await restart(member);
    },
    async kill(member) {
      await running[member]?.kill();
      running[member] = undefined;
    },
    signal: (member, signal) => running[member]?.signal(signal),
    restart,
    command,
    async createKey(name) {
      const { code, stdout, stderr } = await command("keys", "create", "--name", name);
      if (code !== 0) throw new Error(`The key was not made:\n${stderr}`);
      return stdout.trim();
    },
    async close() {
      await front.close();
      await Promise.all(running.map((member) => member?.kill()));
      directory[Symbol.dispose]();
    },
  };
}

/** One channel for each protocol; its model is `to-<protocol>`. One of them has the model `per-request`, too. */
function configuration(options: ClusterOptions, database: DatabasePlace): Record<string, unknown> {
  const { provider, redis, settings } = options;
  const { limits, ...rest } = settings ?? {};
  return {
    listen: "127.0.0.1:0",
    database: database.kind === "sqlite" ? `sqlite:${database.path}` : database.url,
    ...(redis === undefined ? {} : { redis }),
    channels: protocolNames.map((protocol) => ({
      name: `sim-${protocol}`,
      protocols: [protocol],
      base_url: protocol === "chat-completions" || protocol === "responses" ? `${provider}/v1` : provider,
      api_key: "provider-secret",
      models: [
        { id: `to-${protocol}`, upstream_id: "sandbox" },
        // For calls whose answers the gateway is to keep: where the provider keeps none.
        ...(protocol === "responses" ? [] : [{ id: `kept-${protocol}`, upstream_id: "sandbox" }]),
        ...(protocol === "chat-completions" ? [{ id: "per-request", upstream_id: "sandbox" }] : []),
      ],
    })),
    server: { max_connections_per_address: 5000 },
    // The swarm is one caller that makes more calls than one.
    limits: {
      requests_per_minute: 1_000_000,
      tokens_per_minute: 1_000_000_000,
      concurrency: 5000,
      ...(typeof limits === "object" ? limits : {}),
    },
    ...rest,
  };
}
