import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { startUpstreamSim } from "./server.ts";

const { values } = parseArgs({
  options: {
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "0" },
    lax: { type: "boolean", default: false },
  },
});
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  process.stderr.write(`--port: expected a number from 0 to 65535, got "${values.port}"\n`);
  process.exit(2);
}
const sim = await startUpstreamSim({
  host: values.host,
  port,
  strict: !values.lax,
  clock: Date.now,
  ids: randomUUID,
  keepRequests: 0,
});
process.stdout.write(`upstream-sim listens on ${sim.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    sim.close().then(() => process.exit(0));
  });
}
