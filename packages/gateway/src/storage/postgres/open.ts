import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Client } from "pg";
import { type Database, StorageError } from "../database.ts";
import type { Schema } from "../schema.ts";
import { createWriteQueue } from "../write-queue.ts";
import { checkGround } from "./check-ground.ts";
import { storageError } from "./classify-error.ts";
import { commitGroup } from "./commit-group.ts";
import { type Connections, connectClient, createConnections } from "./connections.ts";
import { kyselyPool } from "./kysely-pool.ts";
import { bringUpToDate } from "./migrate.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/name` */
  url: string;
  /** Serves from a server that may lose acknowledged commits, too. */
  allowUnsafe: boolean;
}

/**
 * Ten connections for calls (D3), so shared out that no number of reads keeps a record waiting. Those of the console are
 * opened when it is used.
 */
const connectionsFor = { writing: 3, reading: 7, apart: 3 };
/** Whoever reads apart may wait and take longer, in milliseconds. */
const apartTimes = { wait: 5000, statement: 5000, answer: 5500 };

/**
 * Opens a PostgreSQL database, brings its tables up to date and checks the server. Any number of processes may serve from
 * it. A server that goes away later fails reads and writes as `unavailable` until it is back; nothing has to be started
 * again.
 */
export async function openPostgres({ url, allowUnsafe }: PostgresOptions): Promise<Database> {
  await prepare(url, allowUnsafe);
  const writing = createConnections(url, connectionsFor.writing, { pipeline: true });
  const reading = createConnections(url, connectionsFor.reading);
  const apart = createConnections(url, connectionsFor.apart, { times: apartTimes });
  try {
    await Promise.all([writing.warm(), reading.warm()]);
  } catch (error) {
    await Promise.all([writing.end(), reading.end(), apart.end()]);
    throw cannotBeUsed(url, error);
  }
  const writer = createWriteQueue({
    lanes: connectionsFor.writing,
    commit: (units) => commitGroup(writing, units),
    release: writing.end,
  });
  const build = statementBuilder();
  return {
    engine: "postgres",
    read: readerOver(reading),
    readApart: readerOver(apart),
    build,
    compile: (query) => query.compile(build),
    write: writer.write,
    onFatal: writer.onFatal,
    async close() {
      await writer.close();
      await Promise.all([reading.end(), apart.end()]);
    },
  };
}

function readerOver({ acquire, end }: Connections): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: kyselyPool(acquire, end) }) });
}

async function prepare(url: string, allowUnsafe: boolean): Promise<void> {
  let client: Client | undefined;
  try {
    client = await connectClient(url);
    await checkGround(client, allowUnsafe);
    await bringUpToDate(client);
  } catch (error) {
    throw cannotBeUsed(url, error);
  } finally {
    await client?.end();
  }
}

/** Names the place: of the driver's messages most do not. */
function cannotBeUsed(url: string, error: unknown): StorageError {
  const { kind, message } = storageError(error);
  if (kind === "fatal") return storageError(error);
  return new StorageError(kind, `The database at ${placeOf(url)} cannot be used: ${message}`, { cause: error });
}

/** Where the database is, without who asks. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Builds statements for PostgreSQL and runs none. */
function statementBuilder(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
