import { type RawBuilder, sql } from "kysely";
import type { Config } from "../config/config.ts";
import type { Every, Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";

/** How many rows a run has deleted. */
interface Pruned {
  /** With their attempts and what was kept of their content. */
  calls: number;
  /** Bodies that had expired. */
  contents: number;
  /** Reservations that ended long ago. */
  reservations: number;
  idempotencyKeys: number;
  /** Answers of the responses protocol that had expired. */
  storedResponses: number;
}

/**
 * Deletes what has been kept long enough: calls, content (S2), ended reservations, idempotency keys, stored responses. Ledger
 * and sums stay.
 * One small unit at a time, so that the records of running calls get in between; a run that ends early (a restart, a
 * database that is away) is made up for by the next. Several replicas may run it at once.
 */
export interface Retention {
  /** Runs every hour from now on; the first time at once. */
  start(): void;
  /** Ends the runs; resolves when none is under way. */
  stop(): Promise<void>;
  /** One run. Rejects with a StorageError. */
  run(): Promise<Pruned>;
}

export interface RetentionOptions {
  database: Pick<Database, "read" | "build" | "write">;
  platform: Pick<Platform, "now" | "monotonic">;
  settings: Pick<Config, "calls">;
  every: Every;
  log: Pick<Log, "info" | "warn">;
}

const hourMs = 3_600_000;
/** Reservations are looked at for as long as their call may be in doubt; keys of idempotency hold as long as is promised (M8). */
const kept = { reservationMs: 48 * hourMs, idempotencyMs: 24 * hourMs };

/** Rows of one unit. A call has up to three attempts and four bodies, a body up to the size that the configuration gives. */
const batch = { calls: 50, contents: 50, responses: 50, rows: 500 };

export function createRetention({ database, platform, settings, every, log }: RetentionOptions): Retention {
  const { read, build } = database;
  const start = { wall: platform.now(), monotonic: platform.monotonic() };
  let running: Promise<Pruned> | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;

  /**
   * The wall clock, and the time since the start added to it: they differ where the clock was set. What is deleted for the sake
   * of space goes by the earlier one, so that a jump deletes nothing too soon (D8); what is deleted for privacy, by the later.
   */
  const clocks = (): { earlier: number; later: number } => {
    const counted = start.wall + Math.floor(platform.monotonic() - start.monotonic);
    const wall = platform.now();
    return { earlier: Math.min(wall, counted), later: Math.max(wall, counted) };
  };

  /** One unit after the other until one finds less than it may delete. */
  const repeat = async (most: number, once: () => Promise<number>): Promise<number> => {
    let deleted = 0;
    while (!stopped) {
      const count = await once();
      deleted += count;
      if (count < most) break;
    }
    return deleted;
  };

  const deleteCalls = async (): Promise<number> => {
    const before = clocks().earlier - settings.calls.retentionMs;
    const rows = await read
      .selectFrom("call")
      .select("id")
      .where("started_at", "<", before)
      .orderBy("started_at")
      .orderBy("id")
      .limit(batch.calls)
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const results = await database.write([
      build.deleteFrom("call_content").where("call_id", "in", ids).compile(),
      build.deleteFrom("attempt").where("call_id", "in", ids).compile(),
      build.deleteFrom("call").where("id", "in", ids).compile(),
    ]);
    return results[2]?.changes ?? 0;
  };

  /** Deletes some of the rows of a table that the condition names. */
  const deleteSome = async (
    table: "call_content" | "reservation" | "idempotency_key" | "stored_response",
    key: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
    most: number,
  ): Promise<number> => {
    const some = sql<boolean>`(${key}) in (select ${key} from ${sql.table(table)} where ${condition} limit ${sql.lit(most)})`;
    const [result] = await database.write([build.deleteFrom(table).where(some).compile()]);
    return result?.changes ?? 0;
  };

  const prune = async (): Promise<Pruned> => ({
    contents: await repeat(batch.contents, () =>
      deleteSome("call_content", sql`call_id, part`, sql`expires_at <= ${clocks().later}`, batch.contents),
    ),
    storedResponses: await repeat(batch.responses, () =>
      deleteSome("stored_response", sql`id`, sql`expires_at <= ${clocks().later}`, batch.responses),
    ),
    calls: await repeat(batch.calls, deleteCalls),
    reservations: await repeat(batch.rows, () =>
      deleteSome(
        "reservation",
        sql`call_id`,
        sql`created_at < ${clocks().earlier - kept.reservationMs} and state <> 'open'`,
        batch.rows,
      ),
    ),
    idempotencyKeys: await repeat(batch.rows, () =>
      deleteSome(
        "idempotency_key",
        sql`access_key_id, digest`,
        sql`created_at < ${clocks().earlier - kept.idempotencyMs}`,
        batch.rows,
      ),
    ),
  });

  const run = (): Promise<Pruned> => {
    running ??= prune().finally(() => {
      running = undefined;
    });
    return running;
  };

  const runAndTell = () => {
    run().then(
      ({ calls, contents, reservations, idempotencyKeys, storedResponses }) => {
        const count = calls + contents + reservations + idempotencyKeys + storedResponses;
        const detail = `${calls} calls, ${contents} contents, ${reservations} reservations, ${idempotencyKeys} idempotency keys, ${storedResponses} stored responses`;
        if (count > 0) log.info("deleted what was kept long enough", { count, detail });
      },
      (error: unknown) => log.warn("what was kept long enough could not be deleted", errorFields(error)),
    );
  };

  return {
    start() {
      if (cancel) return;
      cancel = every(hourMs, runAndTell);
      runAndTell();
    },
    async stop() {
      stopped = true;
      cancel?.();
      // Who started the run has told of its failure.
      await running?.catch(() => undefined);
    },
    run,
  };
}
