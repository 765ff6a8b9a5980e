import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import type { AccessKeyState, KeyPurpose, Schema } from "../storage/schema.ts";
import type { AccessKeyInfo } from "./access-key-row.ts";
import { keyInfos, keyRowsById } from "./access-key-rows.ts";

/** `newest`: by their making. `used`: by their last use, the latest first, keys that were never used at the end. */
type KeyOrder = "newest" | "name" | "used";

/** A place in a list: what the list is ordered by, and the id of the key that stands there. */
export interface KeyPlace {
  place: string | number;
  id: string;
}

export interface ListAccessKeysOptions {
  accountId: string;
  purpose: KeyPurpose;
  /** Keys of this state, where `enabled` ones have not expired; absent: all that are not revoked. */
  state?: AccessKeyState | undefined;
  order: KeyOrder;
  /** The begin of a name, in whatever case (of A to Z), or of a public id. */
  search?: string | undefined;
  /** Where the page before ended, in a list of the same filter and order. */
  after?: KeyPlace | undefined;
  limit: number;
  /** Unix milliseconds. */
  now: number;
}

export interface AccessKeyPage {
  keys: AccessKeyInfo[];
  /** The place of the last key, where there are more; null at the end of the list. */
  next: KeyPlace | null;
}

/**
 * A page of an account's keys. What it costs does not grow with their number: each state is an index of its own in the
 * order of the list, and the page is taken from the begins of those that are wanted. A search is ordered by name, whatever
 * `order` says.
 */
export async function listAccessKeys(
  database: Pick<Database, "read">,
  options: ListAccessKeysOptions,
): Promise<AccessKeyPage> {
  const { search, limit, now } = options;
  const order = search === undefined ? options.order : "name";
  const branches = search === undefined ? walksOf(database, options) : searchesOf(database, options, search);
  const [first, ...others] = branches.map((branch) =>
    database.read.selectFrom(onePage(branch, { ...options, order }).as("branch")).select(["branch.id", "branch.place"]),
  );
  if (!first) throw new Error("Every state has a walk");
  const direction = directionOf(order);
  // Not `union all`: a key may be found by its name and by its public id.
  const places = await others
    .reduce((all, branch) => all.union(branch), first)
    .orderBy("place", direction)
    .orderBy("id", direction)
    .limit(limit + 1)
    .execute();
  const shown = places.slice(0, limit);
  const last = shown.at(-1);
  if (!last) return { keys: [], next: null };
  const rows = await keyRowsById(
    database,
    shown.map(({ id }) => id),
  );
  const infos = new Map((await keyInfos(database, rows, now)).map((info) => [info.id, info]));
  return {
    keys: shown.flatMap(({ id }) => infos.get(id) ?? []),
    next: places.length > limit ? { place: last.place, id: last.id } : null,
  };
}

type Branch = SelectQueryBuilder<Schema, "access_key", Record<never, never>>;

/** In the words of the indexes, which SQLite compares. */
const places: Record<KeyOrder, RawBuilder<string | number>> = {
  newest: sql`created_at`,
  name: sql`lower(name)`,
  used: sql`coalesce(last_used_at, 0)`,
};

function directionOf(order: KeyOrder): "asc" | "desc" {
  return order === "name" ? "asc" : "desc";
}

/** The begin of a branch behind the place that the list has reached, one more than fit on a page. */
function onePage(branch: Branch, { order, after, limit }: ListAccessKeysOptions) {
  const place = places[order];
  const direction = directionOf(order);
  let page = branch
    .select(["id", place.as("place")])
    .orderBy(place, direction)
    .orderBy("id", direction);
  if (after) {
    const [upTo, beyond] = direction === "asc" ? [sql`>=`, sql`>`] : [sql`<=`, sql`<`];
    page = page
      .where(sql<SqlBool>`${place} ${upTo} ${after.place}`)
      .where(sql<SqlBool>`(${place} ${beyond} ${after.place} or id ${beyond} ${after.id})`);
  }
  return page.limit(limit + 1);
}

/** The conditions under which keys are in the wanted state, each one range of the indexes. */
function walksOf(
  { read }: Pick<Database, "read">,
  { accountId, purpose, state, now }: ListAccessKeysOptions,
): Branch[] {
  const stored = (value: AccessKeyState) =>
    read
      .selectFrom("access_key")
      .where("account_id", "=", accountId)
      .where("purpose", "=", purpose)
      .where("state", "=", value);
  switch (state) {
    case undefined:
      return [stored("enabled"), stored("disabled"), stored("expired")];
    case "enabled":
      return [stored("enabled").where("expires_at", "is", null), stored("enabled").where("expires_at", ">", now)];
    case "expired":
      return [stored("enabled").where("expires_at", "<=", now), stored("expired")];
    case "disabled":
    case "revoked":
      return [stored(state)];
  }
}

/** The shortest begin of a public id that is looked for: of four hundred thousand keys two have it. */
const shortestId = 3;

function searchesOf(database: Pick<Database, "read">, options: ListAccessKeysOptions, search: string): Branch[] {
  const name = lowerCase(search);
  const byName = walksOf(database, options).map((branch) =>
    branch
      .where(sql<SqlBool>`lower(name) >= ${name}`)
      // No text that begins so comes behind it.
      .where(sql<SqlBool>`lower(name) < ${`${name}\u{10FFFF}`}`),
  );
  const id = /^(?:ilk_)?([0-9A-Za-z]{1,10})(?:_.*)?$/s.exec(search)?.[1] ?? search;
  if (id.length < shortestId) return byName;
  const { accountId, purpose, state, now } = options;
  let byId: Branch = database.read
    .selectFrom("access_key")
    .where("public_id", ">=", id)
    .where("public_id", "<", `${id}~`)
    // Spelt so that the index of the public id is the only way.
    .where(sql<SqlBool>`account_id || '' = ${accountId}`)
    .where(sql<SqlBool>`purpose || '' = ${purpose}`);
  switch (state) {
    case undefined:
      byId = byId.where(sql<SqlBool>`state || '' <> 'revoked'`);
      break;
    case "enabled":
      byId = byId.where(sql<SqlBool>`state || '' = 'enabled' and (expires_at is null or expires_at > ${now})`);
      break;
    case "expired":
      byId = byId.where(sql<SqlBool>`(state || '' = 'expired' or state || '' = 'enabled' and expires_at <= ${now})`);
      break;
    case "disabled":
    case "revoked":
      byId = byId.where(sql<SqlBool>`state || '' = ${state}`);
  }
  return [...byName, byId];
}

/** As both engines do it: A to Z alone. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
