import { DatabaseError } from "pg";
import { StorageError, type StorageErrorKind } from "../database.ts";

/** What an error of the driver means, by its SQLSTATE (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
export function classifyError(error: unknown): StorageErrorKind {
  if (error instanceof StorageError) return error.kind;
  if (error instanceof TypeError) return "statement";
  // None of the server's answers: refused, reset, timed out, ended.
  if (!(error instanceof DatabaseError) || error.code === undefined) return "unavailable";
  switch (error.code) {
    // Disk full.
    case "53100":
      return "full";
    // A cancelled statement (its time was up), and a server that became a read-only standby.
    case "57014":
    case "25006":
      return "unavailable";
    // A statement behind one that failed in the same transaction: that one is the cause.
    case "25P02":
      return "statement";
    // A conflict or a deadlock that another transaction won, and a lock that was not to be had.
    case "40001":
    case "40P01":
    case "55P03":
      return "busy";
  }
  switch (error.code.slice(0, 2)) {
    case "23":
      return "constraint";
    // Connection, authorization, transaction ended by the server, resources, operator, system, configuration file,
    // internal: all about the server, not about the statement.
    case "08":
    case "28":
    case "25":
    case "53":
    case "57":
    case "58":
    case "F0":
    case "XX":
      return "unavailable";
    default:
      return "statement";
  }
}

/** The thrown value as a StorageError. */
export function storageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(classifyError(error), describeError(error), { cause: error });
}

/** A line for the log or the operator. Holds no password: neither the driver nor the server repeats one. */
export function describeError(error: unknown): string {
  // Every address of a name was tried, and each has its own error.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(describeError).join("; ");
  return error instanceof Error ? error.message : String(error);
}
