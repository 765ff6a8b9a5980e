import type { ErrorKind, Notice, Usage } from "@interlingua/protocols";
import type { Selectable } from "kysely";
import { moneyText } from "../storage/money-column.ts";
import type { AttemptTable, CallTable } from "../storage/schema.ts";
import type { AbortReason, AttemptRecord, CallRecord, PriceLine } from "./call-record.ts";

type MoneyColumn = "reserved" | "charge" | "overrun";

/** A row of `call` as `callColumns` selects it. */
export type CallRow = Omit<Selectable<CallTable>, MoneyColumn> & Record<MoneyColumn, string>;

/** All columns of `call`; money as a text, since an amount may be more than a number holds. */
export const callColumns = [
  "id",
  "request_id",
  "started_at",
  "access_key_id",
  "client_protocol",
  "upstream_protocol",
  "lane",
  "channel",
  "model",
  "upstream_model",
  "stream",
  "status",
  "outcome",
  "error_kind",
  "input_uncached",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_5m",
  "input_cache_write_1h",
  "input_tool_prompt",
  "input_audio",
  "output_total",
  "output_reasoning",
  "output_audio",
  "output_image",
  "server_tools",
  "usage_estimated",
  "notices",
  "admission_ms",
  "connect_ms",
  "first_byte_ms",
  "first_token_ms",
  "end_ms",
  "account_id",
  moneyText("reserved").as("reserved"),
  moneyText("charge").as("charge"),
  moneyText("overrun").as("overrun"),
  "price_version",
  "price_lines",
  "usage_disputed",
  "abort_reason",
] as const;

/** The record that a row holds. Its attempts are rows of their own: none unless given. */
export function callOf(row: CallRow, attempts: readonly AttemptRecord[] = []): CallRecord {
  return {
    id: row.id,
    requestId: row.request_id,
    startedAt: row.started_at,
    accessKeyId: row.access_key_id,
    clientProtocol: row.client_protocol,
    upstreamProtocol: row.upstream_protocol,
    lane: row.lane,
    channel: row.channel,
    model: row.model,
    upstreamModel: row.upstream_model,
    stream: row.stream === 1,
    status: row.status,
    outcome: row.outcome,
    // Only the recorder writes the column, and only from this type.
    errorKind: row.error_kind as ErrorKind | null,
    usage: usageOf(row),
    // Likewise written by the recorder alone, from this type.
    notices: JSON.parse(row.notices) as Notice[],
    timings: {
      admission: row.admission_ms,
      connect: row.connect_ms,
      firstByte: row.first_byte_ms,
      firstToken: row.first_token_ms,
      end: row.end_ms,
    },
    accountId: row.account_id,
    reserved: BigInt(row.reserved),
    charge: BigInt(row.charge),
    overrun: BigInt(row.overrun),
    priceVersion: row.price_version,
    priceLines: linesOf(row.price_lines),
    usageDisputed: row.usage_disputed === 1,
    // Only the recorder writes the column, and only from this type.
    abortReason: row.abort_reason as AbortReason | null,
    attempts,
  };
}

/** The attempt that a row holds. */
export function attemptOf(row: Selectable<AttemptTable>): AttemptRecord {
  return {
    channel: row.channel,
    upstreamProtocol: row.upstream_protocol,
    upstreamModel: row.upstream_model,
    lane: row.lane,
    started: row.started_ms,
    connect: row.connect_ms,
    firstByte: row.first_byte_ms,
    end: row.end_ms,
    status: row.status,
    // Only the recorder writes the column, and only from this type.
    errorKind: row.error_kind as ErrorKind | null,
    errorCode: row.error_code,
    possiblyBilled: row.possibly_billed === 1,
  };
}

function linesOf(text: string): PriceLine[] {
  if (text === "[]") return [];
  // Written by the recorder from `PriceLine`, amounts as texts.
  const lines = JSON.parse(text) as (Omit<PriceLine, "price" | "amount"> & { price: string; amount: string })[];
  return lines.map((line) => ({ ...line, price: BigInt(line.price), amount: BigInt(line.amount) }));
}

/** The counters that were reported; null when there was none. */
function usageOf(row: CallRow): Usage | null {
  const usage: Usage = {
    input: told({
      uncached: row.input_uncached,
      cacheRead: row.input_cache_read,
      cacheWrite: row.input_cache_write,
      cacheWrite5m: row.input_cache_write_5m,
      cacheWrite1h: row.input_cache_write_1h,
      toolPrompt: row.input_tool_prompt,
    }),
    output: told({
      total: row.output_total,
      reasoning: row.output_reasoning,
      audio: row.output_audio,
      image: row.output_image,
    }),
  };
  if (row.input_audio !== null) usage.inputAudio = row.input_audio;
  // Written by the recorder from this type.
  if (row.server_tools !== null) usage.serverTools = JSON.parse(row.server_tools) as Record<string, number>;
  if (row.usage_estimated === 1) usage.estimated = true;
  const known = Object.keys({ ...usage.input, ...usage.output }).length > 0 || Object.keys(usage).length > 2;
  return known ? usage : null;
}

function told<Name extends string>(counters: Record<Name, number | null>): Partial<Record<Name, number>> {
  const kept: Partial<Record<Name, number>> = {};
  for (const name in counters) {
    const value = counters[name];
    if (value !== null) kept[name] = value;
  }
  return kept;
}
