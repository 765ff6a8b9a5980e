import { sql } from "kysely";
import { credit } from "../accounts/credits.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { createCallRecorder } from "../calls/call-recorder.ts";
import type { Database } from "../storage/database.ts";
import type { AccountTable } from "../storage/schema.ts";
import type { MakeDatabase } from "./database-engines.ts";
import { exampleCall, insertKey } from "./example-rows.ts";
import { startTestConsole, type TestBrowser, type TestConsole, type TestConsoleOptions } from "./test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";

/** A console with the accounts `acct_default` (its key: `key_1`) and `acct_2` (`key_2`). */
export interface ConsoleWithAccount extends TestConsole {
  /** Somebody who has signed in: with a role in `acct_default`, or an operator. */
  signedIn(role: "viewer" | "member" | "owner" | "operator"): Promise<TestBrowser>;
  /** Records calls as the gateway does. */
  record(...calls: Partial<CallRecord>[]): Promise<void>;
  /** Sets what a route of accounts has for `acct_default`. */
  setAccount(values: Partial<Pick<AccountTable, "billing">> & { credit_limit?: bigint | null }): Promise<void>;
  /** Credits `acct_default`, a second after the one before. */
  topUp(amount: bigint): Promise<void>;
  /** Takes money from the balance, as calls do. */
  spend(amount: bigint): Promise<void>;
}

export async function consoleWithAccount(
  make: MakeDatabase,
  options: TestConsoleOptions = {},
): Promise<ConsoleWithAccount> {
  const place = await startTestConsole(await make(), options);
  const { database, platform, users } = place;
  await database.write([insertAccount(database), insertKey(database, "key_1"), otherKey(database)]);
  const recorder = createCallRecorder(database);
  return {
    ...place,
    async signedIn(role) {
      const email = `${role}@example.com`;
      await users.create({ email, name: `The ${role}`, password }, { operator: role === "operator" }, system);
      if (role !== "operator") await users.setRole(email, "acct_default", role, system);
      const browser = place.browser();
      await browser.signIn(email, password);
      return browser;
    },
    async record(...calls) {
      for (const values of calls) {
        const call = exampleCall(values);
        await database.write(recorder.statements(call), { order: recorder.order(call) });
      }
    },
    async setAccount(values) {
      await database.write([
        database.build.updateTable("account").set(values).where("id", "=", "acct_default").compile(),
      ]);
    },
    async topUp(amount) {
      platform.shift(1000);
      await credit({ database, platform }, { accountId: "acct_default", kind: "top_up", amount, actor: system });
    },
    async spend(amount) {
      await database.write([
        database.compile(sql`update account set balance = balance - ${amount} where id = 'acct_default'`),
      ]);
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

function insertAccount({ build }: Database) {
  return build
    .insertInto("account")
    .values({
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
    })
    .compile();
}

function otherKey(database: Database) {
  return insertKey(database, "key_2", { account_id: "acct_2" });
}
