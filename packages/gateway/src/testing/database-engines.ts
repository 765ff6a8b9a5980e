import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, inject } from "vitest";
import type { DatabaseConfig } from "../config/config.ts";
import { fromPostgresTemplate, placeSqlite } from "./database-templates.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A database of a test's own, with nothing in its tables. */
export interface TestDatabase<Config extends DatabaseConfig = DatabaseConfig> extends Disposable {
  config: Config;
}

/** What stands in a new database: the tables of today, or nothing at all, as before a first start. */
export type DatabaseState = "tables" | "new";

/** Makes a database, with tables unless told otherwise. */
export type MakeDatabase = (state?: DatabaseState) => Promise<TestDatabase>;

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
export async function sqliteDatabase(state: DatabaseState = "tables"): Promise<TestDatabase> {
  const directory = temporaryDirectory();
  const path = directory.file("test.db");
  if (state === "tables") placeSqlite(path);
  return {
    config: { kind: "sqlite", path },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

/** A database on the run's server, which goes with the server. */
export async function postgresDatabase(
  state: DatabaseState = "tables",
): Promise<TestDatabase<Extract<DatabaseConfig, { kind: "postgres" }>>> {
  const provided = inject("postgres");
  if ("missing" in provided) throw new Error(provided.missing);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: provided.url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} ${state === "tables" ? fromPostgresTemplate : ""}`);
  } finally {
    await client.end();
  }
  const url = new URL(provided.url);
  url.pathname = `/${name}`;
  return { config: { kind: "postgres", url: url.href, allowUnsafe: false }, [Symbol.dispose]: () => undefined };
}
