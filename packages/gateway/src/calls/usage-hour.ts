import { cacheWriteTokens } from "@interlingua/protocols";
import { type Insertable, sql } from "kysely";
import type { Database, Statement } from "../storage/database.ts";
import type { UsageHourTable } from "../storage/schema.ts";
import type { CallRecord } from "./call-record.ts";
import { firstTokenBuckets, firstTokenShare } from "./first-token-buckets.ts";

/** Milliseconds of an hour. */
export const hourMs = 3_600_000;

/** The begin of the hour to which a call counts: that in which it began. */
export function hourOf(startedAt: number): number {
  return Math.floor(startedAt / hourMs) * hourMs;
}

/** What adds a call to the sums of its hour, in the same unit as its record: sums and calls can not differ. */
export function usageHourStatement(build: Database["build"]): (call: CallRecord) => Statement {
  const text = build
    .insertInto("usage_hour")
    .values(share(null))
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "access_key_id", "hour", "model", "channel", "client_protocol"])
        .doUpdateSet(Object.fromEntries(sumColumns.map((name) => [name, plus(name)]))),
    )
    .compile().sql;
  return (call) => ({ sql: text, parameters: Object.values(share(call)) });
}

const sums = [
  "calls",
  "succeeded",
  "input_uncached",
  "input_cache_read",
  "input_cache_write",
  "output_total",
  "output_reasoning",
  "charge",
  "overrun",
  "duration_ms",
] as const satisfies readonly (keyof UsageHourTable)[];

/** All counters of `usage_hour`, of which each call adds its share. */
export const sumColumns = [...sums, ...firstTokenBuckets.map(({ column }) => column)];

function plus(name: string) {
  return sql<number>`${sql.ref(`usage_hour.${name}`)} + ${sql.ref(`excluded.${name}`)}`;
}

/** What a call adds; null stands in where only the columns matter. */
function share(call: CallRecord | null): Insertable<UsageHourTable> {
  const input = call?.usage?.input;
  const output = call?.usage?.output;
  return {
    account_id: call?.accountId ?? "",
    access_key_id: call?.accessKeyId ?? "",
    hour: call ? hourOf(call.startedAt) : 0,
    model: call?.model ?? "",
    channel: call?.channel ?? "",
    client_protocol: call?.clientProtocol ?? "chat-completions",
    calls: 1,
    succeeded: call?.outcome === "succeeded" ? 1 : 0,
    // What provider-run tools gave to read is priced as other input.
    input_uncached: (input?.uncached ?? 0) + (input?.toolPrompt ?? 0),
    input_cache_read: input?.cacheRead ?? 0,
    input_cache_write: (call?.usage && cacheWriteTokens(call.usage)) ?? 0,
    output_total: output?.total ?? 0,
    output_reasoning: output?.reasoning ?? 0,
    charge: call?.charge ?? 0n,
    overrun: call?.overrun ?? 0n,
    duration_ms: Math.round(call?.timings.end ?? 0),
    ...firstTokenShare(call?.timings.firstToken ?? null),
  };
}
