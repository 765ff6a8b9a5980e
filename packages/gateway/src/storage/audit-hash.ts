import { createHash } from "node:crypto";

/** What stands before the first entry of the audit log. */
export const auditGenesis = "0".repeat(64);

/** The columns that an entry's hash covers, in this order, behind the hash of the entry before it. */
export const auditedColumns = [
  "sequence",
  "id",
  "at",
  "actor_kind",
  "actor_id",
  "actor_name",
  "address",
  "action",
  "target_kind",
  "target_id",
  "account_id",
  "detail",
] as const;

/**
 * SHA-256, as 64 hexadecimal digits, over the hash before and the values of one entry. Each value is preceded by its
 * length in characters, so that no two entries make the same text; PostgreSQL does the same in `audit_hash` of migration
 * 0004.
 */
export function auditHash(previous: string, values: readonly (string | number | bigint | null)[]): string {
  const hash = createHash("sha256");
  for (const value of [previous, ...values]) hash.update(part(value));
  return hash.digest("hex");
}

function part(value: string | number | bigint | null): string {
  if (value === null) return "-";
  const text = String(value);
  // Characters are counted as databases count them: a pair of surrogates is one.
  let length = 0;
  for (const _ of text) length += 1;
  return `${length}:${text}`;
}
