import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { inject } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import type { PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A SQLite file with the tables of today and nothing in them, made once a test run. */
    sqliteTemplate: string;
  }
}

/** On the run's PostgreSQL server, the same. */
const postgresTemplate = "interlingua_template";

/** The part of a statement that makes a database with the tables of today. */
export const fromPostgresTemplate = `TEMPLATE ${postgresTemplate}`;

/** Makes the SQLite file from which tests copy: to run all migrations takes longer than most of what they try. */
export async function makeSqliteTemplate(file: string): Promise<void> {
  await (await openDatabase({ kind: "sqlite", path: file })).close();
}

export async function makePostgresTemplate(server: PostgresServer): Promise<void> {
  await server.createDatabase(postgresTemplate);
  const config = { kind: "postgres", url: server.url(postgresTemplate), allowUnsafe: false } as const;
  await (await openDatabase(config)).close();
  // A database to which somebody is connected cannot be copied.
  await server.run(`ALTER DATABASE ${postgresTemplate} ALLOW_CONNECTIONS false`);
}

/** Puts a SQLite file with the tables of today there, as a gateway makes it. */
export function placeSqlite(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  copyFileSync(inject("sqliteTemplate"), file);
}
