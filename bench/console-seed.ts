import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { systemPlatform } from "../packages/gateway/src/platform.ts";
import { seedInstallation } from "./installation/seed-installation.ts";

/**
 * Makes a whole installation to look at: `npm run seed -- --database data/seeded.db [--calls 1000000] [--keys 400000]
 * [--seed 1]`. Prints who can sign in, and keys for calls.
 */
const { values } = parseArgs({
  options: {
    database: { type: "string" },
    calls: { type: "string", default: "1000000" },
    keys: { type: "string", default: "400000" },
    seed: { type: "string", default: "1" },
  },
});

if (values.database === undefined) {
  console.error("Name a new file: --database data/seeded.db");
  process.exit(2);
}
if (existsSync(values.database)) {
  console.error(`${values.database} exists already: name a new file`);
  process.exit(2);
}
const start = performance.now();
const installation = await seedInstallation(values.database, {
  calls: Number(values.calls),
  keys: Number(values.keys),
  seed: Number(values.seed),
  platform: systemPlatform(),
  tell: (text) => console.error(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${text}`),
});
console.error(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  done`);
console.log(JSON.stringify(installation, null, 2));
