import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "./database.ts";
import { openSqlite } from "./sqlite/open.ts";

/** Opens the configured database, brings its tables up to date and checks the ground (O5). Throws a StorageError. */
export function openDatabase(config: DatabaseConfig): Promise<Database> {
  switch (config.kind) {
    case "sqlite":
      return openSqlite(config.path);
  }
}
