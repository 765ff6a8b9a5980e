import type { StorageErrorKind } from "../database.ts";

/** What a reader thread is given at its start. */
export interface ReaderOptions {
  path: string;
}

/** To a reader thread: one read at a time, answered by one reply; or nothing more, after which the thread ends. */
export type ReaderRequest = { type: "read"; sql: string; parameters: readonly unknown[] } | { type: "close" };

/** From a reader thread. */
export type ReaderReply =
  | { type: "rows"; rows: Record<string, unknown>[] }
  | { type: "failed"; kind: StorageErrorKind; message: string };
