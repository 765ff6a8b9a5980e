import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../database.ts";

/**
 * Makes sure that one gateway serves from a file: reservations, limits and heartbeats count on it. The lock is that of an
 * empty database beside the file, which the system frees when the process ends, however it ends. Commands need none.
 */
export function lockForServing(file: string): () => void {
  const path = `${resolve(file)}-serving`;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new StorageError("fatal", `${file}: another gateway serves from this file`, { cause });
  }
  return () => lock.close();
}
