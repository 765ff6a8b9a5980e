import type { Database } from "../storage/database.ts";
import type { ChangeEntity } from "../storage/schema.ts";

/** What changed since the last look: the ids, by what they are ids of. */
export type Changes = Readonly<Record<ChangeEntity, ReadonlySet<string>>>;

/** Knows whether what is held in memory still agrees with the database. */
export interface ChangeWatch {
  /** Looks, or joins the look under way; told to `changed` before it resolves. Rejects with a StorageError when the database cannot be asked. */
  look(): Promise<void>;
  /** A look that begins after this moment: for a hint, since the one under way may have read before the change. */
  lookAfresh(): Promise<void>;
  /** Milliseconds since the begin of the last look that succeeded. */
  age(): number;
  /** Grows with every change that was seen. */
  generation(): number;
}

export interface ChangeWatchOptions {
  database: Database;
  monotonic: () => number;
  changed(changes: Changes): void;
}

/** Follows the change sequence, into which every process writes with each change of a key, an account or a price (A1, A2). */
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

  const readChanges = async () => {
    const begin = monotonic();
    const rows = await database.read
      .selectFrom("change_sequence")
      .select(["sequence", "entity", "entity_id"])
      .where("sequence", ">", seen)
      .orderBy("sequence")
      .execute();
    const last = rows.at(-1);
    if (last) {
      seen = last.sequence;
      generation += 1;
      const idsOf = (entity: ChangeEntity) =>
        new Set(rows.filter((row) => row.entity === entity).map((row) => row.entity_id));
      changed({
        access_key: idsOf("access_key"),
        account: idsOf("account"),
        channel: idsOf("channel"),
        price: idsOf("price"),
        setting: idsOf("setting"),
        termination: idsOf("termination"),
      });
    }
    lookedAt = begin;
  };

  const look = () => {
    looking ??= readChanges().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    look,
    // How the look under way ends is told to who asked for it.
    lookAfresh: () => (looking ? looking.then(look, look) : look()),
    age: () => monotonic() - lookedAt,
    generation: () => generation,
  };
}
