import { parentPort, workerData } from "node:worker_threads";
import { StorageError } from "../database.ts";
import { classifyError } from "./classify-error.ts";
import { commitGroup } from "./commit-group.ts";
import { defineTransactionTime, keepUndoInMemory, openWriteConnection } from "./connection.ts";
import { bringUpToDate } from "./migrate.ts";
import { createGroupUnpacker } from "./packed-group.ts";
import { createStatementCache } from "./statement-cache.ts";
import type { WriterOptions, WriterReply, WriterRequest } from "./writer-messages.ts";

/*
 * The entry of the writer thread: it alone holds the connection that writes (D4), so that waiting for the disk stops
 * no call. Started by writer.ts.
 */

if (!parentPort) throw new Error("The writer thread is started by the gateway, not by hand");
const port = parentPort;
const reply = (message: WriterReply) => port.postMessage(message);

function giveUp(error: unknown): void {
  const kind = error instanceof StorageError ? error.kind : classifyError(error);
  // Whatever else keeps the database from opening (no such directory, no right) leaves nothing to go on with.
  const told = kind === "statement" ? "fatal" : kind;
  reply({ type: "fatal", kind: told, message: error instanceof Error ? error.message : String(error) });
  port.close();
}

try {
  // writer.ts is the only one who starts this thread, and hands in exactly this type.
  const { path } = workerData as WriterOptions;
  const database = openWriteConnection(path);
  await bringUpToDate(database);
  keepUndoInMemory(database);
  const prepare = createStatementCache(database);
  const unpack = createGroupUnpacker();
  // The database's own time (M16): of this machine, taken once a group.
  let begun = Date.now();
  defineTransactionTime(database, () => begun);

  port.on("message", (request: WriterRequest) => {
    switch (request.type) {
      case "commit":
        begun = Date.now();
        try {
          reply({ type: "committed", outcomes: commitGroup(database, prepare, unpack(request.group)) });
        } catch (error) {
          giveUp(error);
        }
        return;
      case "close":
        database.close();
        reply({ type: "closed" });
        port.close();
    }
  });
  reply({ type: "ready" });
} catch (error) {
  giveUp(error);
}
