import { type ColumnDefinitionBuilder, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createAuditLog } from "./audit-chain.ts";
import { columnTypes } from "./column-types.ts";

/**
 * Users of the console, how they sign in, what they may do, and the audit log. The tables `user`, `user_session`,
 * `user_credential`, `user_verification`, `user_two_factor` and `user_passkey` are those that the sign-in library writes
 * (management/sign-in-tables.ts names them for it); a test compares them with what it expects.
 */
export const users: Migration = {
  async up(database: Kysely<unknown>) {
    const { text, integer, blob, endOfTable } = columnTypes(database);
    const given = (column: ColumnDefinitionBuilder) => column.notNull();
    const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull();
    const ofUser = (column: ColumnDefinitionBuilder) => column.notNull().references("user.id").onDelete("cascade");
    const flag = (name: string) => (column: ColumnDefinitionBuilder) =>
      column.notNull().check(sql`${sql.ref(name)} in (0, 1)`);

    await database.schema
      .createTable("user")
      .addColumn("id", text, key)
      .addColumn("name", text, given)
      // In lower case.
      .addColumn("email", text, (column) => column.notNull().unique())
      .addColumn("email_verified", integer, flag("email_verified"))
      .addColumn("image", text)
      .addColumn("two_factor_enabled", integer, (column) => flag("two_factor_enabled")(column).defaultTo(0))
      .addColumn("operator", integer, (column) => flag("operator")(column).defaultTo(0))
      .addColumn("disabled_at", integer)
      .addColumn("created_at", integer, given)
      .addColumn("updated_at", integer, given)
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("user_session")
      .addColumn("id", text, key)
      // SHA-256 of the token, base64url: the token itself is in the cookie alone.
      .addColumn("token", text, (column) => column.notNull().unique())
      .addColumn("user_id", text, ofUser)
      .addColumn("created_at", integer, given)
      .addColumn("updated_at", integer, given)
      .addColumn("expires_at", integer, given)
      .addColumn("seen_at", integer, given)
      .addColumn("ip_address", text)
      .addColumn("user_agent", text)
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("user_credential")
      .addColumn("id", text, key)
      .addColumn("user_id", text, ofUser)
      .addColumn("provider_id", text, given)
      .addColumn("account_id", text, given)
      .addColumn("password", text)
      .addColumn("access_token", text)
      .addColumn("refresh_token", text)
      .addColumn("id_token", text)
      .addColumn("access_token_expires_at", integer)
      .addColumn("refresh_token_expires_at", integer)
      .addColumn("scope", text)
      .addColumn("created_at", integer, given)
      .addColumn("updated_at", integer, given)
      // One person at a provider is one user here.
      .addUniqueConstraint("user_credential_once", ["provider_id", "account_id"])
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("user_verification")
      .addColumn("id", text, key)
      .addColumn("identifier", text, given)
      .addColumn("value", text, given)
      .addColumn("expires_at", integer, given)
      .addColumn("created_at", integer, given)
      .addColumn("updated_at", integer, given)
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("user_two_factor")
      .addColumn("id", text, key)
      .addColumn("user_id", text, (column) => ofUser(column).unique())
      .addColumn("secret", text, given)
      .addColumn("backup_codes", text, given)
      .addColumn("verified", integer, (column) => column.check(sql`verified in (0, 1)`))
      .addColumn("failed_verification_count", integer)
      .addColumn("locked_until", integer)
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("user_passkey")
      .addColumn("id", text, key)
      .addColumn("user_id", text, ofUser)
      .addColumn("name", text)
      .addColumn("public_key", text, given)
      .addColumn("credential_id", text, (column) => column.notNull().unique())
      .addColumn("counter", integer, given)
      .addColumn("device_type", text, given)
      .addColumn("backed_up", integer, flag("backed_up"))
      .addColumn("transports", text)
      .addColumn("aaguid", text)
      .addColumn("created_at", integer)
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("membership")
      .addColumn("user_id", text, ofUser)
      .addColumn("account_id", text, (column) => column.notNull().references("account.id"))
      .addColumn("role", text, (column) => column.notNull().check(sql`role in ('owner', 'member', 'viewer')`))
      .addColumn("created_at", integer, given)
      .addPrimaryKeyConstraint("membership_key", ["user_id", "account_id"])
      .modifyEnd(endOfTable)
      .execute();

    await database.schema
      .createTable("setup_token")
      .addColumn("digest", blob, (column) => column.primaryKey().check(sql`length(digest) = 32`))
      .addColumn("created_at", integer, given)
      .addColumn("expires_at", integer, given)
      .addColumn("used_at", integer)
      .modifyEnd(endOfTable)
      .execute();

    for (const [table, column] of [
      ["user_session", "user_id"],
      ["user_session", "expires_at"],
      ["user_credential", "user_id"],
      ["user_verification", "identifier"],
      ["user_verification", "expires_at"],
      ["user_passkey", "user_id"],
      ["membership", "account_id"],
    ] as const) {
      await database.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
    }
    await createAuditLog(database);
  },
};
