import type { StorageErrorKind } from "../database.ts";
import type { UnitOutcome } from "../write-queue.ts";
import type { PackedGroup } from "./packed-group.ts";

/** What the writer thread is given at its start. */
export interface WriterOptions {
  path: string;
}

/** To the writer thread: one group at a time, answered by one `committed` or one `fatal`. */
export type WriterRequest = { type: "commit"; group: PackedGroup } | { type: "close" };

/** From the writer thread. `ready` comes once, when the tables are up to date. After `fatal` and `closed` comes nothing. */
export type WriterReply =
  | { type: "ready" }
  | { type: "committed"; outcomes: UnitOutcome[] }
  | { type: "fatal"; kind: StorageErrorKind; message: string }
  | { type: "closed" };
