import { Kysely, PostgresDialect } from "kysely";
import type { Client } from "pg";
import { checkKnown } from "../migrations/check-known.ts";
import { kyselyPool } from "./kysely-pool.ts";

/** Of all replicas that start together, one migrates; any number that no other program uses on this database. */
const migrationLock = 7_310_042_591_683;

/**
 * Runs the migrations that the database has not seen, in one transaction under a lock. Refuses a database that a newer
 * version has migrated (O9).
 */
export async function bringUpToDate(client: Client): Promise<void> {
  if (await isCurrent(client)) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    if (!(await isCurrent(client))) await migrate(client);
    await client.query("COMMIT");
  } catch (error) {
    // Fails only with the connection, and the transaction is gone with that.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function isCurrent(client: Client): Promise<boolean> {
  const table = await client.query("SELECT 1 WHERE to_regclass('kysely_migration') IS NOT NULL");
  if (table.rowCount === 0) return false;
  const { rows } = await client.query<{ name: string }>("SELECT name FROM kysely_migration ORDER BY name");
  return checkKnown(rows.map((row) => row.name));
}

/** Loads the migrations only here: a start over an up-to-date database does without them. */
async function migrate(client: Client): Promise<void> {
  const [{ Migrator }, { migrations }] = await Promise.all([
    import("kysely/migration"),
    import("../migrations/all.ts"),
  ]);
  const query = (sql: string, parameters: readonly unknown[]) => client.query(sql, [...parameters]);
  // The one connection, lent to one user after the other.
  const pool = kyselyPool(
    async () => ({ query, release: () => undefined }),
    async () => undefined,
  );
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } });
  // The transaction is ours, begun before the lock was taken.
  const { error } = await migrator.migrateToLatest({ disableTransactions: true });
  if (error) throw error;
}
