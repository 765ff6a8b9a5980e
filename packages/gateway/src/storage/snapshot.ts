import type { RawBuilder } from "kysely";
import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "./database.ts";

/** The database as it is at one moment, whatever is written meanwhile. For long reads beside a running gateway. */
export interface Snapshot extends AsyncDisposable {
  readonly engine: Database["engine"];
  readonly read: Database["read"];
  /** What the typed builder cannot express, written with Kysely's `sql`. Rejects with a StorageError. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
}

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
