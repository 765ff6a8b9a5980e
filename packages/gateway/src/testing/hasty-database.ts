import { DatabaseSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import { type Database, type Statement, type StatementResult, StorageError } from "../storage/database.ts";
import type { Schema } from "../storage/schema.ts";
import { kyselyDatabase } from "../storage/sqlite/kysely-database.ts";
import { inputValues } from "../storage/sqlite/statement-cache.ts";
import { unmet } from "../storage/unmet.ts";

/** A SQLite file whose writes are one transaction that waits for no disk; for filling it before anybody serves from it. */
export interface HastyDatabase {
  database: Pick<Database, "engine" | "read" | "build" | "write" | "compile">;
  run(statement: Statement): StatementResult;
  /** Keeps what was written. */
  commit(): void;
  close(): Promise<void>;
}

/** `seam`: the same file, opened as the gateway does it, for what makes statements. */
export function openHastyDatabase(path: string, seam: Pick<Database, "build" | "compile">): HastyDatabase {
  const connection = new DatabaseSync(path, { timeout: 2000 });
  connection.exec("pragma synchronous = off; pragma cache_size = -200000; begin");
  const read = new Kysely<Schema>({ dialect: new SqliteDialect({ database: kyselyDatabase(connection) }) });
  const run = (statement: Statement): StatementResult => {
    const { changes } = connection.prepare(statement.sql).run(...inputValues(statement.parameters));
    const result = { changes: Number(changes), rows: [] };
    if (statement.expect !== undefined && result.changes !== statement.expect) throw unmet(0, statement, result);
    return result;
  };
  return {
    database: {
      engine: "sqlite",
      read,
      build: seam.build,
      compile: seam.compile,
      async write(unit) {
        if (!connection.isTransaction) throw new StorageError("closed", "What was written has been kept already");
        return unit.map(run);
      },
    },
    run,
    commit: () => connection.exec("commit"),
    close: () => read.destroy(),
  };
}
