import { sql } from "kysely";
import type { Every } from "../platform.ts";
import { type Database, StorageError } from "../storage/database.ts";
import { databaseTime } from "../storage/database-time.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";

/** A process whose last heartbeat is older is taken for dead, and others settle what it had reserved (M15). */
export const leaseMs = 30_000;
const heartbeatMs = 5_000;

/** This gateway process, as the others see it by the database. */
export interface Instance {
  id: string;
  /** Gateways that are alive, this one included, as of the last heartbeat. */
  live(): number;
  /** Ends the heartbeat; a process that leaves nothing open takes its row along. */
  close(): Promise<void>;
}

export interface InstanceOptions {
  database: Database;
  id: string;
  every: Every;
  log: Log;
  /** No other process can be serving from this database: whoever has left a row is dead. */
  alone: boolean;
}

/** Clocks that are further apart than this are not both right (O5). */
const mostSkewMs = 5 * 60_000;

/**
 * Refuses to start where the machine's clock and the database's are minutes apart (O5): records would bear wrong times.
 * Throws a StorageError.
 */
export async function checkClock(database: Database, now: () => number): Promise<void> {
  if (database.engine === "sqlite") return;
  const { readNow } = databaseTime(database.engine);
  const row = await database.read.selectNoFrom([readNow.as("now")]).executeTakeFirstOrThrow();
  const skewMs = now() - Number(row.now);
  if (Math.abs(skewMs) <= mostSkewMs) return;
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  throw new StorageError(
    "fatal",
    `This machine's clock is ${minutes} minutes ${skewMs > 0 ? "ahead of" : "behind"} the database's: set both by the same time service`,
  );
}

/** Enters the process into the database and keeps it there, by the database's clock. */
export async function startInstance({ database, id, every, log, alone }: InstanceOptions): Promise<Instance> {
  const { build } = database;
  const time = databaseTime(database.engine);
  let live = 1;

  const beat = async () => {
    await database.write([
      build
        .insertInto("instance")
        .values({ id, started_at: time.now, heartbeat_at: time.now })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ heartbeat_at: time.now }))
        .compile(),
    ]);
    const found = await database.read
      .selectFrom("instance")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("heartbeat_at", ">", sql<number>`${time.readNow} - ${sql.lit(leaseMs)}`)
      .executeTakeFirst();
    live = Math.max(1, Number(found?.count ?? 1));
  };

  if (alone) await database.write([build.deleteFrom("instance").where("id", "!=", id).compile()]);
  await beat();
  const stop = every(heartbeatMs, () => {
    beat().catch((cause: unknown) => log.warn("the heartbeat could not be written", errorFields(cause)));
  });
  return {
    id,
    live: () => live,
    async close() {
      stop();
      const held = build
        .deleteFrom("instance")
        .where("id", "=", id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("reservation").select("call_id").where("instance_id", "=", id).where("state", "=", "open"),
            ),
          ),
        )
        .compile();
      await database
        .write([held])
        .catch((cause: unknown) => log.warn("the instance could not be taken out", errorFields(cause)));
    },
  };
}
