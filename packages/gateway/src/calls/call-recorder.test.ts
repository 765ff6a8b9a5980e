import { expect, test } from "vitest";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { exampleCall, insertKey } from "../testing/example-rows.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import type { CallRecord } from "./call-record.ts";
import { createCallRecorder } from "./call-recorder.ts";
import { listCalls } from "./list-calls.ts";

async function recorded(path: string): Promise<{ database: Database; record(call: CallRecord): Promise<void> }> {
  const database = await openDatabase({ kind: "sqlite", path });
  await database.write([insertKey(database, "key_1"), insertKey(database, "key_2")]);
  return { database, record: createCallRecorder(database).record };
}

test("M1 a recorded call reads back as it was", async () => {
  using directory = temporaryDirectory();
  const { database, record } = await recorded(directory.file("a.db"));
  const full = exampleCall();
  const bare = exampleCall({
    id: "call_0",
    upstreamProtocol: null,
    lane: null,
    channel: null,
    model: null,
    upstreamModel: null,
    status: 400,
    outcome: "refused",
    errorKind: "bad_request",
    usage: null,
    notices: [],
    timings: { admission: null, connect: null, firstByte: null, firstToken: null, end: null },
  });
  const estimated = exampleCall({ id: "call_2", usage: { input: {}, output: {}, inputAudio: 3, estimated: true } });
  await Promise.all([record(full), record(bare), record(estimated)]);
  expect(await listCalls(database)).toEqual([estimated, full, bare]);
  await database.close();
});

test("1.4 a counter that nobody reported is not 0", async () => {
  using directory = temporaryDirectory();
  const { database, record } = await recorded(directory.file("a.db"));
  await record(exampleCall({ usage: { input: { uncached: 0 }, output: {} } }));
  expect((await listCalls(database))[0]?.usage).toEqual({ input: { uncached: 0 }, output: {} });
  await database.close();
});

test("M7 a call is recorded once: the second time is an error and changes nothing", async () => {
  using directory = temporaryDirectory();
  const { database, record } = await recorded(directory.file("a.db"));
  const outcomes = await Promise.allSettled([record(exampleCall()), record(exampleCall({ status: 500 }))]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect(record(exampleCall())).rejects.toMatchObject({ kind: "constraint" });
  expect(await listCalls(database)).toMatchObject([{ status: 200 }]);
  await database.close();
});

test("M9 a negative counter is refused by the database itself", async () => {
  using directory = temporaryDirectory();
  const { database, record } = await recorded(directory.file("a.db"));
  const negative = exampleCall({ usage: { input: { uncached: -1 }, output: {} } });
  await expect(record(negative)).rejects.toMatchObject({ kind: "constraint" });
  await database.close();
});

test("a call of an unknown access key is refused", async () => {
  using directory = temporaryDirectory();
  const { database, record } = await recorded(directory.file("a.db"));
  await expect(record(exampleCall({ accessKeyId: "nobody" }))).rejects.toMatchObject({ kind: "constraint" });
  await database.close();
});

test("lists go on after the last call seen, newest first, of one key when asked", async () => {
  using directory = temporaryDirectory();
  const { database, record } = await recorded(directory.file("a.db"));
  for (const [id, startedAt, accessKeyId] of [
    ["call_a", 1, "key_1"],
    ["call_b", 2, "key_2"],
    ["call_c", 2, "key_1"],
    ["call_d", 3, "key_1"],
  ] as const) {
    await record(exampleCall({ id, startedAt, accessKeyId }));
  }
  const ids = (calls: CallRecord[]) => calls.map((call) => call.id);
  expect(ids(await listCalls(database, { limit: 2 }))).toEqual(["call_d", "call_c"]);
  expect(ids(await listCalls(database, { after: { startedAt: 2, id: "call_c" } }))).toEqual(["call_b", "call_a"]);
  expect(ids(await listCalls(database, { accessKeyId: "key_2" }))).toEqual(["call_b"]);
  await database.close();
});
