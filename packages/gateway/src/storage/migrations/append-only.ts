import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Triggers that refuse to change or to remove a row, whoever asks (M14). Corrections are new rows. */
export async function appendOnly(database: Kysely<unknown>, table: string): Promise<void> {
  const message = `${table} is append-only`;
  if (database.getExecutor().adapter instanceof PostgresAdapter) {
    const refuse = sql.id(`${table}_refuse_change`);
    await sql`
      create function ${refuse}() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception '${message}' using errcode = 'restrict_violation'; end`)}`.execute(database);
    await sql`
      create trigger ${sql.id(`${table}_append_only`)} before update or delete on ${sql.table(table)}
      for each row execute function ${refuse}()`.execute(database);
    await sql`
      create trigger ${sql.id(`${table}_no_truncate`)} before truncate on ${sql.table(table)}
      for each statement execute function ${refuse}()`.execute(database);
    return;
  }
  for (const event of ["update", "delete"]) {
    await sql`
      create trigger ${sql.id(`${table}_no_${event}`)} before ${sql.raw(event)} on ${sql.table(table)}
      begin select raise(abort, ${sql.lit(message)}); end`.execute(database);
  }
}
