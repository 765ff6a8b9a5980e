import { type Funds, readFunds } from "../accounts/funds.ts";
import { checkClock, startInstance } from "../accounts/instance.ts";
import { createLedger } from "../accounts/ledger.ts";
import { createSharedReads } from "../accounts/shared-reads.ts";
import { createCallRecorder } from "../calls/call-recorder.ts";
import { loadSeed } from "../catalogue/prices/load-seed.ts";
import { createPriceSource, type PriceSource } from "../catalogue/prices/price-source.ts";
import type { Config } from "../config/config.ts";
import type { Every, Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { lockForServing } from "../storage/sqlite/serving-lock.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { type Bookkeeping, createBookkeeping } from "./bookkeeping.ts";
import type { RelayContext } from "./context.ts";
import { explainRepeat } from "./idempotency.ts";
import { recoverOrphans } from "./recovery.ts";

/** How often the calls of dead processes are looked for: with their lease well within a minute (M15). */
const recoveryMs = 10_000;

/** The money side of a gateway process. */
export interface Books {
  budgets: RelayContext["budgets"];
  books: Bookkeeping;
  prices: PriceSource;
  /** Gateways that are alive, this one included. */
  liveReplicas(): number;
  /** To be called when no call runs any more, before the database is closed. */
  close(): Promise<void>;
}

export interface BooksOptions {
  database: Database;
  config: Pick<Config, "database" | "channels" | "prices">;
  platform: Platform;
  every: Every;
  timers: TimerWheel;
  log: Log;
}

/**
 * Enters the process into the database, ends what dead ones have left open (M3), and makes the ledger ready. Rejects with a
 * StorageError, also where another gateway serves from the same file.
 */
export async function openBooks({ database, config, platform, every, timers, log }: BooksOptions): Promise<Books> {
  const alone = config.database.kind === "sqlite";
  const unlock = config.database.kind === "sqlite" ? lockForServing(config.database.path) : () => undefined;
  const id = platform.id("instance");
  await checkClock(database, platform.now);
  const instance = await startInstance({ database, id, every, log, alone });
  const ledger = createLedger({ database, platform, instanceId: id });
  const recorder = createCallRecorder(database);
  const prices = await createPriceSource({ database, config, now: platform.now, seed: await loadSeed(config) });

  // Callers who cannot pay come in crowds: one connection for all of them, or the others' calls would find none.
  const shared = createSharedReads<Funds>();

  let recovering: Promise<void> | undefined;
  const recover = async () => {
    try {
      const calls = await recoverOrphans({ database, ledger, recorder });
      if (calls.length > 0) log.warn("ended the calls of a gateway that died", { count: calls.length });
    } catch (cause) {
      log.warn("calls of gateways that died could not be looked for", errorFields(cause));
    }
  };
  await recover();
  const stop = every(recoveryMs, () => {
    recovering ??= recover().finally(() => {
      recovering = undefined;
    });
  });

  return {
    budgets: {
      ledger,
      prices,
      readFunds: (accountId, keyId) => shared(`${accountId}/${keyId}`, () => readFunds(database, accountId, keyId)),
      explainRepeat: (keyId, idempotency) => explainRepeat(database, keyId, idempotency),
    },
    books: createBookkeeping({ database, ledger, recorder, timers }),
    prices,
    liveReplicas: instance.live,
    async close() {
      stop();
      await recovering;
      await instance.close();
      unlock();
    },
  };
}
