/**
 * Builds the console where it is not built, or was built of other sources: what `npm start` does first. Without the tools
 * to build it, as in an installation for use alone, what is there is taken as it is.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readStamp, sourceDigest } from "./build-stamp.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Vite's program; undefined where it is not installed. */
function builder(): string | undefined {
  try {
    const found = createRequire(import.meta.url).resolve("vite/package.json");
    return join(dirname(found), "bin/vite.js");
  } catch {
    return undefined;
  }
}

const vite = builder();
if (vite !== undefined && existsSync(join(root, "src")) && readStamp(join(root, "dist")) !== sourceDigest()) {
  console.log("Building the console, which takes some seconds …");
  const { status } = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) console.error("The console could not be built; the gateway starts without the latest one.");
}
