import { parseArgs } from "node:util";
import { startPostgresServer } from "../../packages/gateway/src/testing/postgres-server.ts";
import { availableRedis } from "../support/available-redis.ts";
import { plainPlan, startProvider } from "../support/provider.ts";
import { createCluster } from "./cluster.ts";

/*
 * Replicas on one PostgreSQL and one Redis, before a simulated provider, behind a balancer, until Ctrl-C:
 *   node tests/replicas/run.ts --replicas 3
 */
const { values } = parseArgs({ options: { replicas: { type: "string", default: "3" } } });

const ended = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
});
const server = await startPostgresServer();
if ("missing" in server) throw new Error(`There is no PostgreSQL server here: ${server.missing}`);
await server.createDatabase("replicas");
const redis = await availableRedis();
const provider = await startProvider({ plan: plainPlan });
const cluster = await createCluster({
  replicas: Number(values.replicas),
  database: { kind: "postgres", url: server.url("replicas") },
  provider: provider.sim.url,
  ...(redis ? { redis: redis.url } : {}),
});
const key = await cluster.createKey("by-hand");
await cluster.start();

console.log(`balancer       ${cluster.address}`);
for (const [number, address] of cluster.members().entries()) console.log(`replica ${number}      ${address}`);
console.log(`provider       ${provider.sim.url} (simulated)`);
console.log(`PostgreSQL     ${server.url("replicas")}`);
console.log(`Redis          ${redis?.url ?? "none: there is no redis-server on this machine"}`);
console.log(`configuration  ${cluster.configFile}`);
console.log(`access key     ${key}`);
console.log("models         to-chat-completions, to-responses, to-messages, to-generate-content");

await ended;
await cluster.close();
await provider.close();
await redis?.[Symbol.asyncDispose]();
await server.remove();
process.exit();
