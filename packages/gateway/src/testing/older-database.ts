import { DatabaseSync } from "node:sqlite";
import { Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { Pool } from "pg";
import type { DatabaseConfig } from "../config/config.ts";
import { migrations } from "../storage/migrations/all.ts";
import type { MigrationName } from "../storage/migrations/index.ts";
import { kyselyDatabase } from "../storage/sqlite/kysely-database.ts";

/**
 * Makes a database as an older version left it: only the migrations up to `last` have run. `fill` puts rows into it by SQL
 * that both engines read.
 */
export async function olderDatabase(
  config: DatabaseConfig,
  last: MigrationName,
  fill: readonly string[],
): Promise<void> {
  const database = connect(config);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(last);
  if (error) throw error;
  for (const statement of fill) await sql.raw(statement).execute(database);
  await database.destroy();
}

function connect(config: DatabaseConfig): Kysely<unknown> {
  switch (config.kind) {
    case "sqlite":
      return new Kysely({ dialect: new SqliteDialect({ database: kyselyDatabase(new DatabaseSync(config.path)) }) });
    case "postgres":
      return new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: config.url }) }) });
  }
}
