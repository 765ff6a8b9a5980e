import type { Platform } from "../platform.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import type { SettingColumns } from "./access-key-settings.ts";
import type { Pepper } from "./pepper.ts";

/** What makes a key the one it is. */
export interface NewKey {
  /** The key itself; only its digest gets into the row. */
  key: string;
  publicId: string;
  accountId: string;
  origin: AccessKeyTable["origin"];
}

/** The row of a new key: enabled, and without bounds where the columns set none. */
export function newAccessKeyRow(
  { pepper, platform }: { pepper: Pepper; platform: Platform },
  { key, publicId, accountId, origin }: NewKey,
  columns: SettingColumns & { name: string },
): AccessKeyTable {
  return {
    id: platform.id("key"),
    public_id: publicId,
    digest: pepper.digest(key),
    pepper_version: pepper.version,
    state: "enabled",
    origin,
    account_id: accountId,
    created_at: platform.now(),
    last_used_at: null,
    purpose: "calls",
    user_id: null,
    ...unbounded,
    ...columns,
  };
}

/** What a key is that nothing is set of. */
export const unbounded = {
  lossy: "allow",
  expires_at: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  concurrency: null,
  models: null,
  addresses: null,
  quota: null,
  quota_period: null,
  content_logging: 0,
} as const satisfies SettingColumns;
