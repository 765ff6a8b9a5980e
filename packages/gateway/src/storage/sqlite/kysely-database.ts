import type { DatabaseSync } from "node:sqlite";
import type { SqliteDatabase } from "kysely";
import { createStatementCache, inputValues } from "./statement-cache.ts";

/** Shows a `node:sqlite` connection as what Kysely's SQLite dialect expects. */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const prepare = createStatementCache(database);
  return {
    close: () => database.close(),
    prepare(sql) {
      const { statement, reader } = prepare(sql);
      return {
        reader,
        all: (parameters) => statement.all(...inputValues(parameters)),
        run: (parameters) => statement.run(...inputValues(parameters)),
        iterate: (parameters) => statement.iterate(...inputValues(parameters)),
      };
    },
  };
}
