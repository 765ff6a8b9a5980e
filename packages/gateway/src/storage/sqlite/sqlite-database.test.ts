import { readdirSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { insertKey } from "../../testing/example-rows.ts";
import { runProgram } from "../../testing/run-program.ts";
import { temporaryDirectory } from "../../testing/temporary-directory.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { isAtLeast } from "./connection.ts";
import { createReaderPool } from "./reader-pool.ts";

const open = (path: string) => openDatabase({ kind: "sqlite", path });

async function keyIds(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom("access_key").select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}

test("what is asked for while a commit runs goes into the next commit together", async () => {
  using directory = temporaryDirectory();
  const path = directory.file("a.db");
  const database = await open(path);
  const observer = new DatabaseSync(path, { readOnly: true });
  // A reader sees the file commit by commit, so the numbers it meets tell the groups.
  const seen = new Set<number>();
  const look = () => seen.add(Number(observer.prepare("SELECT count(*) AS n FROM access_key").get()?.n));
  const write = (index: number) => database.write([insertKey(database, `k${index}`)]).then(look);
  const first = write(0);
  // Lets the first group set out.
  await Promise.resolve();
  await Promise.all([first, ...Array.from({ length: 299 }, (_, index) => write(index + 1))]);
  seen.delete(1);
  expect([...seen]).toEqual([300]);
  observer.close();
  await database.close();
});

test("D6 a failing disk is told once as fatal, and nothing is written any more", async () => {
  using directory = temporaryDirectory();
  const script = fileURLToPath(new URL("../../testing/write-to-failing-disk.ts", import.meta.url));
  const path = directory.file("a.db");
  // The shell's limit on file size makes the kernel refuse writes beyond it, as a broken disk would.
  const command = 'ulimit -f 2048; exec "$0" "$@"';
  const finished = await runProgram("bash", ["-c", command, process.execPath, script, path]);
  expect(finished.stderr).toBe("");
  const { acknowledged, ...said } = JSON.parse(finished.stdout);
  expect(said).toEqual({ first: "fatal", later: "fatal", told: ["fatal"] });
  expect(acknowledged).toBeGreaterThan(0);
  const database = await open(path);
  expect(await keyIds(database)).toHaveLength(acknowledged);
  await database.close();
});

test("a file that is no database is refused in a line", async () => {
  using directory = temporaryDirectory();
  await expect(open("/dev/null/x.db")).rejects.toThrow(/ENOTDIR|EEXIST/);
  const text = fileURLToPath(import.meta.url);
  const copy = directory.file("text.db");
  await runProgram("cp", [text, copy]);
  await expect(open(copy)).rejects.toMatchObject({ kind: "fatal" });
});

/** Counts by a table that grows while it is read, so that SQLite has to do every step. */
const counting = (upTo: number) =>
  sql<number>`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${upTo}) select max(i) from n)`;

test("D4 a long read apart holds up neither a read of a call nor the event loop", async () => {
  using directory = temporaryDirectory();
  const database = await open(directory.file("a.db"));
  await database.write([insertKey(database, "k1")]);
  const order: string[] = [];
  const note = (what: string) => () => order.push(what);
  // Asked for first; where it ran on this thread it would also be done first. A slow machine may give it up: that is late, too.
  const long = database.readApart
    .selectNoFrom(counting(2_000_000).as("n"))
    .executeTakeFirst()
    .then(note("long"), note("long"));
  // The thread must have the read before anything else is asked for.
  await new Promise((resolve) => setImmediate(resolve));
  const short = keyIds(database).then(note("short"));
  const turn = new Promise((resolve) => setImmediate(resolve)).then(note("turn"));
  await Promise.all([long, short, turn]);
  expect(order).toEqual(["short", "turn", "long"]);
  await database.close();
});

test("D4 a long read apart leaves a thread to the short ones", async () => {
  using directory = temporaryDirectory();
  const database = await open(directory.file("a.db"));
  const count = (upTo: number) =>
    database.readApart
      .selectNoFrom(counting(upTo).as("n"))
      .executeTakeFirst()
      .then((row) => row?.n);
  // Both threads are there.
  await Promise.all([count(1), count(1)]);
  const late = () => "long";
  const long = count(2_000_000).then(late, late);
  const short = Promise.all([count(1), count(2), count(3)]).then(() => "short");
  expect(await Promise.race([long, short])).toBe("short");
  await long;
  await database.close();
});

test("D4 a read apart is given up after 5 s; one that has not begun is not done any more", async () => {
  using directory = temporaryDirectory();
  const path = directory.file("a.db");
  await (await open(path)).close();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pool = createReaderPool({ path });
  try {
    const long =
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select max(i) as n from n";
    const reads = [1, 2, 3].map(() => pool.read(long, [300_000]).catch((error) => error.kind));
    vi.advanceTimersByTime(4999);
    const last = pool.read(long, [1]);
    vi.advanceTimersByTime(1);
    expect(await Promise.all(reads)).toEqual(["unavailable", "unavailable", "unavailable"]);
    expect(await last).toEqual([{ n: 1 }]);
  } finally {
    vi.useRealTimers();
    await pool.close();
  }
});

test("close waits for the reads apart that have begun and refuses those that wait", async () => {
  using directory = temporaryDirectory();
  const database = await open(directory.file("a.db"));
  const reads = Array.from({ length: 6 }, () =>
    database.readApart.selectNoFrom(counting(300_000).as("n")).executeTakeFirst(),
  );
  // Two have begun: there are two threads.
  await new Promise((resolve) => setImmediate(resolve));
  const [, ...outcomes] = await Promise.all([
    database.close(),
    ...reads.map((read) => read.catch((error) => error.kind)),
  ]);
  expect(outcomes).toEqual([{ n: 300_000 }, { n: 300_000 }, "closed", "closed", "closed", "closed"]);
});

test("a closed database is one whole file, whoever has read from it", async () => {
  using directory = temporaryDirectory();
  const database = await open(directory.file("a.db"));
  await database.write([insertKey(database, "k1")]);
  await database.readApart.selectFrom("access_key").select("id").execute();
  await database.close();
  expect(readdirSync(directory.path)).toEqual(["a.db"]);
});

test("the file and its directory are readable by their owner only", async () => {
  using directory = temporaryDirectory();
  const path = directory.file("data/a.db");
  const database = await open(path);
  await database.write([insertKey(database, "k1")]);
  expect(statSync(directory.file("data")).mode & 0o777).toBe(0o700);
  expect(["", "-wal", "-shm"].map((end) => statSync(path + end).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  await database.close();
});

test("O5 the write connection is durable: WAL, synchronous FULL, foreign keys, no memory mapping", async () => {
  using directory = temporaryDirectory();
  const database = await open(directory.file("a.db"));
  const pragma = async (name: string) =>
    (await database.write([{ sql: `PRAGMA ${name}`, parameters: [] }]))[0]?.rows[0];
  expect(await pragma("journal_mode")).toEqual({ journal_mode: "wal" });
  expect(await pragma("synchronous")).toEqual({ synchronous: 2 });
  expect(await pragma("foreign_keys")).toEqual({ foreign_keys: 1 });
  expect(await pragma("mmap_size")).toEqual({ mmap_size: 0 });
  await database.close();
});

test("a large unit that fails at its end is undone whole, from memory", async () => {
  using directory = temporaryDirectory();
  const database = await open(directory.file("a.db"));
  const settings = await database.write([{ sql: "PRAGMA temp_store", parameters: [] }]);
  expect(settings[0]?.rows[0]).toEqual({ temp_store: 2 });
  const many = Array.from({ length: 300 }, (_, index) => insertKey(database, `k${index}`));
  const outcomes = await Promise.allSettled([
    database.write([...many, insertKey(database, "k0")]),
    database.write([insertKey(database, "other")]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(await keyIds(database)).toEqual(["other"]);
  await database.close();
});

test("O5 versions are compared by number, not by letter", () => {
  expect(isAtLeast("3.51.3", "3.51.3")).toBe(true);
  expect(isAtLeast("3.51.10", "3.51.3")).toBe(true);
  expect(isAtLeast("3.6.9", "3.51.3")).toBe(false);
  expect(isAtLeast("4.0.0", "3.51.3")).toBe(true);
});
