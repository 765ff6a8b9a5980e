import { sql } from "kysely";
import type { Every, Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import { statementTemplate } from "../storage/statement-template.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import type { CallRecord } from "./call-record.ts";
import { hourMs, hourOf } from "./usage-hour.ts";
import { summingStatements } from "./usage-summing.ts";

/*
 * Sums of the installation as a whole. They cannot be written with each call: one row that every call changes would make
 * them all wait for each other. So an hour is closed some time after it has ended: `usage_hour` is summed up by one thing at
 * a time. `usage_hour` remains the authority: what reads totals takes hours that are open, or have a late call, from there.
 */

/** Closes hours, and sums up again where a call came late. Several replicas may run it at once. */
export interface UsageTotals {
  /** Runs every quarter of an hour from now on; the first time at once. */
  start(): void;
  /** Ends the runs; resolves when none is under way. */
  stop(): Promise<void>;
  /** One run: how many hours it has summed up. Rejects with a StorageError. */
  run(): Promise<number>;
}

export interface UsageTotalsOptions {
  database: Pick<Database, "read" | "build" | "write" | "compile">;
  platform: Pick<Platform, "now">;
  every: Every;
  log: Pick<Log, "warn">;
}

const everyMs = hourMs / 4;
/** Time for the records of calls that ended with the hour to be written, and for clocks that differ. */
const graceMs = hourMs / 4;
/** Time after which no commit is under way any more that began before an hour was closed. */
const checkMs = hourMs;
/** Late calls that one run looks at. */
const lateAtOnce = 500;

export function createUsageTotals({ database, platform, every, log }: UsageTotalsOptions): UsageTotals {
  const { read, build } = database;
  let running: Promise<number> | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const run = (): Promise<number> => {
    running ??= sumUp().finally(() => {
      running = undefined;
    });
    return running;
  };

  const sumUp = async (): Promise<number> => {
    const ended = hourOf(platform.now() - graceMs);
    return (await close(ended)) + (await check(ended - checkMs)) + (await addLate());
  };

  const state = () => read.selectFrom("usage_total_state").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();

  const hourAfter = async (from: number, before: number): Promise<number | undefined> => {
    const row = await read
      .selectFrom("usage_hour")
      .select("hour")
      .where("hour", ">=", from)
      .where("hour", "<", before)
      .orderBy("hour")
      .limit(1)
      .executeTakeFirst();
    return row?.hour;
  };

  const close = async (before: number): Promise<number> => {
    let closed = 0;
    for (; !stopped; closed += 1) {
      const { closed_until: until } = await state();
      const hour = await hourAfter(until, before);
      if (hour === undefined) break;
      const step = build
        .updateTable("usage_total_state")
        .set({ closed_until: hour + hourMs })
        .where("id", "=", 1)
        .where("closed_until", "=", until);
      if (!(await writeUnlessAnother([expecting(1, step.compile()), ...summing(hour)]))) break;
    }
    return closed;
  };

  /** Sums up once more, for a record whose commit was under way while its hour was closed. */
  const check = async (before: number): Promise<number> => {
    let checked = 0;
    for (; !stopped; checked += 1) {
      const { closed_until: closed, checked_until: until } = await state();
      const hour = await hourAfter(until, Math.min(before, closed));
      if (hour === undefined) break;
      const step = build
        .updateTable("usage_total_state")
        .set({ checked_until: hour + hourMs })
        .where("id", "=", 1)
        .where("checked_until", "=", until);
      if (!(await writeUnlessAnother([expecting(1, step.compile()), ...summing(hour)]))) break;
    }
    return checked;
  };

  const addLate = async (): Promise<number> => {
    const rows = await read
      .selectFrom("usage_late")
      .selectAll()
      .orderBy("hour")
      .orderBy("call_id")
      .limit(lateAtOnce)
      .execute();
    const byHour = Map.groupBy(rows, ({ hour }) => hour);
    for (const [hour, late] of byHour) {
      const seen = late.map(({ call_id }) => call_id);
      const done = build.deleteFrom("usage_late").where("call_id", "in", seen).compile();
      await writeUnlessAnother([...summing(hour), done]);
    }
    return byHour.size;
  };

  /** False where another replica does the same at this moment: then nothing of the unit is written. */
  const writeUnlessAnother = async (unit: readonly Statement[]): Promise<boolean> => {
    try {
      await database.write(unit);
      return true;
    } catch (error) {
      const another = error instanceof StorageError && ["condition", "constraint", "busy"].includes(error.kind);
      if (!another) throw error;
      return false;
    }
  };

  const summing = summingStatements(database);

  const runAndTell = () => {
    run().catch((error: unknown) => log.warn("hours could not be summed up", errorFields(error)));
  };

  return {
    start() {
      if (cancel) return;
      cancel = every(everyMs, runAndTell);
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

/**
 * What notes a call that is recorded after its hour was closed. To be written with it; nothing for a call that ended in the
 * hour in which it began, which is in time.
 */
export function lateStatement(database: Pick<Database, "compile">): (call: CallRecord) => Statement | undefined {
  const note = statementTemplate(
    database,
    ["callId", "hour"],
    ({ callId, hour }) => sql`
      insert into usage_late (call_id, hour)
      select cast(${callId} as text), cast(${hour} as bigint) from usage_total_state
      where closed_until > cast(${hour} as bigint)`,
  );
  return ({ id, startedAt, timings, abortReason }) => {
    const hour = hourOf(startedAt);
    const inTime = timings.end !== null && hourOf(startedAt + timings.end) === hour && abortReason !== "process_died";
    return inTime ? undefined : note({ callId: id, hour });
  };
}
