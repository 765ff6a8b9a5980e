import type { CallRecord } from "../calls/call-record.ts";
import { createCallRecorder } from "../calls/call-recorder.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import type { MakeDatabase, TestDatabase } from "./database-engines.ts";
import { exampleCall, insertKey } from "./example-rows.ts";

/** A database in which calls can be recorded. */
export interface RecordedCalls extends AsyncDisposable {
  database: Database;
  config: TestDatabase["config"];
  /** Records calls as the gateway does, each in a unit of its own. */
  record(...calls: Partial<CallRecord>[]): Promise<void>;
}

/** A database with the access keys `key_1` to `key_3` and, beside the default account, `acct_2`. */
export async function recordedCalls(make: MakeDatabase): Promise<RecordedCalls> {
  const made = await make();
  const database = await openDatabase(made.config);
  const account = database.build.insertInto("account").values({
    id: "acct_2",
    name: "second",
    state: "active",
    billing: "postpaid",
    balance: 0n,
    reserved: 0n,
    credit_limit: null,
    markup_ppm: 1_000_000,
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    created_at: 0,
  });
  await database.write([
    account.compile(),
    insertKey(database, "key_1"),
    insertKey(database, "key_2"),
    insertKey(database, "key_3", { account_id: "acct_2" }),
  ]);
  const recorder = createCallRecorder(database);
  return {
    database,
    config: made.config,
    async record(...calls) {
      const records = calls.map((call) => exampleCall(call));
      await Promise.all(
        records.map((call) => database.write(recorder.statements(call), { order: recorder.order(call) })),
      );
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      made[Symbol.dispose]();
    },
  };
}
