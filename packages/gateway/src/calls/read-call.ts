import type { Database } from "../storage/database.ts";
import type { CallRecord } from "./call-record.ts";
import { attemptOf, callColumns, callOf } from "./call-row.ts";

/** One recorded call with its attempts; undefined when there is none of this id, or it is not of the account asked for (A7). */
export async function readCall(
  { read }: Pick<Database, "read">,
  id: string,
  { accountId }: { accountId?: string } = {},
): Promise<CallRecord | undefined> {
  const row = await read.selectFrom("call").select(callColumns).where("id", "=", id).executeTakeFirst();
  if (!row || (accountId !== undefined && row.account_id !== accountId)) return undefined;
  const attempts = await read.selectFrom("attempt").selectAll().where("call_id", "=", id).orderBy("number").execute();
  return callOf(row, attempts.map(attemptOf));
}
