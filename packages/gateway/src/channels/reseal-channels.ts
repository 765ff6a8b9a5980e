import type { Database, Statement } from "../storage/database.ts";
import { SealError, type Sealer } from "../storage/sealed-value.ts";
import { placeOf } from "./channel-rows.ts";

/**
 * Brings the credentials and headers of all channels under the secret in use, so that the one before may be forgotten. No
 * gateway need be told: what the channels say does not change. A value that does not open is left as it is; the read of
 * the channels tells of it.
 */
export async function resealChannels(database: Pick<Database, "read" | "build" | "write">, sealer: Sealer) {
  const rows = await database.read.selectFrom("channel").select(["id", "credential", "headers"]).execute();
  const statements: Statement[] = [];
  for (const row of rows) {
    for (const column of ["credential", "headers"] as const) {
      const before = row[column];
      const after = before && resealed(sealer, row.id, column, before);
      if (!before || !after) continue;
      const update = database.build.updateTable("channel").set({ [column]: after });
      statements.push(update.where("id", "=", row.id).where(column, "=", before).compile());
    }
  }
  if (statements.length > 0) await database.write(statements);
}

function resealed(sealer: Sealer, id: string, column: string, before: Uint8Array): Uint8Array | undefined {
  try {
    return sealer.reseal(placeOf(id, column), before);
  } catch (cause) {
    if (cause instanceof SealError) return undefined;
    throw cause;
  }
}
