import { parentPort, workerData } from "node:worker_threads";
import { classifyError } from "./classify-error.ts";
import { openReadConnection } from "./connection.ts";
import type { ReaderOptions, ReaderReply, ReaderRequest } from "./reader-messages.ts";
import { createStatementCache, inputValues } from "./statement-cache.ts";

/*
 * The entry of a reader thread: reads that may take long run here, so that they hold up no call (D4). Started by
 * reader-pool.ts.
 */

if (!parentPort) throw new Error("A reader thread is started by the gateway, not by hand");
const port = parentPort;

// reader-pool.ts is the only one who starts this thread, and hands in exactly this type.
const { path } = workerData as ReaderOptions;
const database = openReadConnection(path);
// In KiB. Sums over many calls go through more pages than the default keeps.
database.exec("PRAGMA cache_size = -32768");
const prepare = createStatementCache(database);

function answer(sql: string, parameters: readonly unknown[]): ReaderReply {
  try {
    return { type: "rows", rows: prepare(sql).statement.all(...inputValues(parameters)) };
  } catch (error) {
    return {
      type: "failed",
      kind: classifyError(error),
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

port.on("message", (request: ReaderRequest) => {
  switch (request.type) {
    case "read":
      port.postMessage(answer(request.sql, request.parameters));
      return;
    case "close":
      database.close();
      port.close();
  }
});
