import { sql } from "kysely";
import type { Database } from "../storage/database.ts";

/** A try of a channel that failed. */
export interface ChannelError {
  callId: string;
  /** When the call began, unix milliseconds. */
  at: number;
  accountId: string;
  model: string | null;
  upstreamModel: string;
  status: number | null;
  kind: string;
  code: string | null;
}

/** The last tries of a channel that failed, the newest first. */
export async function lastErrors(
  { read }: Pick<Database, "read">,
  channel: string,
  limit: number,
): Promise<ChannelError[]> {
  const rows = await read
    .selectFrom("attempt")
    .innerJoin("call", "call.id", "attempt.call_id")
    .select([
      "attempt.call_id as callId",
      "call.started_at as at",
      "call.account_id as accountId",
      "call.model",
      "attempt.upstream_model as upstreamModel",
      "attempt.status",
      "attempt.error_kind as kind",
      "attempt.error_code as code",
    ])
    .where("attempt.channel", "=", channel)
    // In the words of the index.
    .where(sql<boolean>`attempt.error_kind is not null`)
    // Ids sort by time.
    .orderBy("attempt.call_id", "desc")
    .orderBy("attempt.number", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind ?? "" }));
}
