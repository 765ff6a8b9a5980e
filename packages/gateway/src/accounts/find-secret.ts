import { sql } from "kysely";
import { type AddressFilter, createAddressFilter } from "../config/address-ranges.ts";
import type { KeyLimits } from "../config/config.ts";
import type { Database } from "../storage/database.ts";
import type { AccessKeyState } from "../storage/schema.ts";
import { listOf, ownLimits, quotaOf } from "./access-key-row.ts";
import type { AuthenticatedKey } from "./auth-result.ts";
import { createModelFilter } from "./model-filter.ts";

/** A secret that was found by its public id, and all that decides about the key behind it. */
export interface FoundSecret {
  digest: Uint8Array;
  /** When this secret ends, where a rotation has replaced it. Unix milliseconds. */
  secretExpiresAt: number | null;
  state: AccessKeyState;
  expiresAt: number | null;
  lastUsedAt: number | null;
  accountState: "active" | "suspended";
  key: AuthenticatedKey;
}

/**
 * Looks up a key by the public id of its secret, or of a former one, in one indexed read (A4). `defaults` are the limits
 * of a key that has none of its own. Rejects with a StorageError when the database cannot be asked.
 */
export async function findSecret(
  database: Pick<Database, "read">,
  publicId: string,
  defaults: KeyLimits,
): Promise<FoundSecret | undefined> {
  const row = await database.read
    .selectFrom((query) =>
      query
        .selectFrom("access_key")
        .select(["id", "digest", sql<number | null>`cast(null as bigint)`.as("secret_expires_at")])
        .where("public_id", "=", publicId)
        .unionAll(
          query
            .selectFrom("former_secret")
            .select(["access_key_id as id", "digest", "expires_at as secret_expires_at"])
            .where("public_id", "=", publicId),
        )
        .as("secret"),
    )
    .innerJoin("access_key as key", "key.id", "secret.id")
    .innerJoin("account", "account.id", "key.account_id")
    .select(["secret.digest", "secret.secret_expires_at"])
    .select([
      "key.id",
      "key.name",
      "key.state",
      "key.lossy",
      "key.expires_at",
      "key.last_used_at",
      "key.models",
      "key.addresses",
    ])
    .select(["key.requests_per_minute", "key.tokens_per_minute", "key.concurrency"])
    .select(["key.quota", "key.quota_period", "key.content_logging", "key.account_id"])
    // Never the balance: what is in memory decides about no money (M10).
    .select(["account.name as account_name", "account.state as account_state", "account.billing", "account.markup_ppm"])
    .select([
      "account.requests_per_minute as account_requests",
      "account.tokens_per_minute as account_tokens",
      "account.concurrency as account_concurrency",
    ])
    .executeTakeFirst();
  if (!row) return undefined;
  const accountLimits = ownLimits({
    requests_per_minute: row.account_requests,
    tokens_per_minute: row.account_tokens,
    concurrency: row.account_concurrency,
  });
  return {
    digest: row.digest,
    secretExpiresAt: row.secret_expires_at,
    state: row.state,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    accountState: row.account_state,
    key: {
      id: row.id,
      name: row.name,
      accountId: row.account_id,
      account: {
        id: row.account_id,
        name: row.account_name,
        billing: row.billing,
        markupPpm: row.markup_ppm,
        limits: accountLimits,
      },
      lossy: row.lossy,
      limits: { ...defaults, ...ownLimits(row) },
      models: filterOf(row.models, createModelFilter),
      addresses: filterOf<AddressFilter>(row.addresses, createAddressFilter),
      quota: quotaOf(row),
      contentLogging: row.content_logging === 1,
    },
  };
}

function filterOf<Filter>(column: string | null, make: (entries: readonly string[]) => Filter): Filter | null {
  const entries = listOf(column);
  return entries === null ? null : make(entries);
}
