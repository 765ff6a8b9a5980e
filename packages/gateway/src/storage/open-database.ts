import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "./database.ts";
import type { PostgresOptions } from "./postgres/open.ts";
import { openSqlite } from "./sqlite/open.ts";

/** Opens the configured database, brings its tables up to date and checks the ground (O5). Throws a StorageError. */
export function openDatabase(config: DatabaseConfig): Promise<Database> {
  switch (config.kind) {
    case "sqlite":
      return openSqlite(config.path);
    case "postgres":
      return openServer(config);
  }
}

/** Loads the driver only where it is used. */
async function openServer(options: PostgresOptions): Promise<Database> {
  const { openPostgres } = await import("./postgres/open.ts");
  return openPostgres(options);
}
