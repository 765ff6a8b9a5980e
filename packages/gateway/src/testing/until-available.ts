import { StorageError } from "../storage/database.ts";

/** Does what found no free connection again, as callers do: of many at once on a busy machine some wait too long for one. */
export async function untilAvailable<Result>(task: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== "unavailable") throw error;
    }
  }
}
