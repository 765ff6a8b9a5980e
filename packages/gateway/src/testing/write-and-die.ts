import { createCallRecorder } from "../calls/call-recorder.ts";
import { openDatabase } from "../storage/open-database.ts";
import { exampleCall, insertKey } from "./example-rows.ts";

/* A process that dies by SIGKILL in the very turn in which its record was declared durable. */

const database = await openDatabase(JSON.parse(process.argv[2] ?? ""));
await database.write([insertKey(database, "key_1")]);
await database.write(createCallRecorder(database).statements(exampleCall({ id: "call_last" })));
process.kill(process.pid, "SIGKILL");
