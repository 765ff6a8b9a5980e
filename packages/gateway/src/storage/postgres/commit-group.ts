import type { Statement, StatementResult, WriteUnit } from "../database.ts";
import { unmet } from "../unmet.ts";
import type { OrderedUnit, UnitOutcome } from "../write-queue.ts";
import { storageError } from "./classify-error.ts";
import type { Connection, Connections } from "./connections.ts";

/**
 * Makes the units of a group durable: in one transaction, sorted by the rows that they lock, so that two groups never wait
 * for each other in a circle; those that ask for it have one of their own. Never rejects: a server that is away fails the
 * units.
 */
export async function commitGroup(connections: Connections, units: readonly OrderedUnit[]): Promise<UnitOutcome[]> {
  const places = units.map((entry, index) => ({ ...entry, index }));
  const outcomes: UnitOutcome[] = [];
  const run = async (group: typeof places) => {
    const done = await commitTogether(
      connections,
      group.map(({ unit }) => unit),
    );
    for (const [at, { index }] of group.entries()) outcomes[index] = done[at] ?? missing;
  };
  const together = places.filter(({ alone }) => !alone).sort((a, b) => compare(a.order ?? "", b.order ?? ""));
  if (together.length > 0) await run(together);
  for (const place of places) if (place.alone) await run([place]);
  return outcomes;
}

const missing: UnitOutcome = { ok: false, kind: "unavailable", message: "The server gave no answer" };

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Runs units in one transaction, made durable by one commit. Each has a savepoint of its own, so that one that fails takes
 * nothing of the others with it.
 */
async function commitTogether(connections: Connections, units: readonly WriteUnit[]): Promise<UnitOutcome[]> {
  let connection: Connection;
  try {
    connection = await connections.acquire();
  } catch (error) {
    return failAll(units, error);
  }
  try {
    const only = units.length === 1 && units[0]?.length === 1 ? units[0][0] : undefined;
    // One statement is a transaction by itself: one round trip in the place of three.
    if (only && only.expect === undefined) return [{ ok: true, results: [await runStatement(connection, only)] }];
    return await runTransaction(connection, units);
  } catch (error) {
    return failAll(units, error);
  } finally {
    connection.release();
  }
}

async function runTransaction(connection: Connection, units: readonly WriteUnit[]): Promise<UnitOutcome[]> {
  const outcomes: UnitOutcome[] = [];
  let before = "";
  try {
    // Awaited: without it the statements behind would each be a transaction of its own.
    await connection.query("BEGIN");
    for (const unit of units) {
      const outcome = await runUnit(connection, `${before}SAVEPOINT unit`, unit);
      outcomes.push(outcome);
      before = outcome.ok ? "RELEASE SAVEPOINT unit; " : "ROLLBACK TO SAVEPOINT unit; RELEASE SAVEPOINT unit; ";
    }
    if (before !== "") await connection.query(before);
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

/** What ends the unit before travels with what begins this one and with all of its statements: one round trip a unit. */
async function runUnit(connection: Connection, begin: string, unit: WriteUnit): Promise<UnitOutcome> {
  const begun = connection.query(begin);
  const sent = unit.map((statement) => runStatement(connection, statement));
  // All are heard to their end, so that none of their answers is taken for another's.
  await Promise.allSettled([begun, ...sent]);
  try {
    await begun;
    const results: StatementResult[] = [];
    for (const [index, statement] of unit.entries()) {
      const result = await sent[index];
      if (!result) continue;
      if (statement.expect !== undefined && result.changes !== statement.expect) throw unmet(index, statement, result);
      results.push(result);
    }
    return { ok: true, results };
  } catch (error) {
    const { kind, message, statement } = storageError(error);
    // The trouble of the whole group.
    if (kind === "unavailable" || kind === "full") throw error;
    return { ok: false, kind, message, ...(statement === undefined ? {} : { statement }) };
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
