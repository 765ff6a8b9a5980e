import type { DatabaseSync } from "node:sqlite";
import type { SqliteDatabase } from "kysely";
import { StorageError } from "../database.ts";
import { classifyError } from "./classify-error.ts";
import { createStatementCache, inputValues } from "./statement-cache.ts";

/** Shows a `node:sqlite` connection as what Kysely's SQLite dialect expects. What fails is thrown as a StorageError. */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const prepare = createStatementCache(database);
  return {
    close: () => database.close(),
    prepare(sql) {
      const { statement, reader } = asStorageError(() => prepare(sql));
      return {
        reader,
        all: (parameters) => asStorageError(() => statement.all(...inputValues(parameters))),
        run: (parameters) => asStorageError(() => statement.run(...inputValues(parameters))),
        iterate: (parameters) => asStorageError(() => statement.iterate(...inputValues(parameters))),
      };
    },
  };
}

function asStorageError<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new StorageError(classifyError(error), error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
