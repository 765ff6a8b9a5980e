import { createAccessKeys } from "../accounts/access-keys.ts";
import { createAccounts } from "../accounts/accounts.ts";
import { createAuthenticator } from "../accounts/authenticator.ts";
import { createPepper } from "../accounts/pepper.ts";
import type { AccessKeyConfig, AccountConfig } from "../config/config.ts";
import { type Database, StorageError } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import type { MakeDatabase } from "./database-engines.ts";
import { testPlatform } from "./test-platform.ts";

const secret = "0123456789abcdef0123456789abcdef";
/** Where the calls of the tests come from. */
export const address = "192.0.2.7";
export const actor = { kind: "user", id: "usr_1", name: "ada@example.com", address: null } as const;
const log = createLog({ now: () => 0, level: "silent" });
const auth = { pollMs: 500, maxStaleMs: 1000, failuresPerMinute: 20 };
export const limits = { requestsPerMinute: 600, tokensPerMinute: 2_000_000, concurrency: 100 };

/** A gateway's authenticator, and keys and accounts as a command in another process changes them: over a connection of its own. */
export async function accessScene(
  make: MakeDatabase,
  declaredKeys: AccessKeyConfig[] = [],
  declaredAccounts: AccountConfig[] = [],
) {
  const made = await make();
  const databaseConfig = made.config;
  const polls: unknown[] = [];
  const platform = testPlatform();
  const opened = await openDatabase(databaseConfig);
  const counted = countReads(opened);
  const settings = { file: "interlingua.yaml", secret, database: databaseConfig, auth, limits };
  const start = (accessKeys: AccessKeyConfig[], accounts: AccountConfig[] = []) =>
    createAuthenticator({
      database: counted.database,
      config: { ...settings, accounts, accessKeys },
      platform,
      every: (intervalMs, task) => platform.every(intervalMs, () => polls.push(task())),
      log,
    });
  const authenticator = await start(declaredKeys, declaredAccounts);
  const elsewhere = await openDatabase(databaseConfig);
  const pepper = createPepper({ bytes: new TextEncoder().encode(secret), origin: "environment" });
  const published = { times: 0 };
  const hint = { publish: () => void published.times++ };
  const keys = createAccessKeys({ database: elsewhere, pepper, platform, hint });
  const accounts = createAccounts({ database: elsewhere, platform, hint, declared: declaredAccounts });
  return {
    platform,
    authenticator,
    keys,
    accounts,
    /** How often other gateways were told to look. */
    published,
    start,
    database: opened,
    reads: counted.reads,
    fail: counted.fail,
    /** Lets a poll interval pass and its reads come back. */
    async poll() {
      platform.advance(500);
      await Promise.all(polls.splice(0));
    },
    async [Symbol.asyncDispose]() {
      await authenticator.close();
      await Promise.all([opened.close(), elsewhere.close()]);
      made[Symbol.dispose]();
    },
  };
}

/** Counts what is read, and fails it when told to. */
function countReads(database: Database): { database: Database; reads(): number; fail(yes: boolean): void } {
  let reads = 0;
  let failing = false;
  const read: Database["read"] = {
    selectFrom: ((from: "access_key") => {
      if (failing) throw new StorageError("unavailable", "away");
      reads += 1;
      return database.read.selectFrom(from);
      // The builder's own generic signature, which a wrapper cannot repeat.
    }) as Database["read"]["selectFrom"],
    selectNoFrom: database.read.selectNoFrom.bind(database.read),
    with: database.read.with.bind(database.read),
    fn: database.read.fn,
  };
  return {
    database: { ...database, read },
    reads: () => reads,
    fail: (yes) => {
      failing = yes;
    },
  };
}
