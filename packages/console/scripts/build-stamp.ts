import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../..", import.meta.url));

/** What the build is made of, from `packages/` on. */
const sources = [
  "console/index.html",
  "console/package.json",
  "console/public",
  "console/scripts/compressed-files.ts",
  "console/src",
  "console/vite.config.ts",
  "protocols/src",
];

/** A digest of all that the build is made of. */
export function sourceDigest(): string {
  const digest = createHash("sha256");
  for (const source of sources) {
    for (const name of filesOf(join(packages, source))) {
      if (name.endsWith(".test.ts")) continue;
      digest
        .update(`${name.slice(packages.length)}\0`)
        .update(readFileSync(name))
        .update("\0");
    }
  }
  return digest.digest("hex");
}

export function writeStamp(directory: string, digest: string): void {
  writeFileSync(join(directory, ".stamp"), digest);
}

/** What the build in the directory was made of; undefined where there is none. */
export function readStamp(directory: string): string | undefined {
  const stamp = join(directory, ".stamp");
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
