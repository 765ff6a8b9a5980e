import { StorageError } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { insertKey } from "./example-rows.ts";

/* Writes until the disk refuses, then reports as JSON what the database said and how many writes it acknowledged. */

const database = await openDatabase({ kind: "sqlite", path: process.argv[2] ?? "" });
const told: string[] = [];
database.onFatal((error) => told.push(error.kind));
const kindOf = (error: unknown) => (error instanceof StorageError ? error.kind : String(error));

let acknowledged = 0;
let first = "none";
while (first === "none") {
  try {
    await database.write([insertKey(database, `k${acknowledged}`, { name: "x".repeat(4096) })]);
    acknowledged += 1;
  } catch (error) {
    first = kindOf(error);
  }
}
const later = await database.write([insertKey(database, "later")]).then(() => "written", kindOf);
process.stdout.write(JSON.stringify({ first, later, told, acknowledged }));
process.exit();
