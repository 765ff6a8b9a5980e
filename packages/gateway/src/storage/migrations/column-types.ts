import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** What the two dialects spell differently in a table. */
export interface ColumnTypes {
  /** Ordered by code point in both. */
  text: "text" | RawBuilder<unknown>;
  /** 64 bits in both. */
  integer: "integer" | "bigint";
  /** 64-bit floating point in both. */
  real: "real" | "double precision";
  blob: "blob" | "bytea";
  /** Goes into `modifyEnd` of every table: SQLite checks types only in strict tables. */
  endOfTable: RawBuilder<unknown>;
  /** The key of the change sequence. */
  changeSequence: {
    before(database: Kysely<unknown>): Promise<void>;
    column(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  };
}

/** The types of the dialect that the builder speaks. */
export function columnTypes(database: Kysely<unknown>): ColumnTypes {
  return database.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
}

const sqlite: ColumnTypes = {
  text: "text",
  integer: "integer",
  real: "real",
  blob: "blob",
  endOfTable: sql`strict`,
  changeSequence: {
    before: async () => undefined,
    column: (column) => column.primaryKey().autoIncrement(),
  },
};

const postgres: ColumnTypes = {
  text: sql`text collate "C"`,
  integer: "bigint",
  real: "double precision",
  blob: "bytea",
  endOfTable: sql``,
  changeSequence: {
    /*
     * A bare sequence gives out 5 and 6 to two transactions of which 6 may commit first: who has seen 6 would never look
     * for 5, and a disabled key would go on working (A1). The lock is held until the commit, so that numbers become
     * visible in their order, whatever the replica.
     */
    async before(database) {
      await sql`create sequence change_sequence_number`.execute(database);
      await sql`
        create function next_change() returns bigint language sql volatile as $$
          select pg_advisory_xact_lock(7310042591684);
          select nextval('change_sequence_number');
        $$`.execute(database);
    },
    column: (column) => column.primaryKey().defaultTo(sql`next_change()`),
  },
};
