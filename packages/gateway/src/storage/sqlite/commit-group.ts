import type { DatabaseSync } from "node:sqlite";
import { type StatementResult, StorageError, type StorageErrorKind, type WriteUnit } from "../database.ts";
import { unmet } from "../unmet.ts";
import type { UnitOutcome } from "../write-queue.ts";
import { classifyError } from "./classify-error.ts";
import { inputValues, type PreparedStatement } from "./statement-cache.ts";

/**
 * Runs the units of a group in one transaction and makes them durable by one commit. Each unit has a savepoint of its
 * own, so that one that fails takes nothing of the others with it. Throws a StorageError of kind `fatal` when the file or
 * disk failed: then nothing of the group may be called written, and nothing may be tried again (D6).
 */
export function commitGroup(
  database: DatabaseSync,
  prepare: (sql: string) => PreparedStatement,
  units: readonly WriteUnit[],
): UnitOutcome[] {
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return failAll(units, error);
  }
  try {
    const outcomes = units.map((unit) => runUnit(database, prepare, unit));
    database.exec("COMMIT");
    return outcomes;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    return failAll(units, error);
  }
}

function runUnit(database: DatabaseSync, prepare: (sql: string) => PreparedStatement, unit: WriteUnit): UnitOutcome {
  database.exec("SAVEPOINT unit");
  try {
    const results: StatementResult[] = [];
    for (const [index, statement] of unit.entries()) {
      const result = runStatement(prepare(statement.sql), statement.parameters);
      if (statement.expect !== undefined && result.changes !== statement.expect) throw unmet(index, statement, result);
      results.push(result);
    }
    database.exec("RELEASE unit");
    return { ok: true, results };
  } catch (error) {
    const kind = classifyError(error);
    // A full or failing disk is the trouble of the whole group; SQLite may have rolled it back already.
    if (kind === "fatal" || kind === "full" || !database.isTransaction) throw error;
    database.exec("ROLLBACK TO unit");
    database.exec("RELEASE unit");
    return failure(kind, error);
  }
}

function runStatement({ statement, reader }: PreparedStatement, parameters: readonly unknown[]): StatementResult {
  if (!reader) return { changes: Number(statement.run(...inputValues(parameters)).changes), rows: [] };
  const rows = statement.all(...inputValues(parameters));
  return { changes: rows.length, rows };
}

function failAll(units: readonly WriteUnit[], error: unknown): UnitOutcome[] {
  const kind = classifyError(error);
  if (kind === "fatal") throw new StorageError("fatal", describe(error), { cause: error });
  return units.map(() => failure(kind, error));
}

function failure(kind: StorageErrorKind, error: unknown): UnitOutcome {
  const statement = error instanceof StorageError ? error.statement : undefined;
  return { ok: false, kind, message: describe(error), ...(statement === undefined ? {} : { statement }) };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
