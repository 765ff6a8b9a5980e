import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = resolve(import.meta.dirname, "../../..");

/** Where the build puts the console. */
export const builtConsole = join(root, "packages/console/dist");

/**
 * Builds the console where it is missing or its sources have changed since, then does what needs it. Of several runs that come
 * at once one builds and the others wait.
 */
export async function withBuiltConsole<Result>(use: () => Promise<Result>): Promise<Result> {
  const lock = join(tmpdir(), `interlingua-build-${createHash("sha256").update(root).digest("hex").slice(0, 12)}`);
  await takeLock(lock);
  try {
    execFileSync(process.execPath, [join(root, "packages/console/scripts/build-when-stale.ts")], {
      stdio: ["ignore", "ignore", "inherit"],
      // Test runners say `test` here, by which React would be built with its checks for developers.
      env: { ...process.env, NODE_ENV: "production" },
    });
    return await use();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Longer than any build takes: whoever holds the lock then has died. */
const lockMs = 180_000;

async function takeLock(lock: string): Promise<void> {
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const held = statSync(lock, { throwIfNoEntry: false });
    if (held && Date.now() - held.mtimeMs > lockMs) rmSync(lock, { recursive: true, force: true });
    else await pause(100);
  }
}
