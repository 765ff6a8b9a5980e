import { type Statement, type StatementResult, StorageError } from "./database.ts";

/** What is told of a statement that did not change as many rows as it had to. */
export function unmet(index: number, { expect }: Statement, { changes }: StatementResult): StorageError {
  const message = `Statement ${index + 1} changed ${changes} rows in the place of ${expect}`;
  return new StorageError("condition", message, { statement: index });
}
