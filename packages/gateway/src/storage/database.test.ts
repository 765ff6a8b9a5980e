import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { exampleCall, insertKey } from "../testing/example-rows.ts";
import { runProgram } from "../testing/run-program.ts";
import type { Database, Statement } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { maxWaiting } from "./write-queue.ts";

/* What every engine promises (database.ts). */

async function keyIds(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom("access_key").select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}

const nothing: Statement = { sql: "SELECT 1 AS one", parameters: [] };

describeEngines((make) => {
  test("a unit is readable once its promise has resolved", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const results = await database.write([insertKey(database, "k1")]);
    expect(results).toEqual([{ changes: 1, rows: [] }]);
    expect(await keyIds(database)).toEqual(["k1"]);
    await database.close();
  });

  test("a failing unit is rejected alone; the others of its group are kept", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const outcomes = await Promise.allSettled([
      database.write([insertKey(database, "k1")]),
      database.write([insertKey(database, "k2"), insertKey(database, "k1")]),
      database.write([{ sql: "INSERT INTO nowhere VALUES (1)", parameters: [] }]),
      database.write([insertKey(database, "k3")]),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.kind : "kept"))).toEqual([
      "kept",
      "constraint",
      "statement",
      "kept",
    ]);
    expect(await keyIds(database)).toEqual(["k1", "k3"]);
    await database.close();
  });

  test("a unit gives back what its statements return", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const [, result] = await database.write([
      nothing,
      database.build
        .insertInto("change_sequence")
        .values({ entity: "access_key", entity_id: "k1", changed_at: 1 })
        .returning("sequence")
        .compile(),
    ]);
    expect(result).toEqual({ changes: 1, rows: [{ sequence: 1 }] });
    await database.close();
  });

  test("M17 the queue of writes is bounded: beyond it a write is refused at once", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const waiting = Array.from({ length: maxWaiting }, () => database.write([nothing]));
    await expect(database.write([nothing])).rejects.toMatchObject({ kind: "queue_full" });
    await Promise.all(waiting);
    await database.close();
  });

  test("close finishes what was asked for before, and refuses what comes after", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const writes = Array.from({ length: 1000 }, (_, index) => database.write([insertKey(database, `k${index}`)]));
    const closed = database.close();
    await expect(database.write([nothing])).rejects.toMatchObject({ kind: "closed" });
    await closed;
    await Promise.all(writes);
    const again = await openDatabase(made.config);
    expect(await keyIds(again)).toHaveLength(1000);
    await again.close();
  });

  test("M1 M4 a write whose promise has resolved survives kill -9", async () => {
    using made = await make();
    const script = fileURLToPath(new URL("../testing/write-and-die.ts", import.meta.url));
    const finished = await runProgram(process.execPath, [script, JSON.stringify(made.config)]);
    expect(finished).toMatchObject({ signal: "SIGKILL", stderr: "" });
    const database = await openDatabase(made.config);
    expect(await database.read.selectFrom("call").select("id").execute()).toEqual([{ id: "call_last" }]);
    await database.close();
  });

  test("O9 a database of a newer version is refused and left as it is", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const sql = "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', '')";
    await database.write([{ sql, parameters: [] }]);
    await database.close();
    await expect(openDatabase(made.config)).rejects.toThrow(/newer version.*9999-from-the-future/);
  });

  test("two processes may open a new database at the same moment", async () => {
    using made = await make("new");
    const both = await Promise.all([openDatabase(made.config), openDatabase(made.config)]);
    await both[0].write([insertKey(both[0], "k1")]);
    expect(await keyIds(both[1])).toEqual(["k1"]);
    await Promise.all(both.map((database) => database.close()));
  });

  test("constraints are told as such: a double, a missing value, a wrong value, a row that nobody knows", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    await database.write([insertKey(database, "k1")]);
    const call = {
      id: exampleCall().id,
      sql: "INSERT INTO call (id, request_id, started_at, access_key_id, client_protocol, stream, status, outcome, usage_estimated, notices)",
    };
    const broken: Statement[] = [
      insertKey(database, "k1"),
      { sql: "INSERT INTO access_key (id) VALUES ('k2')", parameters: [] },
      insertKey(database, "k3", { digest: new Uint8Array(31) }),
      { sql: `${call.sql} VALUES ('c', 'r', 1, 'nobody', 'messages', 0, 200, 'succeeded', 0, '[]')`, parameters: [] },
    ];
    for (const statement of broken)
      await expect(database.write([statement])).rejects.toMatchObject({ kind: "constraint" });
    expect(await keyIds(database)).toEqual(["k1"]);
    await database.close();
  });

  test("values come back as they were written: bytes, large integers, nothing", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const digest = Uint8Array.from({ length: 32 }, (_, index) => index * 8);
    const values = { digest, created_at: Number.MAX_SAFE_INTEGER, expires_at: null, name: "é\u{1F600}" };
    await database.write([insertKey(database, "k1", values)]);
    const row = await database.read.selectFrom("access_key").selectAll().executeTakeFirstOrThrow();
    expect({ ...row, digest: Uint8Array.from(row.digest) }).toMatchObject(values);
    await database.close();
  });

  test("an integer that a number cannot hold exactly is an error, never a wrong number", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    await database.write([insertKey(database, "k1")]);
    await database.write([{ sql: "UPDATE access_key SET created_at = 9007199254740993", parameters: [] }]);
    await expect(database.read.selectFrom("access_key").selectAll().execute()).rejects.toThrow(/large|exact/);
    await database.close();
  });

  test("texts are ordered by code point", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    await database.write(["b", "B", "a_1", "a1", "é"].map((id) => insertKey(database, id)));
    expect(await keyIds(database)).toEqual(["B", "a1", "a_1", "b", "é"]);
    await database.close();
  });

  test("D4 a read apart sees every unit whose promise has resolved, write after write", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const seen: string[][] = [];
    for (const id of ["k1", "k2", "k3", "k4", "k5"]) {
      await database.write([insertKey(database, id)]);
      const rows = await database.readApart.selectFrom("access_key").select("id").orderBy("id").execute();
      seen.push(rows.map((row) => row.id));
    }
    expect(seen.map((ids) => ids.join(""))).toEqual(["k1", "k1k2", "k1k2k3", "k1k2k3k4", "k1k2k3k4k5"]);
    await database.close();
  });

  test("a read apart gives the same values as any other, and the same errors", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const digest = Uint8Array.from({ length: 32 }, (_, index) => index * 8);
    const values = { digest, created_at: Number.MAX_SAFE_INTEGER, expires_at: null, name: "é\u{1F600}" };
    await database.write([insertKey(database, "k1", values)]);
    const row = await database.readApart.selectFrom("access_key").selectAll().executeTakeFirstOrThrow();
    expect({ ...row, digest: Uint8Array.from(row.digest) }).toMatchObject(values);
    // A table that the types do not know, as after a mistake in a migration.
    const wrong = database.readApart.selectFrom("nowhere" as "call").selectAll();
    await expect(wrong.execute()).rejects.toMatchObject({ name: "StorageError", kind: "statement" });
    await database.write([{ sql: "UPDATE access_key SET created_at = 9007199254740993", parameters: [] }]);
    const inexact = database.readApart.selectFrom("access_key").selectAll();
    await expect(inexact.execute()).rejects.toThrow(/large|exact/);
    await database.close();
  });

  test("many reads apart at once are all answered, each by its own rows", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const ids = Array.from({ length: 60 }, (_, index) => `k${index}`);
    await database.write(ids.map((id) => insertKey(database, id)));
    const rows = await Promise.all(
      ids.map((id) => database.readApart.selectFrom("access_key").select("id").where("id", "=", id).execute()),
    );
    expect(rows).toEqual(ids.map((id) => [{ id }]));
    await database.close();
  });

  test("after close a read apart is refused", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const read = () => database.readApart.selectFrom("access_key").select("id").execute();
    await read();
    await database.close();
    await expect(read()).rejects.toThrow(/closed|destroyed/);
  });

  test("a wrong read is an error of the statement", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    // A table that the types do not know, as after a mistake in a migration.
    const query = database.read.selectFrom("nowhere" as "call").selectAll();
    await expect(query.execute()).rejects.toMatchObject({ kind: "statement" });
    await database.close();
  });
});
