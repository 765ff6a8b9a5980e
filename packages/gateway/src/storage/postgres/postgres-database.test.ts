import { Client, DatabaseError } from "pg";
import { expect, test } from "vitest";
import { describePostgres, postgresDatabase } from "../../testing/database-engines.ts";
import { insertKey } from "../../testing/example-rows.ts";
import type { Statement } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { classifyError } from "./classify-error.ts";

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

const select = (sql: string): Statement => ({ sql, parameters: [] });

describePostgres("PostgreSQL", () => {
  test("M4 D3 every session is durable and bounded, whatever the database has as its default", async () => {
    using made = await postgresDatabase();
    const client = await connected(made.config.url);
    const name = new URL(made.config.url).pathname.slice(1);
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = 0`);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    await client.end();
    const database = await openDatabase(made.config);
    const shown = ["synchronous_commit", "statement_timeout", "transaction_isolation"];
    const sql = `SELECT ${shown.map((setting) => `current_setting('${setting}') AS ${setting}`).join(", ")}`;
    const results = await Promise.all(Array.from({ length: 3 }, () => database.write([select(sql), select(sql)])));
    for (const [result] of results) {
      expect(result?.rows[0]).toEqual({
        synchronous_commit: "on",
        statement_timeout: "2s",
        transaction_isolation: "read committed",
      });
    }
    await database.close();
  });

  test("what is asked for while a commit runs goes into the next commit together", async () => {
    using made = await postgresDatabase();
    const database = await openDatabase(made.config);
    const write = async (index: number) => {
      const unit = [insertKey(database, `k${index}`), select("SELECT pg_current_xact_id()::text AS transaction")];
      return (await database.write(unit))[1]?.rows[0]?.transaction;
    };
    const first = write(0);
    // Lets the first group set out.
    await Promise.resolve();
    const transactions = await Promise.all([first, ...Array.from({ length: 299 }, (_, index) => write(index + 1))]);
    expect(new Set(transactions).size).toBe(2);
    await database.close();
  });

  test("A1 changes become visible in the order of their numbers, so that none is passed over", async () => {
    using made = await postgresDatabase();
    await (await openDatabase(made.config)).close();
    const [slow, quick, observer] = await Promise.all([1, 2, 3].map(() => connected(made.config.url)));
    if (!slow || !quick || !observer) throw new Error("no connection");
    const insert =
      "INSERT INTO change_sequence (entity, entity_id, changed_at) VALUES ('access_key', 'k', 1) RETURNING *";
    await slow.query("BEGIN");
    const early = await slow.query(insert);
    let finished = false;
    const later = quick.query(insert).then((result) => {
      finished = true;
      return result;
    });
    const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'";
    while (!finished && (await observer.query(waits)).rowCount === 0);
    expect(finished).toBe(false);
    await slow.query("COMMIT");
    expect(Number((await later).rows[0].sequence)).toBeGreaterThan(Number(early.rows[0].sequence));
    await Promise.all([slow.end(), quick.end(), observer.end()]);
  });

  test("a statement that takes too long is ended, and its connection serves again", async () => {
    using made = await postgresDatabase();
    const database = await openDatabase(made.config);
    await expect(database.write([select("SELECT pg_sleep(60)")])).rejects.toMatchObject({ kind: "unavailable" });
    await database.write([insertKey(database, "k1")]);
    await database.close();
  });

  test("a session that the server ends fails what ran on it, and the next one works", async () => {
    using made = await postgresDatabase();
    const database = await openDatabase(made.config);
    const suicide = select("SELECT pg_terminate_backend(pg_backend_pid())");
    const outcomes = await Promise.allSettled([database.write([insertKey(database, "k1")]), database.write([suicide])]);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.kind : "kept"))).toEqual([
      "unavailable",
      "unavailable",
    ]);
    await database.write([insertKey(database, "k1")]);
    await database.close();
  });

  test("a wrong password, a wrong name and a wrong port are told with the place and without the password", async () => {
    using made = await postgresDatabase();
    const urlWith = (change: (url: URL) => void) => {
      const url = new URL(made.config.url);
      change(url);
      return openDatabase({ ...made.config, url: url.href });
    };
    const canary = "canary-password";
    const failures = await Promise.allSettled([
      urlWith((url) => {
        url.password = canary;
      }),
      urlWith((url) => {
        url.pathname = "/nowhere";
      }),
      urlWith((url) => {
        url.port = "1";
      }),
    ]);
    const told = failures.map((failure) => (failure.status === "rejected" ? String(failure.reason) : "opened"));
    expect(told[0]).toMatch(/database at 127\.0\.0\.1:\d+\/test_\w+ cannot be used: password authentication failed/);
    expect(told[1]).toMatch(/cannot be used: database "nowhere" does not exist/);
    expect(told[2]).toMatch(/cannot be used: connect ECONNREFUSED/);
    expect(told.join()).not.toContain(canary);
  });

  test("a database whose encoding cannot hold every text is refused", async () => {
    using made = await postgresDatabase();
    const client = await connected(made.config.url);
    const name = `${new URL(made.config.url).pathname.slice(1)}_latin`;
    await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0`);
    await client.end();
    const url = new URL(made.config.url);
    url.pathname = `/${name}`;
    await expect(openDatabase({ ...made.config, url: url.href })).rejects.toThrow(/encoding is LATIN1/);
  });
});

test.each([
  ["23505", "constraint"],
  ["40P01", "busy"],
  ["53100", "full"],
  ["57P01", "unavailable"],
  ["57P03", "unavailable"],
  ["25006", "unavailable"],
  ["42P01", "statement"],
])("the server's error %s is %s", (code, kind) => {
  expect(classifyError(Object.assign(new DatabaseError("x", 1, "error"), { code }))).toBe(kind);
});

test.each(["ECONNRESET", "EPIPE"])("a broken connection (%s) is unavailable, however its code looks", (code) => {
  expect(classifyError(Object.assign(new Error("x"), { code }))).toBe("unavailable");
});
