import type { Database } from "../storage/database.ts";
import type { CallRecord } from "./call-record.ts";

/** The names of what calls speak of by id. */
export interface CallNames {
  /** Of access keys by their id; one that is not there any more has none. */
  keys: ReadonlyMap<string, string>;
  /** Of accounts by their id. */
  accounts: ReadonlyMap<string, string>;
}

/** The names of the keys and accounts of some calls, whatever their number in two reads. */
export async function namesOf(
  { read }: Pick<Database, "read">,
  calls: readonly Pick<CallRecord, "accessKeyId" | "accountId">[],
): Promise<CallNames> {
  const keyIds = [...new Set(calls.map(({ accessKeyId }) => accessKeyId))];
  const accountIds = [...new Set(calls.map(({ accountId }) => accountId))];
  if (keyIds.length === 0) return { keys: new Map(), accounts: new Map() };
  const [keys, accounts] = await Promise.all([
    read.selectFrom("access_key").select(["id", "name"]).where("id", "in", keyIds).execute(),
    read.selectFrom("account").select(["id", "name"]).where("id", "in", accountIds).execute(),
  ]);
  return { keys: nameById(keys), accounts: nameById(accounts) };
}

function nameById(rows: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
