import { sql } from "kysely";
import { hourMs, hourOf } from "../calls/usage-hour.ts";
import type { Catalogue } from "../catalogue/published-models.ts";
import type { Every, Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import { type AvailabilityRow, availabilitySums, sumHours } from "./read-calls.ts";

/*
 * Calls pay nothing for the public pages: hours are summed up behind them, from `call` and `attempt`. A call is recorded
 * when it ends, up to an hour after it began, so hours are summed up anew until that is over, and then once for good. Days
 * are the sums of their hours.
 */

/** Sums up how well channels and models answered. Several replicas may run it at once. */
export interface AvailabilityRollUp {
  /** Runs every five minutes from now on; the first time at once. */
  start(): void;
  /** Ends the runs; resolves when none is under way. */
  stop(): Promise<void>;
  /** One run. Rejects with a StorageError. */
  run(): Promise<void>;
}

export interface AvailabilityRollUpOptions {
  /** Whose reads may take long. */
  database: Pick<Database, "read" | "build" | "write" | "compile">;
  catalogue: Pick<Catalogue, "publishedName">;
  platform: Pick<Platform, "now">;
  every: Every;
  log: Pick<Log, "warn">;
}

const everyMs = 5 * 60_000;
export const dayMs = 24 * hourMs;
/** Time after which no call of an hour is still to be recorded. */
const settledAfterMs = 2 * hourMs;
/** Hours are kept for what goes on now and for days that are not over; days for the bars. */
const kept = { hourMs: 3 * dayMs, days: 90 };
/** Rows of one statement. */
const batch = 200;

/** The begin of the day of UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

export function createAvailabilityRollUp(options: AvailabilityRollUpOptions): AvailabilityRollUp {
  const { database, catalogue, platform, every, log } = options;
  const { read, build } = database;
  let running: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let stopped = false;

  const run = (): Promise<void> => {
    running ??= sumUp().finally(() => {
      running = undefined;
    });
    return running;
  };

  const sumUp = async (): Promise<void> => {
    const now = platform.now();
    const settled = hourOf(now - settledAfterMs);
    await closeHours(settled, dayOf(now) - kept.days * dayMs);
    // Two at most: the hours that are still open may lie on both sides of midnight.
    for (let from = settled; from < now && !stopped; from = dayOf(from) + dayMs) {
      const to = Math.min(dayOf(from) + dayMs, now + 1);
      await writeUnlessAnother(await hoursUnit(from, to));
    }
    await prune(now);
  };

  /** Sums up for good what has ended, a day at most in one unit. */
  const closeHours = async (before: number, oldest: number): Promise<void> => {
    while (!stopped) {
      const { closed_until: until } = await read
        .selectFrom("availability_state")
        .select("closed_until")
        .where("id", "=", 1)
        .executeTakeFirstOrThrow();
      if (until >= before) return;
      const first = await firstCall(Math.max(until, oldest), before);
      const from = first === undefined ? before : hourOf(first);
      const to = Math.min(dayOf(from) + dayMs, before);
      const step = build
        .updateTable("availability_state")
        .set({ closed_until: Math.max(to, from) })
        .where("id", "=", 1)
        .where("closed_until", "=", until);
      const unit = from < to ? await hoursUnit(from, to) : [];
      if (!(await writeUnlessAnother([expecting(1, step.compile()), ...unit]))) return;
    }
  };

  const firstCall = async (from: number, before: number): Promise<number | undefined> => {
    const row = await read
      .selectFrom("call")
      .select("started_at")
      .where("started_at", ">=", from)
      .where("started_at", "<", before)
      .orderBy("started_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    return row?.started_at;
  };

  /** Whatever the hours of the range were, they are then what the calls say, and their day is the sum of its hours. */
  const hoursUnit = async (from: number, to: number): Promise<Statement[]> => {
    const rows = await sumHours(database, catalogue, { from, to });
    const day = dayOf(from);
    const statements: Statement[] = [
      build
        .deleteFrom("availability")
        .where("span", "=", "hour")
        .where("time", ">=", from)
        .where("time", "<", to)
        .compile(),
    ];
    for (let at = 0; at < rows.length; at += batch) {
      const values = rows.slice(at, at + batch).map((row) => ({ span: "hour" as const, ...columnsOf(row) }));
      statements.push(build.insertInto("availability").values(values).compile());
    }
    statements.push(
      build.deleteFrom("availability").where("span", "=", "day").where("time", "=", day).compile(),
      addedUp(day),
    );
    return statements;
  };

  const columns = sql.join(availabilitySums.map((column) => sql.ref(column)));
  const added = sql.join(availabilitySums.map((column) => sql`cast(sum(${sql.ref(column)}) as bigint)`));

  const addedUp = (day: number): Statement =>
    database.compile(sql`
      insert into availability (span, time, channel, model, ${columns})
      select 'day', cast(${day} as bigint), channel, model, ${added} from availability
      where span = 'hour' and time >= ${day} and time < ${day + dayMs} group by channel, model`);

  const prune = async (now: number): Promise<void> => {
    const old = (span: "hour" | "day", before: number) =>
      build.deleteFrom("availability").where("span", "=", span).where("time", "<", before).compile();
    await database.write([old("hour", dayOf(now - kept.hourMs)), old("day", dayOf(now) - kept.days * dayMs)]);
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

  const runAndTell = () => {
    run().catch((error: unknown) => log.warn("availability could not be summed up", errorFields(error)));
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

/** Just the columns of the table, in one order: rows of one statement must look alike. */
function columnsOf(row: AvailabilityRow): AvailabilityRow {
  const { time, channel, model } = row;
  // Every sum is one of the row's.
  const sums = Object.fromEntries(availabilitySums.map((column) => [column, row[column]])) as Omit<
    AvailabilityRow,
    "time" | "channel" | "model"
  >;
  return { time, channel, model, ...sums };
}
