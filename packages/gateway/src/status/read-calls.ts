import { sql } from "kysely";
import { type FirstTokenColumn, firstTokenBuckets } from "../calls/first-token-buckets.ts";
import { hourMs } from "../calls/usage-hour.ts";
import type { Catalogue } from "../catalogue/published-models.ts";
import type { Database } from "../storage/database.ts";
import { verdictColumns, verdictSums } from "./attempt-verdict.ts";

type Sums = Record<(typeof verdictColumns)[number] | FirstTokenColumn, number>;

/** What calls of an hour tell of a channel and a published model; of the model as callers saw it where `channel` is empty. */
export interface AvailabilityRow extends Sums {
  /** The begin of the hour, unix milliseconds. */
  time: number;
  channel: string;
  model: string;
}

/** All sums of a row of `availability`. */
export const availabilitySums = [...verdictColumns, ...firstTokenBuckets.map(({ column }) => column)];

/** Names that callers write are counted to published ones; those that nobody publishes any more are left out. */
type Names = Pick<Catalogue, "publishedName">;

/** Sums over the calls that began in the range, by hour. Rejects with a StorageError. */
export async function sumHours(
  { read }: Pick<Database, "read">,
  names: Names,
  range: { from: number; to: number },
): Promise<AvailabilityRow[]> {
  const hour = sql<number>`(call.started_at - call.started_at % ${sql.lit(hourMs)})`;
  const began = sql`call.started_at >= ${range.from} and call.started_at < ${range.to} and call.model is not null`;
  const byChannel = sql<Record<never, never>>`(
    select ${hour} as time, attempt.channel as channel, call.model as model, ${verdictSums("attempt")}
    from call join attempt on attempt.call_id = call.id where ${began}
    group by ${hour}, attempt.channel, call.model)`;
  const byModel = sql<Record<never, never>>`(
    select ${hour} as time, '' as channel, call.model as model, ${verdictSums("call")}
    from call where ${began} group by ${hour}, call.model)`;
  const rows = await Promise.all(
    [byChannel, byModel].map((source) => read.selectFrom(source.as("sums")).selectAll().execute()),
  );
  // The columns are those of the two selections above.
  return publishedRows(rows.flat() as AvailabilityRow[], names);
}

/** Calls that are looked at for what goes on at the moment. */
const newestCalls = 5000;

/** Sums over the newest calls that began at `from` or later, so few that a busy gateway is not slowed down. `time` is `from`. */
export async function sumNewest(
  { read }: Pick<Database, "read">,
  names: Names,
  from: number,
): Promise<AvailabilityRow[]> {
  const newest = sql`(
    select id, model, outcome, status, error_kind, stream, first_token_ms, end_ms, output_total from call
    where started_at >= ${from} and model is not null order by started_at desc, id desc limit ${sql.lit(newestCalls)}) as call`;
  const byChannel = sql<Record<never, never>>`(
    select cast(${from} as bigint) as time, attempt.channel as channel, call.model as model, ${verdictSums("attempt")}
    from ${newest} join attempt on attempt.call_id = call.id group by attempt.channel, call.model)`;
  const byModel = sql<Record<never, never>>`(
    select cast(${from} as bigint) as time, '' as channel, call.model as model, ${verdictSums("call")}
    from ${newest} group by call.model)`;
  const rows = await Promise.all(
    [byChannel, byModel].map((source) => read.selectFrom(source.as("sums")).selectAll().execute()),
  );
  // Likewise.
  return publishedRows(rows.flat() as AvailabilityRow[], names);
}

function publishedRows(rows: readonly AvailabilityRow[], names: Names): AvailabilityRow[] {
  const found = new Map<string, AvailabilityRow>();
  for (const row of rows) {
    if (row.attempts === 0) continue;
    const model = names.publishedName(row.model, row.channel === "" ? undefined : row.channel);
    if (model === undefined) continue;
    const key = JSON.stringify([row.time, row.channel, model]);
    const known = found.get(key);
    if (!known) found.set(key, { ...row, model });
    else for (const column of availabilitySums) known[column] += row[column];
  }
  return [...found.values()];
}
