import type { Database } from "./database.ts";

/** The same database, where every read is one apart: for whoever never stands in the path of a call. */
export function readingApart(database: Database): Database {
  return { ...database, read: database.readApart };
}
