import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { ReaderPool } from "./reader-pool.ts";

/** Runs what the builder makes on the threads of the pool. There are no transactions: each read sees a moment of its own. */
export function apartDialect(pool: ReaderPool): Dialect {
  return {
    createAdapter: () => new ApartAdapter(),
    createDriver: () => apartDriver(pool),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The builder would else let one read wait for the other, as it does for the one connection of SQLite. */
class ApartAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function apartDriver(pool: ReaderPool): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const rows = await pool.read(sql, parameters);
      // What a row looks like is the builder's knowledge; no driver can check it.
      return { rows: rows as Row[] };
    },
    streamQuery() {
      throw new Error("Reads are not streamed");
    },
  };
  const refuse = async () => {
    throw new Error("There are no transactions apart");
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => undefined,
    destroy: () => pool.close(),
  };
}
