import { createLedger, type Ledger, type ReservationRequest } from "../accounts/ledger.ts";
import type { DatabaseConfig } from "../config/config.ts";
import type { Database } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import { openDatabase } from "../storage/open-database.ts";
import type { AccountTable, QuotaPeriod } from "../storage/schema.ts";
import type { MakeDatabase } from "./database-engines.ts";
import { insertKey } from "./example-rows.ts";
import { type TestPlatform, testPlatform } from "./test-platform.ts";

/** A ledger over an empty database with one account and one key of it. */
export interface LedgerScene extends AsyncDisposable {
  database: Database;
  /** Where the database is, to open it once more. */
  config: DatabaseConfig;
  platform: TestPlatform;
  ledger: Ledger;
  /** A request for the scene's key. */
  request(callId: string, amount: bigint, more?: Partial<ReservationRequest>): ReservationRequest;
  account(): Promise<{ balance: bigint; reserved: bigint }>;
  quotaUsage(): Promise<{ window: string; used: bigint; reserved: bigint }[]>;
}

export interface LedgerSceneOptions {
  billing?: AccountTable["billing"];
  balance?: bigint;
  creditLimit?: bigint | null;
  quota?: { amount: number; period: QuotaPeriod };
}

export async function ledgerScene(make: MakeDatabase, options: LedgerSceneOptions = {}): Promise<LedgerScene> {
  const made = await make();
  const database = await openDatabase(made.config);
  const platform = testPlatform();
  const { billing = "prepaid", balance = 0n, creditLimit = null, quota } = options;
  await database.write([
    database.build
      .insertInto("account")
      .values({
        id: "acct_1",
        name: "one",
        state: "active",
        billing,
        balance,
        reserved: 0n,
        credit_limit: creditLimit,
        markup_ppm: 1_000_000,
        requests_per_minute: null,
        tokens_per_minute: null,
        concurrency: null,
        created_at: 0,
      })
      .compile(),
    insertKey(database, "key_1", {
      account_id: "acct_1",
      quota: quota?.amount ?? null,
      quota_period: quota?.period ?? null,
    }),
  ]);
  return {
    database,
    config: made.config,
    platform,
    ledger: createLedger({ database, platform, instanceId: "instance_1" }),
    request: (callId, amount, more = {}) => ({
      callId,
      accountId: "acct_1",
      accessKeyId: "key_1",
      amount,
      quotaPeriod: quota?.period ?? null,
      priceVersion: null,
      startedAt: 1_767_225_600_000,
      clientProtocol: "messages",
      model: "fast",
      stream: false,
      ...more,
    }),
    async account() {
      const row = await database.read
        .selectFrom("account")
        .select([moneyText("balance").as("balance"), moneyText("reserved").as("reserved")])
        .where("id", "=", "acct_1")
        .executeTakeFirstOrThrow();
      return { balance: BigInt(row.balance), reserved: BigInt(row.reserved) };
    },
    async quotaUsage() {
      const rows = await database.read
        .selectFrom("quota_usage")
        .select(["quota_window", moneyText("used").as("used"), moneyText("reserved").as("reserved")])
        .orderBy("quota_window")
        .execute();
      return rows.map((row) => ({
        window: row.quota_window,
        used: BigInt(row.used),
        reserved: BigInt(row.reserved),
      }));
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      made[Symbol.dispose]();
    },
  };
}
