import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, inject } from "vitest";
import type { DatabaseConfig } from "../config/config.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An empty database of a test's own. */
export interface TestDatabase<Config extends DatabaseConfig = DatabaseConfig> extends Disposable {
  config: Config;
}

/** Makes an empty database. */
export type MakeDatabase = () => Promise<TestDatabase>;

/** Runs the same tests over each engine. Where PostgreSQL cannot run, its tests are skipped, and their name says so. */
export function describeEngines(tests: (make: MakeDatabase) => void): void {
  describe("SQLite", () => tests(sqliteDatabase));
  describePostgres("PostgreSQL", () => tests(postgresDatabase));
}

/** Tests of PostgreSQL alone. */
export function describePostgres(name: string, tests: () => void): void {
  const provided = inject("postgres");
  if ("missing" in provided) describe.skip(`${name} (skipped: this platform has no server by npm)`, tests);
  else describe(name, tests);
}

/** A file of a test's own. */
export async function sqliteDatabase(): Promise<TestDatabase> {
  const directory = temporaryDirectory();
  return {
    config: { kind: "sqlite", path: directory.file("test.db") },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

/** A database on the run's server, which goes with the server. */
export async function postgresDatabase(): Promise<TestDatabase<Extract<DatabaseConfig, { kind: "postgres" }>>> {
  const provided = inject("postgres");
  if ("missing" in provided) throw new Error(provided.missing);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: provided.url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(provided.url);
  url.pathname = `/${name}`;
  return { config: { kind: "postgres", url: url.href, allowUnsafe: false }, [Symbol.dispose]: () => undefined };
}
