import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { exampleCall, insertKey } from "../testing/example-rows.ts";
import type { CallRecord } from "./call-record.ts";
import { createCallRecorder } from "./call-recorder.ts";
import { listCalls } from "./list-calls.ts";

async function recordedIn(make: MakeDatabase) {
  const made = await make();
  const database = await openDatabase(made.config);
  await database.write([insertKey(database, "key_1"), insertKey(database, "key_2")]);
  const recorder = createCallRecorder(database);
  return {
    database,
    async record(call: CallRecord) {
      await database.write(recorder.statements(call), { order: recorder.order(call) });
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      made[Symbol.dispose]();
    },
  };
}

describeEngines((make) => {
  test("M1 a recorded call reads back as it was", async () => {
    await using scene = await recordedIn(make);
    const { database, record } = scene;
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
    expect((await listCalls(database)).calls).toEqual([estimated, full, bare]);
  });

  test("1.4 a counter that nobody reported is not 0", async () => {
    await using scene = await recordedIn(make);
    const { database, record } = scene;
    await record(exampleCall({ usage: { input: { uncached: 0 }, output: {} } }));
    expect((await listCalls(database)).calls[0]?.usage).toEqual({ input: { uncached: 0 }, output: {} });
  });

  test("M7 a call is recorded once: the second time is an error and changes nothing", async () => {
    await using scene = await recordedIn(make);
    const { database, record } = scene;
    const outcomes = await Promise.allSettled([record(exampleCall()), record(exampleCall({ status: 500 }))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(record(exampleCall())).rejects.toMatchObject({ kind: "constraint" });
    expect((await listCalls(database)).calls).toMatchObject([{ status: 200 }]);
  });

  test("M9 a negative counter is refused by the database itself", async () => {
    await using scene = await recordedIn(make);
    const { record } = scene;
    const negative = exampleCall({ usage: { input: { uncached: -1 }, output: {} } });
    await expect(record(negative)).rejects.toMatchObject({ kind: "constraint" });
  });

  test("a call of an unknown access key is refused", async () => {
    await using scene = await recordedIn(make);
    const { record } = scene;
    await expect(record(exampleCall({ accessKeyId: "nobody" }))).rejects.toMatchObject({ kind: "constraint" });
  });

  test("a name with U+0000, which a caller may send, does not keep a call from being recorded", async () => {
    await using scene = await recordedIn(make);
    await scene.record(exampleCall({ model: "a\u0000b" }));
    expect((await listCalls(scene.database)).calls).toHaveLength(1);
  });
});
