import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** A prepared statement, and whether it gives rows. */
export interface PreparedStatement {
  statement: StatementSync;
  reader: boolean;
}

const maxStatements = 256;

/** Prepares each text once. When there are too many texts, the one that was prepared first is given up. */
export function createStatementCache(database: DatabaseSync): (sql: string) => PreparedStatement {
  const prepared = new Map<string, PreparedStatement>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const entry = { statement, reader: statement.columns().length > 0 };
    const oldest = prepared.size >= maxStatements ? prepared.keys().next().value : undefined;
    if (oldest !== undefined) prepared.delete(oldest);
    prepared.set(sql, entry);
    return entry;
  };
}

/** Bound values as the driver wants them; anything it cannot store is an error that names its place. */
export function inputValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value, index) => {
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`Parameter ${index + 1} is a ${typeof value}, which no column can hold`);
  });
}
