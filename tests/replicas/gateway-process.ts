import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";

/** A gateway in a process of its own, as an operator starts it. */
export interface GatewayProcess {
  pid: number;
  /** Base address. */
  address: string;
  /** Whether it still runs. */
  readonly alive: boolean;
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** `SIGSTOP`: it stands still. `SIGCONT`: it goes on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
}

export interface GatewayProcessOptions {
  configFile: string;
  /** What the process sees of an environment beside PATH. */
  env: Readonly<Record<string, string>>;
  /** Gets what it prints. */
  logFile: string;
}

const program = resolve(import.meta.dirname, "../../packages/gateway/src/main.ts");

/** Starts a gateway and waits until it is ready to take calls. Rejects with what it printed where it ends before. */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { configFile, env, logFile } = options;
  const child = spawn(process.execPath, [program, "serve", "--config", configFile], {
    env: { ...inherited(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // No gateway outlives the tests that started it.
  const end = () => child.kill("SIGKILL");
  process.on("exit", end);
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  ended.then(() => process.off("exit", end));
  const alive = () => child.exitCode === null && child.signalCode === null;
  const address = await listening(child, logFile);
  await ready(address, alive);
  return {
    pid: child.pid ?? 0,
    address,
    get alive() {
      return alive();
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    signal: (signal) => void child.kill(signal),
  };
}

/** Where programs are, and where the modules of others that were started before lie compiled. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

/** The address that it prints. */
function listening(child: ChildProcess, logFile: string): Promise<string> {
  return new Promise((found, failed) => {
    let printed = "";
    const read = (text: string) => {
      appendFileSync(logFile, text);
      if (printed.length < 65_536) printed += text;
      const address = /is listening on (http:\/\/\S+)/.exec(printed)?.[1];
      if (address) found(address);
    };
    child.stdout?.setEncoding("utf8").on("data", read);
    child.stderr?.setEncoding("utf8").on("data", read);
    child.on("error", failed);
    child.on("close", () => failed(new Error(`The gateway ended before it was ready:\n${printed}`)));
  });
}

const readyWithinMs = 20_000;

async function ready(address: string, alive: () => boolean): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (alive() && performance.now() < deadline) {
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(20);
  }
  throw new Error(`The gateway at ${address} did not become ready within ${readyWithinMs} ms.`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
