import type { Database } from "../storage/database.ts";

/** Knows whether what is held in memory still agrees with the database. */
export interface ChangeWatch {
  /** Looks now; told to `changed` before it resolves. Rejects with a StorageError when the database cannot be asked. */
  look(): Promise<void>;
  /** Milliseconds since the begin of the last look that succeeded. */
  age(): number;
  /** Grows with every change that was seen. */
  generation(): number;
}

export interface ChangeWatchOptions {
  database: Database;
  monotonic: () => number;
  /** Gets the ids of the access keys that changed since the last look. */
  changed(ids: ReadonlySet<string>): void;
}

/** Follows the change sequence, into which every process writes with each change of a key (A1, A2). */
export async function createChangeWatch({ database, monotonic, changed }: ChangeWatchOptions): Promise<ChangeWatch> {
  let lookedAt = monotonic();
  // What lies before the start is not in memory yet.
  const start = await database.read
    .selectFrom("change_sequence")
    .select((query) => query.fn.max("sequence").as("sequence"))
    .executeTakeFirst();
  let seen = Number(start?.sequence ?? 0);
  let generation = 0;
  let looking: Promise<void> | undefined;

  const look = async () => {
    const begin = monotonic();
    const changes = await database.read
      .selectFrom("change_sequence")
      .select(["sequence", "entity_id"])
      .where("sequence", ">", seen)
      .orderBy("sequence")
      .execute();
    const last = changes.at(-1);
    if (last) {
      seen = last.sequence;
      generation += 1;
      changed(new Set(changes.map((change) => change.entity_id)));
    }
    lookedAt = begin;
  };

  return {
    look() {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    age: () => monotonic() - lookedAt,
    generation: () => generation,
  };
}
