import { describe } from "vitest";
import { findRedisServer } from "./redis-server.ts";

/** Tests that need a server. Where none is installed they are skipped, and their name says so. */
export function describeRedis(name: string, tests: () => void): void {
  if (findRedisServer() === undefined) describe.skip(`${name} (skipped: no redis-server on this machine)`, tests);
  else describe(name, tests);
}
