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
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SeededInstallation, seedInstallation } from "../../../bench/installation/seed-installation.ts";
import { systemPlatform } from "../../../packages/gateway/src/platform.ts";
import { digestOf } from "./digest.ts";

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

const root = join(tmpdir(), "interlingua-installations");
const copyPrefix = "copy-";
/** A past that ends in an earlier hour is made anew: it ends today wherever days begin with an hour. */
const hourMs = 3_600_000;
/** No run of tests is that long. */
const longestRunMs = 6 * hourMs;
/** What a call takes of the disk, with all that belongs to it. */
const bytesACall = 2500;

/** What a seeded installation depends on. */
const sources = ["bench/installation", "packages/gateway/src/storage/migrations"];

/**
 * A seeded installation of this size. It takes a minute to make a large one, so it is kept for the next runs of the hour and copied, unless
 * the disk has no place for two.
 */
export async function copyInstallation(size: InstallationSize): Promise<InstallationCopy> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  forgetOldCopies();
  const directory = mkdtempSync(join(root, copyPrefix));
  const databaseFile = join(directory, "interlingua.db");
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const kept = keptPlace(size);
  if (!existsSync(kept) && !hasRoomFor(3 * bytesACall * size.calls)) {
    return { ...(await seed(databaseFile, size)), directory, databaseFile, remove };
  }
  if (!existsSync(kept)) await keep(kept, size);
  copyFileSync(join(kept, "interlingua.db"), databaseFile, constants.COPYFILE_FICLONE);
  copyFileSync(join(kept, "secret.key"), join(directory, "secret.key"));
  // Written below by this module alone.
  const seeded = JSON.parse(readFileSync(join(kept, "seeded.json"), "utf8")) as SeededInstallation;
  return { ...seeded, directory, databaseFile, remove };
}

function seed(databaseFile: string, { calls, keys }: InstallationSize): Promise<SeededInstallation> {
  return seedInstallation(databaseFile, { calls, keys, seed: 1, platform: systemPlatform() });
}

function hasRoomFor(bytes: number): boolean {
  const { bavail, bsize } = statfsSync(root);
  return bavail * bsize > bytes;
}

function keptPlace({ calls, keys }: InstallationSize): string {
  const hour = Math.floor(Date.now() / hourMs);
  return join(root, `${calls}-${keys}-${digestOf(sources).slice(0, 16)}-${hour}`);
}

async function keep(place: string, size: InstallationSize): Promise<void> {
  // Those of the same size that are out of date.
  for (const name of readdirSync(root)) {
    if (name.startsWith(`${size.calls}-${size.keys}-`)) rmSync(join(root, name), { recursive: true, force: true });
  }
  const draft = mkdtempSync(join(root, copyPrefix));
  const seeded = await seed(join(draft, "interlingua.db"), size);
  writeFileSync(join(draft, "seeded.json"), JSON.stringify(seeded), { mode: 0o600 });
  try {
    renameSync(draft, place);
  } catch (error) {
    // Another run has made the same meanwhile.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

/** What runs have left that were ended before they could remove it; none of them is that long. */
function forgetOldCopies(): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const made = name.startsWith(copyPrefix) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (made !== undefined && Date.now() - made > longestRunMs) rmSync(path, { recursive: true, force: true });
  }
}
