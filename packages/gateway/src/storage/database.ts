import type { Kysely, RawBuilder } from "kysely";
import type { Schema } from "./schema.ts";

/** The part of the typed builder that only reads. */
type Reader = Pick<Kysely<Schema>, "selectFrom" | "selectNoFrom" | "with" | "fn">;

/** The part of the typed builder that makes statements for `write`; `compile()` them, they cannot be executed. */
type StatementBuilder = Pick<Kysely<Schema>, "insertInto" | "updateTable" | "deleteFrom">;

/** One compiled statement. Kysely's `compile()` makes one; so does a literal with bound parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** How many rows it must change. Where it changes another number, nothing of its unit is written (kind `condition`). */
  readonly expect?: number;
}

/** What a statement did. `rows` holds what `returning` asked for. */
export interface StatementResult {
  changes: number;
  rows: readonly Record<string, unknown>[];
}

/** Statements that take effect together or not at all. */
export type WriteUnit = readonly Statement[];

/** How a unit may be put together with others into one commit. */
export interface WriteOptions {
  /**
   * Names the rows that the unit locks, so that units sorted by it lock them in one order everywhere (no deadlock):
   * `<account>/<access key>/...`.
   */
  order?: string;
  /** Has a transaction of its own on PostgreSQL. For units that write into the change sequence, which is locked until the commit. */
  alone?: boolean;
}

/**
 * Why the database did not do what it was asked.
 * `constraint`: the unit breaks a rule of the schema; nothing of it was written. `condition`: a statement did not change
 * as many rows as it had to (`StorageError.statement` tells which); nothing of the unit was written. `busy`: another process held the write
 * lock for longer than the busy timeout, or won a conflict of locks. `full`: no space left. `queue_full`: too many writes are waiting.
 * `unavailable`: the server cannot be reached, is starting or
 * did not answer in time; later it may. Where the connection broke during a commit, nobody knows whether the unit was
 * written. `fatal`: the file or disk failed; the writer has stopped and the process must end. `closed`: after `close()`.
 * `statement`: the statement itself is wrong.
 */
export type StorageErrorKind =
  | "constraint"
  | "condition"
  | "busy"
  | "full"
  | "queue_full"
  | "unavailable"
  | "fatal"
  | "closed"
  | "statement";

export class StorageError extends Error {
  readonly kind: StorageErrorKind;
  /** Of kind `condition`: the place of the statement in its unit. */
  readonly statement: number | undefined;

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions & { statement?: number | undefined }) {
    super(message, options);
    this.name = "StorageError";
    this.kind = kind;
    this.statement = options?.statement;
  }
}

/** A statement that must change exactly this many rows. */
export function expecting(rows: number, { sql, parameters }: Statement): Statement {
  return { sql, parameters, expect: rows };
}

/** One database, whatever the engine: reads through a typed builder, writes as units that become durable in groups. */
export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** Reads see every unit whose promise has resolved. */
  readonly read: Reader;
  /**
   * As `read`, for what may take long: away from the calls, in threads or on connections of its own, for 5 s at most (then
   * `unavailable`). On SQLite a read costs the way to the thread and back in addition.
   */
  readonly readApart: Reader;
  readonly build: StatementBuilder;
  /** Compiles what `build` cannot express, written with Kysely's `sql`. */
  compile(query: RawBuilder<unknown>): Statement;
  /**
   * Resolves when the unit is on stable storage (M1, M4), with one result a statement. Rejects with a StorageError when
   * nothing of the unit was written (`unavailable` alone may not know); a failing unit leaves the others of its group
   * alone. Of units that were asked for without waiting for each other any may come first.
   */
  write(unit: WriteUnit, options?: WriteOptions): Promise<readonly StatementResult[]>;
  /** Told once when the writer can not go on (D6); a server that is away is no such case. Every write fails from then on. Stop accepting and end the process. */
  onFatal(listener: (error: StorageError) => void): void;
  /** Finishes the queued writes, then closes all connections. */
  close(): Promise<void>;
}
