import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { columnTypes } from "./column-types.ts";

/** Tokens by which programs use the management API, and the first answers to requests that may be sent again. */
export const managementApi: Migration = {
  async up(database: Kysely<unknown>) {
    const { text, integer, blob, endOfTable } = columnTypes(database);
    await database.schema
      .createTable("api_token")
      .addColumn("id", text, (column) => column.primaryKey().notNull())
      .addColumn("digest", blob, (column) => column.notNull().unique().check(sql`length(digest) = 32`))
      .addColumn("tail", text, (column) => column.notNull())
      .addColumn("user_id", text, (column) => column.notNull().references("user.id").onDelete("cascade"))
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("access", text, (column) => column.notNull().check(sql`access in ('read', 'write')`))
      .addColumn("role", text, (column) =>
        column.notNull().check(sql`role in ('viewer', 'member', 'owner', 'operator')`),
      )
      // JSON list of account ids; null: the whole installation.
      .addColumn("account_ids", text)
      .addColumn("created_at", integer, (column) => column.notNull())
      .addColumn("expires_at", integer)
      .addColumn("last_used_at", integer)
      .addCheckConstraint("api_token_scope", sql`(role = 'operator') = (account_ids is null)`)
      .modifyEnd(endOfTable)
      .execute();
    await database.schema.createIndex("api_token_by_user").on("api_token").columns(["user_id", "id"]).execute();
    await database.schema
      .createTable("first_answer")
      // SHA-256 of who asked, for what, under which key.
      .addColumn("request", blob, (column) => column.primaryKey().check(sql`length(request) = 32`))
      .addColumn("body_digest", blob, (column) => column.notNull().check(sql`length(body_digest) = 32`))
      .addColumn("created_at", integer, (column) => column.notNull())
      // Null while the first one is under way. The answer is sealed: it may tell a secret that is shown once.
      .addColumn("answer", blob)
      .modifyEnd(endOfTable)
      .execute();
    await database.schema.createIndex("first_answer_by_created_at").on("first_answer").column("created_at").execute();
  },
};
