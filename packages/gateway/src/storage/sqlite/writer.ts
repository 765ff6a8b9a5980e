import { Worker } from "node:worker_threads";
import { StorageError } from "../database.ts";
import { createWriteQueue, type UnitOutcome, type WriteQueue } from "../write-queue.ts";
import { createGroupPacker } from "./packed-group.ts";
import type { WriterOptions, WriterReply, WriterRequest } from "./writer-messages.ts";

/** Starts the writer thread over the file; resolves when its tables are up to date. One group is under way at a time. */
export function startWriter(options: WriterOptions): Promise<WriteQueue> {
  const worker = new Worker(new URL("./writer-thread.ts", import.meta.url), { workerData: options });
  const pack = createGroupPacker();
  const post = (request: WriterRequest) => worker.postMessage(request);
  let committed: ((outcomes: readonly UnitOutcome[]) => void) | undefined;
  let ended: (() => void) | undefined;
  const queue = createWriteQueue({
    lanes: 1,
    commit: (units) =>
      new Promise((resolve) => {
        committed = resolve;
        post({ type: "commit", group: pack(units.map(({ unit }) => unit)) });
      }),
    release: () =>
      new Promise((resolve) => {
        ended = resolve;
        post({ type: "close" });
      }),
  });

  return new Promise((resolve, reject) => {
    let closed = false;
    worker.on("message", (reply: WriterReply) => {
      switch (reply.type) {
        case "ready":
          resolve(queue);
          return;
        case "committed":
          committed?.(reply.outcomes);
          return;
        case "fatal": {
          const error = new StorageError(reply.kind, reply.message);
          queue.fail(error);
          reject(error);
          return;
        }
        case "closed":
          closed = true;
      }
    });
    worker.on("error", (error) => {
      const fatal = new StorageError("fatal", "The writer thread failed", { cause: error });
      queue.fail(fatal);
      reject(fatal);
    });
    worker.on("exit", () => {
      if (closed) ended?.();
      else queue.fail(new StorageError("fatal", "The writer thread ended by itself"));
    });
  });
}
