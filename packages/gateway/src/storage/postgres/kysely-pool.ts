import type { PostgresPool, PostgresPoolClient } from "kysely";

/** What a query is run on. */
type Run = (
  sql: string,
  parameters: readonly unknown[],
) => Promise<{ command: string; rowCount: number | null; rows: unknown[] }>;

/** Shows connections as what Kysely's PostgreSQL dialect expects of a pool. */
export function kyselyPool(
  acquire: () => Promise<{ query: Run; release(): void }>,
  end: () => Promise<void>,
): PostgresPool {
  return {
    options: {},
    async connect() {
      const { query, release } = await acquire();
      // The builder declares a second overload, for cursors, which it uses for streamed reads alone: none are made.
      return { query: query as PostgresPoolClient["query"], release };
    },
    end,
  };
}
