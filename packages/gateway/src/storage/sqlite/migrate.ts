import type { DatabaseSync } from "node:sqlite";
import { checkKnown } from "../migrations/check-known.ts";
import { kyselyDatabase } from "./kysely-database.ts";

/**
 * Runs the migrations that the file has not seen, in one transaction under the write lock, so that of two processes that
 * start together one waits. Refuses a file that a newer version has migrated (O9).
 */
export async function bringUpToDate(database: DatabaseSync): Promise<void> {
  if (isCurrent(database)) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    if (!isCurrent(database)) await migrate(database);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function isCurrent(database: DatabaseSync): boolean {
  const table = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'kysely_migration'")
    .get();
  if (!table) return false;
  const done = database.prepare("SELECT name FROM kysely_migration ORDER BY name").all();
  return checkKnown(done.map((row) => String(row.name)));
}

/** Loads the migrations only here: a start over an up-to-date file does without them. */
async function migrate(database: DatabaseSync): Promise<void> {
  const [{ Kysely, SqliteDialect }, { Migrator }, { migrations }] = await Promise.all([
    import("kysely"),
    import("kysely/migration"),
    import("../migrations/all.ts"),
  ]);
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: kyselyDatabase(database) }) });
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } });
  // The transaction is ours, taken for writing before anything was read.
  const { error } = await migrator.migrateToLatest({ disableTransactions: true });
  if (error) throw error;
}
