import { StorageError } from "../storage/database.ts";

/** Waits for a write whose condition says that nobody has done it yet: of gateways that start together one does it. */
export async function unlessDone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
  }
}
