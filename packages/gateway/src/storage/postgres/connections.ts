import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type QueryResult } from "pg";
import { StorageError } from "../database.ts";
import { classifyError, describeError, storageError } from "./classify-error.ts";
import { columnParsers, inputValues } from "./values.ts";

/** Times in milliseconds (D1, D3). */
const times = {
  /** Longest wait for a connection. */
  wait: 250,
  /** Longest time to open one; who waits for it gives up earlier, and the next one finds it open. */
  connect: 3000,
  statement: 2000,
  /** The server may hang without a word: then the statement is given up on this side. */
  answer: 2500,
  /** A transaction of a gateway that has stopped must not hold its locks for long. */
  idleInTransaction: 5000,
  /** The ground check and the migrations, which may wait for those of another replica. */
  migration: 60_000,
};

/** What every session is set to, whatever the server, the database or the role has as its default (M4). */
const sessionOf = ({ statement }: ConnectionTimes) =>
  [
    "SET synchronous_commit = on",
    `SET statement_timeout = ${statement}`,
    `SET idle_in_transaction_session_timeout = ${times.idleInTransaction}`,
    "SET default_transaction_isolation = 'read committed'",
  ].join("; ");

/** How long whoever uses connections may wait, in milliseconds. */
interface ConnectionTimes {
  /** For a connection. */
  wait: number;
  /** For the server to do a statement. */
  statement: number;
  /** For its answer on this side. */
  answer: number;
}

interface ConnectionsOptions {
  /** Statements are sent without waiting for the answers to those before; for users who wait for all answers before they give the connection back. */
  pipeline?: boolean;
  times?: ConnectionTimes;
}

/** A few connections to the server, opened when needed and opened again when lost. */
export interface Connections {
  /** Waits for at most 250 ms (unless told otherwise), then rejects with a StorageError of kind `unavailable`. */
  acquire(): Promise<Connection>;
  /** Opens the connections that are always kept, so that the first calls need not wait for them. */
  warm(): Promise<void>;
  /** Waits until every connection is released, and closes them. */
  end(): Promise<void>;
}

/** A connection that is lent to one user. */
export interface Connection {
  /** Rejects with a StorageError. */
  query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Record<string, unknown>>>;
  /** Gives it back; one that is broken or may still be busy is closed instead. */
  release(): void;
}

/** Opens a connection for the ground check and the migrations. Rejects with the driver's error. */
export async function connectClient(url: string): Promise<Client> {
  const client = new Client({ ...common(url), connectionTimeoutMillis: times.connect });
  // A connection that breaks fails the statement under way, which says so.
  client.on("error", () => undefined);
  await client.connect();
  await client.query(`SET synchronous_commit = on; SET statement_timeout = ${times.migration}`);
  return client;
}

/** Kept open also when there is nothing to do. */
const kept = 2;

/** At most `max` connections to the server. */
export function createConnections(url: string, max: number, options: ConnectionsOptions = {}): Connections {
  const { pipeline = false, times: allowed = times } = options;
  const session = sessionOf(allowed);
  const pool = new Pool({
    ...common(url),
    pipeline,
    max,
    min: kept,
    connectionTimeoutMillis: times.connect,
    query_timeout: allowed.answer,
    idleTimeoutMillis: 60_000,
    // The pool waits for what this returns, which its types do not say.
    onConnect: (client: ClientBase) => client.query(session),
  });
  // A connection that breaks has told whoever uses it; without these listeners it would end the process, too.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  let ended = false;
  return {
    acquire: () =>
      ended ? Promise.reject(new StorageError("closed", "The database is closed")) : acquire(pool, allowed.wait),
    async warm() {
      const clients = await Promise.all(Array.from({ length: kept }, () => pool.connect()));
      for (const client of clients) client.release();
    },
    end() {
      ended = true;
      return pool.end();
    },
  };
}

function common(url: string): ClientConfig {
  return { connectionString: url, types: columnParsers, keepAlive: true, fallback_application_name: "interlingua" };
}

function acquire(pool: Pool, waitMs: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      reject(new StorageError("unavailable", `No connection to the database within ${waitMs} ms`));
    }, waitMs);
    pool.connect().then(
      (client) => {
        clearTimeout(limit);
        if (late) client.release();
        else resolve(lend(client));
      },
      (error: unknown) => {
        clearTimeout(limit);
        // The server's "no" to a session is about the server, whatever it is.
        reject(new StorageError("unavailable", describeError(error), { cause: error }));
      },
    );
  });
}

function lend(client: PoolClient): Connection {
  let broken = false;
  return {
    async query(sql, parameters) {
      // Waiting for another answer would double the time that a silent server takes.
      if (broken) throw new StorageError("unavailable", "The connection to the database is lost");
      try {
        return await (parameters ? client.query(sql, inputValues(parameters)) : client.query(sql));
      } catch (error) {
        broken ||= classifyError(error) === "unavailable";
        throw storageError(error);
      }
    },
    release: () => client.release(broken),
  };
}
