import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SeededInstallation, seedInstallation } from "../../../bench/installation/seed-installation.ts";
import { systemPlatform } from "../../../packages/gateway/src/platform.ts";
import { digestOf } from "./built-console.ts";

/** A seeded installation of one's own, in a directory that is gone when it is closed. */
export interface InstallationCopy extends SeededInstallation {
  directory: string;
  databaseFile: string;
  remove(): void;
}

export interface InstallationSize {
  calls: number;
  keys: number;
}

const cacheRoot = join(tmpdir(), "interlingua-installations");
/** A past that ends earlier is made anew, so that charts of today show something. */
const freshMs = 3 * 3_600_000;

/** What a seeded installation depends on. */
const sources = ["bench/installation", "packages/gateway/src/storage/migrations"];

/** A copy of the seeded installation of this size, which is made where there is none yet. */
export async function copyInstallation(size: InstallationSize): Promise<InstallationCopy> {
  const cached = await cachedInstallation(size);
  forgetOldCopies();
  const directory = mkdtempSync(join(cacheRoot, copyPrefix));
  const databaseFile = join(directory, "interlingua.db");
  copyFileSync(join(cached, "interlingua.db"), databaseFile, constants.COPYFILE_FICLONE);
  copyFileSync(join(cached, "secret.key"), join(directory, "secret.key"));
  // Written below by this module alone.
  const seeded = JSON.parse(readFileSync(join(cached, "seeded.json"), "utf8")) as SeededInstallation;
  const remove = () => rmSync(directory, { recursive: true, force: true });
  return { ...seeded, directory, databaseFile, remove };
}

async function cachedInstallation({ calls, keys }: InstallationSize): Promise<string> {
  const era = Math.floor(Date.now() / freshMs);
  const name = `${calls}-${keys}-${digestOf(sources).slice(0, 16)}-${era}`;
  const place = join(cacheRoot, name);
  if (existsSync(place)) return place;
  mkdirSync(cacheRoot, { recursive: true, mode: 0o700 });
  forgetOthers(`${calls}-${keys}-`);
  const draft = mkdtempSync(join(cacheRoot, "draft-"));
  const seeded = await seedInstallation(join(draft, "interlingua.db"), {
    calls,
    keys,
    seed: 1,
    platform: systemPlatform(),
  });
  writeFileSync(join(draft, "seeded.json"), JSON.stringify(seeded), { mode: 0o600 });
  try {
    renameSync(draft, place);
  } catch (error) {
    // Another run has made the same meanwhile.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}

const copyPrefix = "copy-";

/** Copies of runs that were ended before they could remove them; no run is that long. */
function forgetOldCopies(): void {
  for (const name of readdirSync(cacheRoot)) {
    const path = join(cacheRoot, name);
    const made = name.startsWith(copyPrefix) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (made !== undefined && Date.now() - made > 2 * freshMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Those of the same size that are out of date. */
function forgetOthers(prefix: string): void {
  for (const name of readdirSync(cacheRoot)) {
    if (name.startsWith(prefix)) rmSync(join(cacheRoot, name), { recursive: true, force: true });
  }
}
