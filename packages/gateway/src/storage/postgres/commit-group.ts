import type { Statement, StatementResult, WriteUnit } from "../database.ts";
import type { UnitOutcome } from "../write-queue.ts";
import { storageError } from "./classify-error.ts";
import type { Connection, Connections } from "./connections.ts";

/**
 * Runs the units of a group in one transaction and makes them durable by one commit. Each unit has a savepoint of its
 * own, so that one that fails takes nothing of the others with it. Never rejects: a server that is away fails the units.
 */
export async function commitGroup(connections: Connections, units: readonly WriteUnit[]): Promise<UnitOutcome[]> {
  let connection: Connection;
  try {
    connection = await connections.acquire();
  } catch (error) {
    return failAll(units, error);
  }
  try {
    const only = units.length === 1 && units[0]?.length === 1 ? units[0][0] : undefined;
    // One statement is a transaction by itself: one round trip in the place of three.
    if (only) return [{ ok: true, results: [await runStatement(connection, only)] }];
    return await runTransaction(connection, units);
  } catch (error) {
    return failAll(units, error);
  } finally {
    connection.release();
  }
}

async function runTransaction(connection: Connection, units: readonly WriteUnit[]): Promise<UnitOutcome[]> {
  const outcomes: UnitOutcome[] = [];
  // What ends one unit travels with what begins the next.
  let before = "BEGIN";
  try {
    for (const unit of units) {
      await connection.query(`${before}; SAVEPOINT unit`);
      const outcome = await runUnit(connection, unit);
      outcomes.push(outcome);
      before = outcome.ok ? "RELEASE SAVEPOINT unit" : "ROLLBACK TO SAVEPOINT unit; RELEASE SAVEPOINT unit";
    }
    await connection.query(before);
    const { command } = await connection.query("COMMIT");
    // The server answers the commit of a broken transaction by a rollback, and calls that no error.
    if (command !== "COMMIT") throw new Error("The server rolled the transaction back");
    return outcomes;
  } catch (error) {
    // Rejects only when the connection is lost; it is closed then, and the server rolls back.
    await connection.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function runUnit(connection: Connection, unit: WriteUnit): Promise<UnitOutcome> {
  try {
    const results: StatementResult[] = [];
    for (const statement of unit) results.push(await runStatement(connection, statement));
    return { ok: true, results };
  } catch (error) {
    const { kind, message } = storageError(error);
    // The trouble of the whole group.
    if (kind === "unavailable" || kind === "full") throw error;
    return { ok: false, kind, message };
  }
}

async function runStatement(connection: Connection, { sql, parameters }: Statement): Promise<StatementResult> {
  const { rowCount, rows } = await connection.query(sql, parameters);
  return { changes: rowCount ?? 0, rows };
}

function failAll(units: readonly WriteUnit[], error: unknown): UnitOutcome[] {
  const { kind, message } = storageError(error);
  return units.map(() => ({ ok: false, kind, message }));
}
