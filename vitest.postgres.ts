import type { TestProject } from "vitest/node";
import { startPostgresServer } from "./packages/gateway/src/testing/postgres-server.ts";

/** One PostgreSQL server for a whole test run, under a second to start; each test makes its own database on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  if ("missing" in server) {
    project.provide("postgres", server);
    return async () => undefined;
  }
  project.provide("postgres", { url: server.url("postgres") });
  return server.remove;
}
