import type { KeyLimits } from "../config/config.ts";
import type { AccessKeyState, AccessKeyTable, KeyPurpose } from "../storage/schema.ts";
import type { KeyQuota } from "./auth-result.ts";

/* What columns of a key and an account hold, and the other way round. */

/** New limits: a number sets one, null takes it back, what is absent stays. */
export type LimitChange = { [Limit in keyof KeyLimits]?: number | null };

export type LimitColumns = Pick<AccessKeyTable, "requests_per_minute" | "tokens_per_minute" | "concurrency">;

/** Only the columns that the change names. */
export function limitColumns(change: LimitChange): Partial<LimitColumns> {
  const { requestsPerMinute, tokensPerMinute, concurrency } = change;
  return {
    ...(requestsPerMinute === undefined ? {} : { requests_per_minute: requestsPerMinute }),
    ...(tokensPerMinute === undefined ? {} : { tokens_per_minute: tokensPerMinute }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

/** The limits that the columns set; an absent one is not set. */
export function ownLimits(row: LimitColumns): Partial<KeyLimits> {
  return {
    ...(row.requests_per_minute === null ? {} : { requestsPerMinute: row.requests_per_minute }),
    ...(row.tokens_per_minute === null ? {} : { tokensPerMinute: row.tokens_per_minute }),
    ...(row.concurrency === null ? {} : { concurrency: row.concurrency }),
  };
}

/** The list in a JSON column; null means all. Throws on anything else: what limits a key is never read as no limit. */
export function listOf(column: string | null): string[] | null {
  if (column === null) return null;
  const list: unknown = JSON.parse(column);
  if (Array.isArray(list) && list.every((entry) => typeof entry === "string")) return list;
  throw new Error("A list of models or addresses in the table of access keys is no list of texts");
}

export function quotaOf({ quota, quota_period }: Pick<AccessKeyTable, "quota" | "quota_period">): KeyQuota | null {
  return quota === null ? null : { amount: BigInt(quota), period: quota_period ?? "total" };
}

/** An access key as it may be shown. Times in unix milliseconds. */
export interface AccessKeyInfo {
  id: string;
  /** The part of the key that is no secret: `ilk_<public id>_...`. */
  publicId: string;
  name: string;
  account: { id: string; name: string };
  /** `expired` by the clock. */
  state: AccessKeyState;
  origin: "command" | "configuration";
  purpose: KeyPurpose;
  lossy: "allow" | "refuse";
  /** Its own limits; what is absent is as the configuration says. */
  limits: Partial<KeyLimits>;
  /** Null: all. */
  models: readonly string[] | null;
  /** Null: all. */
  addresses: readonly string[] | null;
  quota: KeyQuota | null;
  contentLogging: boolean;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** Secrets that a rotation has replaced and that are still good, the one that ends first before the others. */
  formerSecrets: readonly FormerSecret[];
}

export interface FormerSecret {
  publicId: string;
  expiresAt: number;
}

export function infoOf(
  row: AccessKeyTable,
  accountName: string,
  formerSecrets: readonly FormerSecret[],
  now: number,
): AccessKeyInfo {
  const expired = row.state === "enabled" && row.expires_at !== null && now >= row.expires_at;
  return {
    id: row.id,
    publicId: row.public_id,
    name: row.name,
    account: { id: row.account_id, name: accountName },
    state: expired ? "expired" : row.state,
    origin: row.origin,
    purpose: row.purpose,
    lossy: row.lossy,
    limits: ownLimits(row),
    models: listOf(row.models),
    addresses: listOf(row.addresses),
    quota: quotaOf(row),
    contentLogging: row.content_logging === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    formerSecrets,
  };
}
