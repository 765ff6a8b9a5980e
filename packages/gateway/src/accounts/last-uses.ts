import type { Database } from "../storage/database.ts";
import { BoundedMap } from "./bounded-map.ts";

/** Remembers when keys were last used, and writes it down now and then. */
export interface LastUses {
  /** Notes a use. `written` is the time that the database had when the key was read; unix milliseconds. No I/O. */
  note(keyId: string, at: number, written: number | null): void;
  /** Writes what is due. Rejects with a StorageError; what was not written stays due. */
  write(): Promise<void>;
}

const everyMs = 60_000;

/** Uses by key, of at most as many keys as given. A key's time is written at most once a minute, over all gateways. */
export function createLastUses(database: Database, bound: number): LastUses {
  const uses = new BoundedMap<string, { usedAt: number; writtenAt: number }>(bound);
  const used = new Set<string>();

  return {
    note(keyId, at, written) {
      const use = uses.get(keyId);
      if (use) use.usedAt = at;
      else uses.set(keyId, { usedAt: at, writtenAt: written ?? Number.NEGATIVE_INFINITY });
      used.add(keyId);
    },
    async write() {
      const due = [...used].flatMap((id) => {
        const use = uses.get(id);
        if (!use) used.delete(id);
        return use && use.usedAt - use.writtenAt >= everyMs ? [{ id, use, at: use.usedAt }] : [];
      });
      if (due.length === 0) return;
      // In one order everywhere: of gateways that write about the same keys none waits for another that waits for it.
      due.sort((a, b) => (a.id < b.id ? -1 : 1));
      await database.write(
        due.map(({ id, at }) =>
          database.build
            .updateTable("access_key")
            .set({ last_used_at: at })
            .where("id", "=", id)
            .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<=", at - everyMs)]))
            .compile(),
        ),
      );
      for (const { id, use, at } of due) {
        use.writtenAt = at;
        if (use.usedAt === at) used.delete(id);
      }
    },
  };
}
