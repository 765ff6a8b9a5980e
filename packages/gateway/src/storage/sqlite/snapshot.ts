import { resolve } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import type { Schema } from "../schema.ts";
import type { Snapshot } from "../snapshot.ts";
import { openReadConnection } from "./connection.ts";
import { kyselyDatabase } from "./kysely-database.ts";

/** A read transaction: writers go on, and the log of what they write grows until it ends. */
export async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  const connection = openReadConnection(resolve(file));
  // Sorting a million rows needs more than the cache of the connections that serve, in KiB.
  connection.exec("PRAGMA cache_size = -65536");
  connection.exec("BEGIN");
  const read = new Kysely<Schema>({ dialect: new SqliteDialect({ database: kyselyDatabase(connection) }) });
  return {
    engine: "sqlite",
    read,
    rows: async (query) => (await query.execute(read)).rows,
    [Symbol.asyncDispose]: () => read.destroy(),
  };
}
