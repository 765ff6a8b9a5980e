import { type RawBuilder, sql } from "kysely";
import { firstTokenBuckets } from "../calls/first-token-buckets.ts";
import { slowFirstTokenMs } from "./availability.ts";

/*
 * Who is at fault, in SQL. An upstream answers for time-outs, broken connections, 5xx, garbage, answers that break off, for
 * having no room, and for refusing the operator's credential. It does not answer for what it rightly refuses, nor for
 * callers who leave and gateways that stop: those tell nothing of it.
 */

/** Kinds of errors that are the upstream's or the operator's, never the caller's. */
const faultKinds = [
  "upstream_bad",
  "upstream_incomplete",
  "timeout",
  "overloaded",
  "rate_limit",
  "no_channel",
  "billing",
  "unauthenticated",
] as const;

const kinds = sql.join(faultKinds.map((kind) => sql.lit(kind)));

/** Whether an attempt of a call was the upstream's fault. An attempt without an error is the one that gave the answer. */
const attemptFault = sql<boolean>`(attempt.error_kind in (${kinds})
  or (attempt.error_kind = 'internal' and attempt.status >= 500)
  or (attempt.error_kind is null and call.outcome = 'upstream_incomplete'))`;

const attemptGood = sql<boolean>`(attempt.error_kind is null and call.outcome = 'succeeded')`;

/** Whether a caller went without an answer through no fault of its own, after all channels that could be tried. */
const callFault = sql<boolean>`(call.outcome = 'upstream_incomplete'
  or (call.outcome = 'failed' and (call.error_kind in (${kinds}) or (call.error_kind = 'internal' and call.status >= 500))))`;

const callGood = sql<boolean>`call.outcome = 'succeeded'`;

/** The sums of `availability`, over attempts joined with their calls, or over calls alone. */
export const verdictColumns = ["attempts", "faults", "slow", "output_tokens", "output_ms"] as const;

export function verdictSums(of: "attempt" | "call"): RawBuilder<unknown> {
  const [fault, good] = of === "attempt" ? [attemptFault, attemptGood] : [callFault, callGood];
  const streamed = sql<boolean>`(${good} and call.stream = 1 and call.first_token_ms is not null)`;
  const measured = sql<boolean>`(${streamed} and call.output_total > 0 and call.end_ms > call.first_token_ms)`;
  const buckets = firstTokenBuckets.map(({ column, upTo }, place) => {
    const above = firstTokenBuckets[place - 1]?.upTo;
    const bounds = [
      ...(above === undefined ? [] : [sql`call.first_token_ms > ${sql.lit(above)}`]),
      ...(Number.isFinite(upTo) ? [sql`call.first_token_ms <= ${sql.lit(upTo)}`] : []),
    ];
    return sql`${count(sql`${streamed} and ${sql.join(bounds, sql` and `)}`)} as ${sql.ref(column)}`;
  });
  return sql.join([
    sql`${count(sql`${fault} or ${good}`)} as attempts`,
    sql`${count(fault)} as faults`,
    sql`${count(sql`${streamed} and call.first_token_ms > ${sql.lit(slowFirstTokenMs)}`)} as slow`,
    sql`${sum(measured, sql`call.output_total`)} as output_tokens`,
    sql`${sum(measured, sql`call.end_ms - call.first_token_ms`)} as output_ms`,
    ...buckets,
  ]);
}

function count(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;
}

/** Whole numbers; PostgreSQL sums 64-bit integers to a decimal. */
function sum(condition: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(case when ${condition} then ${value} else 0 end), 0) as bigint)`;
}
