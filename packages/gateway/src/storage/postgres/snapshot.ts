import { Kysely, PostgresDialect } from "kysely";
import type { Schema } from "../schema.ts";
import type { Snapshot } from "../snapshot.ts";
import { storageError } from "./classify-error.ts";
import { connectClient } from "./connections.ts";
import { kyselyPool } from "./kysely-pool.ts";
import { inputValues } from "./values.ts";

/** Longest single read, in milliseconds. */
const longestRead = 15 * 60_000;

/** A transaction that sees what was committed before it, and nothing later. */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connectClient(url).catch((error: unknown) => {
    throw storageError(error);
  });
  const run = async (sql: string, parameters?: readonly unknown[]) => {
    try {
      return await (parameters ? client.query(sql, inputValues(parameters)) : client.query(sql));
    } catch (error) {
      throw storageError(error);
    }
  };
  await run(`SET statement_timeout = ${longestRead}; SET work_mem = '64MB'`);
  await run("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  // One connection, so that all reads are of one transaction; the builder asks for it before each.
  const pool = kyselyPool(
    async () => ({ query: run, release: () => undefined }),
    () => client.end(),
  );
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    engine: "postgres",
    read,
    rows: async (query) => (await query.execute(read)).rows,
    [Symbol.asyncDispose]: () => read.destroy(),
  };
}
