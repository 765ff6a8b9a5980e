import { StorageError } from "../database.ts";
import { migrationNames } from "./index.ts";

/**
 * Whether a database in which these migrations have run is up to date. Throws a StorageError of kind `fatal` when one of
 * them is unknown: a newer version has made it (O9).
 */
export function checkKnown(done: readonly string[]): boolean {
  const known = new Set<string>(migrationNames);
  const newer = done.find((name) => !known.has(name));
  if (newer !== undefined) {
    throw new StorageError("fatal", `The database was made by a newer version of Interlingua (it holds "${newer}")`);
  }
  return done.length === migrationNames.length;
}
