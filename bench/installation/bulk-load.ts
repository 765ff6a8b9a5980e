import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** Inserts one row of a table; the values in the order of its columns. */
type Insert = (...values: SQLInputValue[]) => void;

/** A SQLite file that is being filled: not durable, not checked, and without indexes until it is done. */
export interface BulkLoad {
  insert(table: string, columns: readonly string[]): Insert;
  run(sql: string, ...values: SQLInputValue[]): void;
}

/** Tables that get most rows: their indexes are made at the end, which is several times as fast. */
const crowded = ["call", "attempt", "ledger_entry", "access_key", "reservation", "usage_hour", "quota_usage"];

/** Fills an up-to-date file that nobody else has open. */
export function bulkLoad(path: string, fill: (load: BulkLoad) => void): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    database.exec(
      "pragma journal_mode = delete; pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive",
    );
    database.exec("pragma cache_size = -300000; pragma temp_store = memory");
    const indexes = database
      .prepare(
        "select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (select value from json_each(?))",
      )
      .all(JSON.stringify(crowded));
    for (const { name } of indexes) database.exec(`drop index "${String(name)}"`);
    database.exec("begin");
    fill({
      insert(table, columns) {
        const places = columns.map(() => "?").join(", ");
        const statement = database.prepare(`insert into "${table}" (${columns.join(", ")}) values (${places})`);
        return (...values) => void statement.run(...values);
      },
      run: (sql, ...values) => void database.prepare(sql).run(...values),
    });
    database.exec("commit");
    for (const { sql } of indexes) database.exec(String(sql));
    database.exec("pragma journal_mode = wal");
  } finally {
    database.close();
  }
}
