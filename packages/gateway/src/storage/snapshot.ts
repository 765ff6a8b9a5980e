import type { RawBuilder } from "kysely";
import type { Database } from "./database.ts";

/** The database as it is at one moment, whatever is written meanwhile. For long reads beside a running gateway. */
export interface Snapshot extends AsyncDisposable {
  readonly engine: Database["engine"];
  readonly read: Database["read"];
  /** What the typed builder cannot express, written with Kysely's `sql`. Rejects with a StorageError. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
}
