import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startUpstreamSim } from "@interlingua/upstream-sim";
import { installationConfig } from "../../../bench/installation/installation-config.ts";
import type { KnownKeys } from "../../../bench/installation/live-calls.ts";
import type { Person, SignInData } from "../../../bench/installation/people.ts";
import { systemPlatform } from "../../../packages/gateway/src/platform.ts";
import { startGatewayProcess } from "../../replicas/gateway-process.ts";
import { withBuiltConsole } from "./built-console.ts";
import { copyInstallation, type InstallationSize } from "./installation.ts";
import { type Session, signIn } from "./session.ts";

/** What tests know of the running gateway; plain data, to be handed to other processes. */
export interface SceneData {
  /** `http://127.0.0.1:<port>` */
  address: string;
  people: Record<Person, SignInData>;
  /** One session of each person, which nobody ends. */
  sessions: Record<Person, Session>;
  /** Access keys for calls. */
  keys: KnownKeys;
  /** What the gateway prints. */
  logFile: string;
}

/** A gateway in a process of its own, over a copy of the seeded installation, with a simulated provider behind it. */
export interface Scene extends SceneData {
  close(): Promise<void>;
}

/** Builds the console and seeds the installation, each where it is needed, and starts the gateway. */
export async function startScene(size: InstallationSize): Promise<Scene> {
  const installation = await copyInstallation(size);
  const { directory, databaseFile, people, keys } = installation;
  const platform = systemPlatform();
  const sim = await startUpstreamSim({ clock: platform.now, ids: () => platform.id("sim"), keepRequests: 0 });
  const configFile = join(directory, "interlingua.yaml");
  const logFile = join(directory, "gateway.log");
  writeFileSync(configFile, installationConfig({ databaseFile, listen: "127.0.0.1:0", upstream: sim.url }));
  // The gateway reads the built console when it starts.
  const gateway = await withBuiltConsole(() => startGatewayProcess({ configFile, env: {}, logFile }));
  const close = async () => {
    await gateway.kill();
    await sim.close();
    installation.remove();
  };
  try {
    const { address } = gateway;
    const of = (person: Person) => signIn(address, people[person]);
    const sessions: Record<Person, Session> = {
      operator: await of("operator"),
      owner: await of("owner"),
      member: await of("member"),
      viewer: await of("viewer"),
      newcomer: await of("newcomer"),
    };
    return { address, people, sessions, keys, logFile, close };
  } catch (error) {
    await close();
    throw error;
  }
}
