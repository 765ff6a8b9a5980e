import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { auditHash } from "../audit-hash.ts";
import { StorageError } from "../database.ts";

/** The oldest SQLite whose WAL handling is free of known ways to lose a commit (O5). */
const oldestSqlite = "3.51.3";

const busyTimeoutMs = 2000;

/** The one connection that writes: WAL, every commit synced before it is acknowledged (M4), no memory mapping. */
export function openWriteConnection(path: string): DatabaseSync {
  makeFile(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  database.exec("PRAGMA mmap_size = 0");
  database.exec("PRAGMA journal_size_limit = 67108864");
  checkGround(database, path);
  // Called by the trigger of migration 0004 that chains the audit log.
  database.function("audit_hash", { deterministic: true, varargs: true }, auditHashFunction);
  return database;
}

/**
 * Keeps in memory what a unit's savepoint may have to undo, which SQLite else writes to a file of its own for each unit that
 * changes more than 64 KiB of pages: a call's settlement does. What makes a commit durable is untouched. Not for
 * migrations, whose sorting needs the file.
 */
export function keepUndoInMemory(database: DatabaseSync): void {
  database.exec("PRAGMA temp_store = MEMORY");
}

function auditHashFunction(previous: unknown, ...values: unknown[]): string {
  // The columns of audit_event are texts and integers, some of which may be null.
  return auditHash(String(previous), values as (string | number | null)[]);
}

/**
 * Gives the connection the function `transaction_ms()`: unix milliseconds of the begin of the group that is being
 * written, the same in all of its statements, as `now()` is on PostgreSQL.
 */
export function defineTransactionTime(database: DatabaseSync, now: () => number): void {
  database.function("transaction_ms", { deterministic: false }, now);
}

/** A connection that cannot write. The file must exist. */
export function openReadConnection(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
}

/** Refuses ground on which an acknowledged commit could be lost (O5). */
function checkGround(database: DatabaseSync, path: string): void {
  const version = String(database.prepare("SELECT sqlite_version() AS value").get()?.value);
  if (!isAtLeast(version, oldestSqlite)) {
    throw new StorageError(
      "fatal",
      `SQLite ${version} is too old: ${oldestSqlite} or later is needed, use a newer Node.js`,
    );
  }
  const mode = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
  if (mode !== "wal") {
    throw new StorageError(
      "fatal",
      `${path}: the file system does not support write-ahead logging (journal mode is ${String(mode)})`,
    );
  }
  const synchronous = database.prepare("PRAGMA synchronous").get()?.synchronous;
  if (synchronous !== 2)
    throw new StorageError("fatal", `${path}: commits cannot be made durable (synchronous is ${String(synchronous)})`);
}

/** Compares dotted versions by number. */
export function isAtLeast(version: string, oldest: string): boolean {
  const have = version.split(".").map(Number);
  for (const [place, wanted] of oldest.split(".").map(Number).entries()) {
    const part = have[place] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** Makes directory and file so that only their owner reads them; SQLite gives its side files the same mode. */
function makeFile(path: string): void {
  const file = resolve(path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
}
