import type { DatabaseConfig } from "../config/config.ts";
import type { Snapshot } from "./snapshot.ts";

/** Opens a connection of its own, without the time limits of those that serve. The tables must be up to date. */
export async function openSnapshot(config: DatabaseConfig): Promise<Snapshot> {
  switch (config.kind) {
    case "sqlite": {
      const { openSqliteSnapshot } = await import("./sqlite/snapshot.ts");
      return openSqliteSnapshot(config.path);
    }
    case "postgres": {
      const { openPostgresSnapshot } = await import("./postgres/snapshot.ts");
      return openPostgresSnapshot(config.url);
    }
  }
}
