import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { makePostgresTemplate, makeSqliteTemplate } from "./packages/gateway/src/testing/database-templates.ts";
import { startPostgresServer } from "./packages/gateway/src/testing/postgres-server.ts";

/**
 * One PostgreSQL server for a whole test run, about a second to start; each test makes its own database on it, and its own
 * SQLite file, as a copy of one that has all tables.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-template-"));
  const file = join(directory, "template.db");
  await makeSqliteTemplate(file);
  project.provide("sqliteTemplate", file);
  const server = await startPostgresServer();
  if ("missing" in server) project.provide("postgres", server);
  else {
    await makePostgresTemplate(server);
    project.provide("postgres", { url: server.url("postgres") });
  }
  return async () => {
    if (!("missing" in server)) await server.remove();
    rmSync(directory, { recursive: true, force: true });
  };
}
