import { Worker } from "node:worker_threads";
import { type StatementResult, StorageError, type WriteUnit } from "../database.ts";
import type { UnitOutcome, WriterOptions, WriterReply, WriterRequest } from "./writer-messages.ts";

/** The main thread's side of the writer thread. */
export interface Writer {
  write(unit: WriteUnit): Promise<readonly StatementResult[]>;
  onFatal(listener: (error: StorageError) => void): void;
  close(): Promise<void>;
}

interface Waiting {
  unit: WriteUnit;
  resolve(results: readonly StatementResult[]): void;
  reject(error: StorageError): void;
}

/** Most writes that wait at once (M17); beyond, a write is refused at once. */
export const maxWaiting = 10_000;
/** Most units of one transaction. */
const maxGroup = 512;

/**
 * Starts the writer thread over the file; resolves when its tables are up to date. One group is under way at a time, and
 * all that is asked for meanwhile goes into the next: the slower the disk, the larger the groups.
 */
export function startWriter(options: WriterOptions): Promise<Writer> {
  const worker = new Worker(new URL("./writer-thread.ts", import.meta.url), { workerData: options });
  const listeners: ((error: StorageError) => void)[] = [];
  let queue: Waiting[] = [];
  let group: Waiting[] = [];
  let failed: StorageError | undefined;
  let closing: { promise: Promise<void>; done: () => void } | undefined;
  let scheduled = false;

  const post = (request: WriterRequest) => worker.postMessage(request);

  const sendNext = () => {
    scheduled = false;
    if (failed || group.length > 0) return;
    if (queue.length === 0) {
      if (closing) post({ type: "close" });
      return;
    }
    group = queue.slice(0, maxGroup);
    queue = queue.slice(maxGroup);
    post({ type: "commit", units: group.map((waiting) => waiting.unit) });
  };

  // What one turn of the event loop asks for goes into one group, also when the writer is idle.
  const schedule = () => {
    if (scheduled || group.length > 0) return;
    scheduled = true;
    queueMicrotask(sendNext);
  };

  const settle = (outcomes: readonly UnitOutcome[]) => {
    const settled = group;
    group = [];
    sendNext();
    for (const [index, waiting] of settled.entries()) {
      const outcome = outcomes[index];
      if (outcome?.ok) waiting.resolve(outcome.results);
      else waiting.reject(new StorageError(outcome?.kind ?? "fatal", outcome?.message ?? "The writer gave no answer"));
    }
  };

  const fail = (error: StorageError) => {
    if (failed) return;
    failed = error;
    const lost = [...group, ...queue];
    group = [];
    queue = [];
    for (const waiting of lost) waiting.reject(error);
    for (const listener of listeners) listener(error);
    closing?.done();
  };

  const writer: Writer = {
    write(unit) {
      if (failed) return Promise.reject(failed);
      if (closing) return Promise.reject(new StorageError("closed", "The database is closed"));
      if (queue.length >= maxWaiting)
        return Promise.reject(new StorageError("queue_full", "Too many writes are waiting"));
      return new Promise((resolve, reject) => {
        queue.push({ unit, resolve, reject });
        schedule();
      });
    },
    onFatal(listener) {
      if (failed) listener(failed);
      else listeners.push(listener);
    },
    close() {
      if (failed) return Promise.resolve();
      if (!closing) {
        const { promise, resolve } = Promise.withResolvers<void>();
        closing = { promise, done: resolve };
        schedule();
      }
      return closing.promise;
    },
  };

  return new Promise((resolve, reject) => {
    let closed = false;
    worker.on("message", (reply: WriterReply) => {
      switch (reply.type) {
        case "ready":
          resolve(writer);
          return;
        case "committed":
          settle(reply.outcomes);
          return;
        case "fatal": {
          const error = new StorageError(reply.kind, reply.message);
          fail(error);
          reject(error);
          return;
        }
        case "closed":
          closed = true;
      }
    });
    worker.on("error", (error) => {
      const fatal = new StorageError("fatal", "The writer thread failed", { cause: error });
      fail(fatal);
      reject(fatal);
    });
    worker.on("exit", () => {
      if (closed) closing?.done();
      else fail(new StorageError("fatal", "The writer thread ended by itself"));
    });
  });
}
