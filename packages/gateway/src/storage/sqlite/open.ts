import { resolve } from "node:path";
import { DummyDriver, Kysely, SqliteAdapter, SqliteDialect, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { type Database, StorageError } from "../database.ts";
import type { Schema } from "../schema.ts";
import { apartDialect } from "./apart-dialect.ts";
import { openReadConnection } from "./connection.ts";
import { kyselyDatabase } from "./kysely-database.ts";
import { createReaderPool } from "./reader-pool.ts";
import { startWriter } from "./writer.ts";

/** Opens a SQLite file, made where there is none. One process serves from it; commands may open it beside. */
export async function openSqlite(file: string): Promise<Database> {
  const path = resolve(file);
  const writer = await startWriter({ path });
  const read = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: kyselyDatabase(openReadConnection(path)) }),
  });
  const readApart = new Kysely<Schema>({ dialect: apartDialect(createReaderPool({ path })) });
  const build = statementBuilder();
  let closing = false;
  return {
    engine: "sqlite",
    read,
    readApart,
    build,
    compile: (query) => query.compile(build),
    write: (unit, options) =>
      closing ? Promise.reject(new StorageError("closed", "The database is closed")) : writer.write(unit, options),
    onFatal: writer.onFatal,
    async close() {
      closing = true;
      // The writer is the last: it folds the write-ahead log into the file, which connections that only read cannot.
      await Promise.all([readApart.destroy(), read.destroy()]);
      await writer.close();
    },
  };
}

/** Builds statements for SQLite and runs none. */
function statementBuilder(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
