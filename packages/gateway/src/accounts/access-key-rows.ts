import { type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { type AccessKeyInfo, infoOf } from "./access-key-row.ts";
import { AccountsError } from "./accounts-error.ts";

/* How keys are looked up. */

/** Which key is meant: its id, public id or name. Where an account is given, keys of other accounts do not exist (A7). */
export type KeyReference = string | { key: string; accountId: string };

/** A key's row, with the name of its account. */
export type NamedKeyRow = AccessKeyTable & { account_name: string };

type Reader = Pick<Database, "read">;

function keyRows({ read }: Reader) {
  return read
    .selectFrom("access_key")
    .innerJoin("account", "account.id", "access_key.account_id")
    .selectAll("access_key")
    .select("account.name as account_name");
}

/** All keys, or those of one account by its id, oldest first. */
export function allKeyRows(database: Reader, accountId: string | undefined): Promise<NamedKeyRow[]> {
  const rows = keyRows(database).orderBy("access_key.created_at").orderBy("access_key.id");
  return (accountId === undefined ? rows : rows.where("access_key.account_id", "=", accountId)).execute();
}

/** The keys with these ids, in no order. */
export function keyRowsById(database: Reader, ids: readonly string[]): Promise<NamedKeyRow[]> {
  return keyRows(database).where("access_key.id", "in", ids).execute();
}

/** The one key that can be meant. Rejects with an AccountsError where there is none, or more than one. */
export async function findKeyRow(database: Reader, reference: KeyReference): Promise<NamedKeyRow> {
  const { key, accountId } = typeof reference === "string" ? { key: reference, accountId: undefined } : reference;
  const found = await rowsOfReference(database, key, accountId);
  // A name that is used again means the key that can be used.
  const usable = found.length > 1 ? found.filter((row) => row.state !== "revoked") : found;
  const [row] = usable;
  if (!row) throw new AccountsError("unknown", `There is no access key "${key}"`);
  if (usable.length > 1) {
    const ids = usable.map(({ id }) => id).join(", ");
    throw new AccountsError("ambiguous", `Several access keys are named "${key}": use one of ${ids}`);
  }
  return row;
}

function rowsOfReference(database: Reader, key: string, accountId: string | undefined): Promise<NamedKeyRow[]> {
  // Each way by an index of its own, whatever the number of keys. Not `union`, for which SQLite would walk in the order of ids.
  let query = keyRows(database).where("access_key.id", "in", (nested) => {
    let named = nested.selectFrom("access_key").select("id").where("name", "=", key);
    if (accountId !== undefined) named = named.where("account_id", "=", accountId);
    return named
      .unionAll(nested.selectFrom("access_key").select("id").where("id", "=", key))
      .unionAll(nested.selectFrom("access_key").select("id").where("public_id", "=", key));
  });
  // Spelt so that the engine does not walk through all keys of the account instead.
  if (accountId !== undefined) query = query.where(sql<SqlBool>`access_key.account_id || '' = ${accountId}`);
  return query.orderBy("access_key.created_at").orderBy("access_key.id").execute();
}

/** Whether a key of the account that is not revoked has the name. */
export async function isNameTaken({ read }: Reader, accountId: string, name: string): Promise<boolean> {
  const row = await read
    .selectFrom("access_key")
    .select("id")
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .where("state", "!=", "revoked")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** More keys than this are not named one by one in a query. */
const mostNamed = 500;

/** The keys of the rows as they may be shown, in the same order. `now` in unix milliseconds. */
export async function keyInfos({ read }: Reader, rows: readonly NamedKeyRow[], now: number): Promise<AccessKeyInfo[]> {
  if (rows.length === 0) return [];
  let query = read
    .selectFrom("former_secret")
    .select(["access_key_id", "public_id", "expires_at"])
    .where("expires_at", ">", now);
  if (rows.length <= mostNamed) {
    query = query.where(
      "access_key_id",
      "in",
      rows.map(({ id }) => id),
    );
  }
  const former = await query.orderBy("expires_at").orderBy("public_id").execute();
  const byKey = Map.groupBy(former, (secret) => secret.access_key_id);
  return rows.map((row) => {
    const secrets = (byKey.get(row.id) ?? []).map((each) => ({ publicId: each.public_id, expiresAt: each.expires_at }));
    return infoOf(row, row.account_name, secrets, now);
  });
}
