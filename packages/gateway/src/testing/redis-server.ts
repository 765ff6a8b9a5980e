import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { Redis } from "ioredis";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A Redis or Valkey server of the tests' own, on a free port of this machine. It keeps nothing. */
export interface RedisServer extends AsyncDisposable {
  url: string;
  port: number;
  /** A connection that looks at the server from outside. */
  client: Redis;
  /** Ends it at once, as a failing server does. All is lost. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** It stands still: connections are kept, nothing is answered. */
  freeze(): void;
  thaw(): void;
}

const names = ["redis-server", "valkey-server"];

export async function startRedisServer(): Promise<RedisServer> {
  const program = findRedisServer();
  if (program === undefined) throw new Error(`There is no ${names.join(" or ")} in PATH.`);
  const directory = temporaryDirectory();
  const port = await freePort();
  const options = { port, bind: "127.0.0.1", dir: directory.path, save: "", appendonly: "no", daemonize: "no" };
  const parameters = Object.entries(options).flatMap(([option, value]) => [`--${option}`, String(value)]);
  let child: ChildProcess | undefined;
  const client = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => 20 });
  // Expected as long as the server is away.
  client.on("error", () => undefined);

  const end = () => child?.kill("SIGKILL");
  process.on("exit", end);
  const start = async () => {
    child = spawn(program, parameters, { stdio: "ignore" });
    // Waits until the server answers; a program that cannot be started ends the wait.
    await Promise.race([
      client.ping(),
      once(child, "exit").then(() => {
        throw new Error(`${program} ended by itself.`);
      }),
    ]);
  };
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    start,
    stop,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await stop();
      process.off("exit", end);
      directory[Symbol.dispose]();
    },
  };
}

/** The program of the server, where one is installed. */
export function findRedisServer(): string | undefined {
  const places = (process.env.PATH ?? "").split(delimiter).filter((place) => place !== "");
  return names.flatMap((name) => places.map((place) => join(place, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
