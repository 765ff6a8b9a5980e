import { Worker } from "node:worker_threads";
import { StorageError } from "../database.ts";
import type { ReaderOptions, ReaderReply, ReaderRequest } from "./reader-messages.ts";

type Rows = Record<string, unknown>[];

/** Threads that read, each with a connection of its own. */
export interface ReaderPool {
  /**
   * Sees everything that was committed when it was asked for. Rejects with a StorageError: `unavailable` after 5 s, `queue_full`
   * where too many wait.
   */
  read(sql: string, parameters: readonly unknown[]): Promise<Rows>;
  /** Refuses what waits and what comes, and ends the threads when they have done what they are doing. */
  close(): Promise<void>;
}

interface Waiting {
  sql: string;
  parameters: readonly unknown[];
  resolve(rows: Rows): void;
  reject(error: StorageError): void;
  /** Whoever asked has given up; a read that has begun runs to its end, since SQLite cannot be stopped here. */
  over: boolean;
}

interface Reader {
  worker: Worker;
  current: Waiting | undefined;
  ended: Promise<void>;
}

/** Two, so that one long read leaves a thread to the short ones. */
const mostReaders = 2;
const mostWaiting = 1000;
/** D4: longest time of a read, from when it is asked for. */
const limitMs = 5000;

/** Threads are started when they are needed: a command that never reads apart does without. The file must exist. */
export function createReaderPool(options: ReaderOptions): ReaderPool {
  const readers = new Set<Reader>();
  let queue: Waiting[] = [];
  let closing: Promise<void> | undefined;

  const start = (): Reader => {
    const worker = new Worker(new URL("./reader-thread.ts", import.meta.url), { workerData: options });
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const reader: Reader = { worker, current: undefined, ended };
    const finish = (settle: (waiting: Waiting) => void) => {
      const done = reader.current;
      reader.current = undefined;
      if (done) settle(done);
    };
    const lose = (why: string, cause?: unknown) => {
      readers.delete(reader);
      finish(({ reject }) => reject(new StorageError("unavailable", why, { cause })));
    };
    worker.on("message", (reply: ReaderReply) => {
      finish(({ resolve, reject }) => {
        if (reply.type === "rows") resolve(reply.rows);
        else reject(new StorageError(reply.kind, reply.message));
      });
      next();
    });
    worker.on("error", (error) => lose("A reader thread failed", error));
    worker.on("exit", () => {
      lose("A reader thread ended by itself");
      resolve();
      next();
    });
    readers.add(reader);
    return reader;
  };

  const idle = (): Reader | undefined => {
    for (const reader of readers) if (!reader.current) return reader;
    return readers.size < mostReaders ? start() : undefined;
  };

  const next = () => {
    queue = queue.filter(({ over }) => !over);
    while (queue.length > 0) {
      const reader = closing ? undefined : idle();
      const waiting = reader && queue.shift();
      if (!reader || !waiting) return;
      reader.current = waiting;
      const request: ReaderRequest = { type: "read", sql: waiting.sql, parameters: waiting.parameters };
      try {
        reader.worker.postMessage(request);
      } catch (cause) {
        // A value that cannot be handed over, which no column could hold either.
        reader.current = undefined;
        waiting.reject(new StorageError("statement", String(cause), { cause }));
      }
    }
  };

  return {
    read(sql, parameters) {
      if (closing) return Promise.reject(new StorageError("closed", "The database is closed"));
      if (queue.length >= mostWaiting)
        return Promise.reject(new StorageError("queue_full", "Too many reads are waiting"));
      const { promise, resolve, reject } = Promise.withResolvers<Rows>();
      const waiting: Waiting = { sql, parameters, resolve, reject, over: false };
      const limit = setTimeout(() => {
        waiting.over = true;
        reject(new StorageError("unavailable", `The read took longer than ${limitMs} ms`));
      }, limitMs);
      queue.push(waiting);
      next();
      return promise.finally(() => clearTimeout(limit));
    },
    close() {
      closing ??= (async () => {
        const refused = queue;
        queue = [];
        for (const { reject } of refused) reject(new StorageError("closed", "The database is closed"));
        const request: ReaderRequest = { type: "close" };
        for (const { worker } of readers) worker.postMessage(request);
        await Promise.all([...readers].map(({ ended }) => ended));
      })();
      return closing;
    },
  };
}
