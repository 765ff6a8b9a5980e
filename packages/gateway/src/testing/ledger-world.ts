import { type CreditKind, type CreditOutcome, credit } from "../accounts/credits.ts";
import { refundCall } from "../accounts/credits-refund.ts";
import { createLedger, type Ledger, type Reservation } from "../accounts/ledger.ts";
import type { AuditActor } from "../audit/audit-log.ts";
import { type CallRecorder, createCallRecorder } from "../calls/call-recorder.ts";
import { setPrice } from "../catalogue/prices/operator-prices.ts";
import { createCodeDigests } from "../payments/code-text.ts";
import { createRedemptionCodes, type RedemptionCodes } from "../payments/redemption-codes.ts";
import { type Bookkeeping, createBookkeeping } from "../relay/bookkeeping.ts";
import { recoverOrphans } from "../relay/recovery.ts";
import type { Database } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import { openDatabase } from "../storage/open-database.ts";
import type { AccountTable } from "../storage/schema.ts";
import type { MakeDatabase } from "./database-engines.ts";
import { exampleCall, insertKey } from "./example-rows.ts";
import { type TestPlatform, testPlatform } from "./test-platform.ts";

/** How the account of a run pays. Nano-dollars. */
export interface LedgerTerms {
  billing: AccountTable["billing"];
  creditLimit: bigint;
  quota: bigint;
}

export interface LedgerState {
  balance: bigint;
  reserved: bigint;
  used: bigint;
  quotaReserved: bigint;
}

/** Everything that moves money, over a real database that runs share: each has an account and a key of its own. */
export interface LedgerWorld extends AsyncDisposable {
  /** Of the database. */
  config: Parameters<typeof openDatabase>[0];
  /** Begins a run: an account without money. */
  begin(terms: LedgerTerms): Promise<void>;
  state(): Promise<LedgerState>;
  reserve(amount: bigint): Promise<Reservation | "balance" | "quota" | "repeated">;
  checkpoint(reservation: Reservation, charge: bigint): Promise<void>;
  /** Ends a call with its record. Rejects with a StorageError where it has ended. */
  end(reservation: Reservation, charge: bigint): Promise<void>;
  /** Ends what a dead process left open, which in this world is all that is open. */
  recover(): Promise<string[]>;
  credit(kind: CreditKind, amount: bigint, reference?: string): Promise<CreditOutcome>;
  refund(callId: string, amount: bigint): Promise<CreditOutcome>;
  codes: Pick<RedemptionCodes, "redeem" | "create">;
  redeem(code: string): ReturnType<RedemptionCodes["redeem"]>;
  changePrice(): Promise<void>;
  /** Closes the database and opens it again, as a restart does. */
  reopen(): Promise<void>;
}

const actor: AuditActor = { kind: "command", id: null, name: "command line", address: null };

interface Parts {
  database: Database;
  ledger: Ledger;
  recorder: CallRecorder;
  books: Bookkeeping;
  codes: RedemptionCodes;
}

function partsOver(database: Database, platform: TestPlatform): Parts {
  const ledger = createLedger({ database, platform, instanceId: "instance_gone" });
  const recorder = createCallRecorder(database);
  const after = () => {
    throw new Error("Nothing is tried again in this world");
  };
  const digests = createCodeDigests({ bytes: new Uint8Array(32) });
  return {
    database,
    ledger,
    recorder,
    books: createBookkeeping({ database, ledger, recorder, timers: { after } }),
    codes: createRedemptionCodes({ database, platform, digests }),
  };
}

export async function ledgerWorld(make: MakeDatabase): Promise<LedgerWorld> {
  const made = await make();
  const platform = testPlatform();
  let parts = partsOver(await openDatabase(made.config), platform);
  let accountId = "";
  let accessKeyId = "";
  const money = () => ({ database: parts.database, platform });

  return {
    config: made.config,
    get codes() {
      return parts.codes;
    },
    async begin({ billing, creditLimit, quota }) {
      accountId = platform.id("acct");
      accessKeyId = platform.id("key");
      const account = { id: accountId, name: accountId, state: "active", billing, balance: 0n, reserved: 0n } as const;
      const limits = { requests_per_minute: null, tokens_per_minute: null, concurrency: null };
      const more = { credit_limit: billing === "postpaid" ? creditLimit : null, markup_ppm: 1_000_000, created_at: 0 };
      await parts.database.write([
        parts.database.build
          .insertInto("account")
          .values({ ...account, ...limits, ...more })
          .compile(),
        insertKey(parts.database, accessKeyId, { account_id: accountId, quota: Number(quota), quota_period: "total" }),
      ]);
    },
    async state() {
      const row = await parts.database.read
        .selectFrom("account")
        .leftJoin("quota_usage", (join) => join.on("access_key_id", "=", accessKeyId))
        .select([moneyText("balance").as("balance"), moneyText("account.reserved").as("reserved")])
        .select([moneyText("used").as("used"), moneyText("quota_usage.reserved").as("quota_reserved")])
        .where("account.id", "=", accountId)
        .executeTakeFirstOrThrow();
      return {
        balance: BigInt(row.balance),
        reserved: BigInt(row.reserved),
        used: BigInt(row.used ?? 0),
        quotaReserved: BigInt(row.quota_reserved ?? 0),
      };
    },
    async reserve(amount) {
      const outcome = await parts.ledger.reserve({
        callId: platform.id("call"),
        accountId,
        accessKeyId,
        amount,
        quotaPeriod: "total",
        priceVersion: null,
        startedAt: platform.now(),
        clientProtocol: "messages",
        model: "fast",
        stream: false,
      });
      return outcome.ok ? outcome.reservation : outcome.reason;
    },
    async checkpoint(reservation, charge) {
      const facts = { usage: { input: {}, output: {} }, channel: "openai", upstreamModel: "gpt-5-mini" };
      await parts.books.checkpoint(reservation, charge, facts);
    },
    async end(reservation, charge) {
      const call = exampleCall({
        id: reservation.callId,
        startedAt: platform.now(),
        accountId,
        accessKeyId,
        outcome: "client_closed",
        reserved: reservation.amount,
        charge,
        priceVersion: null,
        priceLines: charge === 0n ? [] : [{ class: "request", quantity: 1, price: charge, amount: charge }],
      });
      await parts.books.close(call, reservation);
    },
    recover: () => recoverOrphans(parts),
    credit: (kind, amount, reference) => credit(money(), { accountId, kind, amount, reference, actor }),
    refund: (callId, amount) => refundCall(money(), { accountId, callId, amount, actor }),
    redeem: (code) => parts.codes.redeem(code, accountId, actor),
    async changePrice() {
      await setPrice(money(), { model: "*", channel: null, prices: { input: 1n, output: 1n }, perRequest: 1n }, actor);
    },
    async reopen() {
      await parts.database.close();
      parts = partsOver(await openDatabase(made.config), platform);
    },
    async [Symbol.asyncDispose]() {
      await parts.database.close();
      made[Symbol.dispose]();
    },
  };
}
