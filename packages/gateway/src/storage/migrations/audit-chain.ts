import { type Kysely, PostgresAdapter, sql } from "kysely";
import { auditedColumns, auditGenesis } from "../audit-hash.ts";
import { appendOnly } from "./append-only.ts";
import { columnTypes } from "./column-types.ts";

/**
 * The audit log. Entries are inserted into the view `audit_entry`; a trigger numbers them, chains each to the one before
 * by its hash, and puts them into `audit_event`, which refuses every change. `audit_head` holds the newest number and
 * hash: its row is locked until the commit, so that on a server with many writers there is one chain, too.
 */
export async function createAuditLog(database: Kysely<unknown>): Promise<void> {
  const { text, integer, endOfTable } = columnTypes(database);
  await database.schema
    .createTable("audit_event")
    .addColumn("sequence", integer, (column) => column.primaryKey().notNull())
    .addColumn("id", text, (column) => column.notNull().unique())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("actor_kind", text, (column) =>
      column.notNull().check(sql`actor_kind in ('user', 'command', 'system', 'configuration')`),
    )
    .addColumn("actor_id", text)
    .addColumn("actor_name", text, (column) => column.notNull())
    .addColumn("address", text)
    .addColumn("action", text, (column) => column.notNull())
    .addColumn("target_kind", text)
    .addColumn("target_id", text)
    .addColumn("account_id", text)
    .addColumn("detail", text, (column) => column.notNull())
    .addColumn("previous_hash", text, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await database.schema
    .createIndex("audit_event_by_account")
    .on("audit_event")
    .columns(["account_id", "sequence"])
    .execute();
  await appendOnly(database, "audit_event");

  await database.schema
    .createTable("audit_head")
    .addColumn("id", integer, (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("sequence", integer, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull())
    .modifyEnd(endOfTable)
    .execute();
  await sql`insert into audit_head (id, sequence, hash) values (1, 0, ${sql.lit(auditGenesis)})`.execute(database);

  const given = sql.join(auditedColumns.slice(1).map((name) => sql.ref(name)));
  await sql`create view audit_entry as select ${given} from audit_event`.execute(database);
  if (database.getExecutor().adapter instanceof PostgresAdapter) await chainOnPostgres(database);
  else await chainOnSqlite(database);
}

/** `audit_hash` is a function of the connection that writes (sqlite/connection.ts): SQLite itself has no SHA-256. */
async function chainOnSqlite(database: Kysely<unknown>): Promise<void> {
  const given = sql.join(auditedColumns.slice(1).map((name) => sql.ref(name)));
  const values = sql.join(auditedColumns.slice(1).map((name) => sql`new.${sql.ref(name)}`));
  await sql`
    create trigger audit_entry_insert instead of insert on audit_entry
    begin
      insert into audit_event (sequence, ${given}, previous_hash, hash)
        select sequence + 1, ${values}, hash, audit_hash(hash, sequence + 1, ${values}) from audit_head where id = 1;
      update audit_head set
        hash = (select hash from audit_event where sequence = audit_head.sequence + 1),
        sequence = sequence + 1
        where id = 1;
    end`.execute(database);
}

async function chainOnPostgres(database: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_part(value text) returns text language sql immutable as
    $$ select coalesce(length(value) || ':' || value, '-') $$`.execute(database);
  await sql`
    create function audit_hash(previous text, variadic parts text[]) returns text language sql immutable as $$
      select encode(sha256(convert_to(
        audit_part(previous) ||
          (select string_agg(audit_part(part), '' order by place) from unnest(parts) with ordinality as p (part, place)),
        'UTF8')), 'hex')
    $$`.execute(database);
  const given = sql.join(auditedColumns.slice(1).map((name) => sql.ref(name)));
  const values = sql.join(auditedColumns.slice(1).map((name) => sql`new.${sql.ref(name)}`));
  const texts = sql.join(auditedColumns.slice(1).map((name) => sql`new.${sql.ref(name)}::text`));
  await sql`
    create function audit_entry_insert() returns trigger language plpgsql as $$
      declare
        head audit_head%rowtype;
        chained text;
      begin
        select * into strict head from audit_head where id = 1 for update;
        chained := audit_hash(head.hash, (head.sequence + 1)::text, ${texts});
        insert into audit_event (sequence, ${given}, previous_hash, hash)
          values (head.sequence + 1, ${values}, head.hash, chained);
        update audit_head set sequence = head.sequence + 1, hash = chained where id = 1;
        return new;
      end
    $$`.execute(database);
  await sql`
    create trigger audit_entry_insert instead of insert on audit_entry
    for each row execute function audit_entry_insert()`.execute(database);
}
