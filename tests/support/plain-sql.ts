import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** Where a gateway keeps its data, as its configuration names it. */
export type DatabasePlace = { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };

/** A row as it came from the driver: 64-bit integers are bigints, whatever the engine. */
export type PlainRow = Readonly<Record<string, unknown>>;

/**
 * A database without any of the product's code in between, so that it can judge the product. Statements have no
 * parameters; values are the tests' own.
 */
export interface PlainSql extends AsyncDisposable {
  engine: DatabasePlace["kind"];
  all(sql: string): Promise<PlainRow[]>;
  /** Runs statements that give no rows. */
  run(sql: string): Promise<void>;
  /** Reads within one moment of the database. */
  snapshot<Result>(read: () => Promise<Result>): Promise<Result>;
}

export async function openPlainSql(place: DatabasePlace): Promise<PlainSql> {
  switch (place.kind) {
    case "sqlite":
      return plainSqlite(place.path);
    case "postgres":
      return plainPostgres(place.url);
  }
}

function plainSqlite(path: string): PlainSql {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  return {
    engine: "sqlite",
    async all(sql) {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    },
    async run(sql) {
      database.exec(sql);
    },
    async snapshot(read) {
      database.exec("BEGIN");
      try {
        return await read();
      } finally {
        database.exec("COMMIT");
      }
    },
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

const int8 = 20;

async function plainPostgres(url: string): Promise<PlainSql> {
  const client = new Client({
    connectionString: url,
    types: {
      getTypeParser: (type: number) => (type === int8 ? BigInt : String),
    },
  });
  await client.connect();
  return {
    engine: "postgres",
    async all(sql) {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    },
    async run(sql) {
      await client.query(sql);
    },
    async snapshot(read) {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      try {
        return await read();
      } finally {
        await client.query("COMMIT");
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** An SQL text literal. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
