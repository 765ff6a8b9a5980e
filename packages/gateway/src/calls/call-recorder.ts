import type { Insertable } from "kysely";
import type { Database, Statement } from "../storage/database.ts";
import type { AttemptTable, CallTable } from "../storage/schema.ts";
import type { AttemptRecord, CallRecord, PriceLine } from "./call-record.ts";
import { hourOf, usageHourStatement } from "./usage-hour.ts";
import { lateStatement } from "./usage-totals.ts";

/** Writes call records. */
export interface CallRecorder {
  /**
   * What records a call: the call, its attempts and its share of the hour's sums. To be written in one unit, together with
   * the settlement of its money (M1). The unit fails with `constraint` when the call was recorded before.
   */
  statements(call: CallRecord): Statement[];
  /** Under what the unit is to be sorted (`WriteOptions.order`). */
  order(call: CallRecord): string;
}

/** A recorder over the database. */
export function createCallRecorder(database: Pick<Database, "build" | "compile">): CallRecorder {
  const { build } = database;
  // Building a statement costs more than binding it, and it is the same for every call.
  const callText = build.insertInto("call").values(callRow(example)).compile().sql;
  const attemptText = build
    .insertInto("attempt")
    .values(attemptRow("", 0, exampleAttempt))
    .compile().sql;
  const usageHour = usageHourStatement(build);
  const late = lateStatement(database);
  return {
    statements(call) {
      const statements: Statement[] = [{ sql: callText, parameters: Object.values(callRow(call)) }];
      for (const [index, attempt] of call.attempts.entries()) {
        statements.push({ sql: attemptText, parameters: Object.values(attemptRow(call.id, index + 1, attempt)) });
      }
      statements.push(usageHour(call));
      const note = late(call);
      if (note) statements.push(note);
      return statements;
    },
    order: ({ accountId, accessKeyId, startedAt, model, channel, clientProtocol }) =>
      [accountId, accessKeyId, hourOf(startedAt), model, channel, clientProtocol].join("/"),
  };
}

/** A call as its row. Every row has the same columns in the same order. */
function callRow(call: CallRecord): Insertable<CallTable> {
  const { usage, timings } = call;
  return {
    id: call.id,
    request_id: call.requestId,
    started_at: call.startedAt,
    access_key_id: call.accessKeyId,
    client_protocol: call.clientProtocol,
    upstream_protocol: call.upstreamProtocol,
    lane: call.lane,
    channel: call.channel,
    model: call.model,
    upstream_model: call.upstreamModel,
    stream: call.stream ? 1 : 0,
    status: call.status,
    outcome: call.outcome,
    error_kind: call.errorKind,
    input_uncached: usage?.input.uncached ?? null,
    input_cache_read: usage?.input.cacheRead ?? null,
    input_cache_write: usage?.input.cacheWrite ?? null,
    input_cache_write_5m: usage?.input.cacheWrite5m ?? null,
    input_cache_write_1h: usage?.input.cacheWrite1h ?? null,
    input_tool_prompt: usage?.input.toolPrompt ?? null,
    input_audio: usage?.inputAudio ?? null,
    output_total: usage?.output.total ?? null,
    output_reasoning: usage?.output.reasoning ?? null,
    output_audio: usage?.output.audio ?? null,
    output_image: usage?.output.image ?? null,
    server_tools: usage?.serverTools ? JSON.stringify(usage.serverTools) : null,
    usage_estimated: usage?.estimated ? 1 : 0,
    notices: call.notices.length === 0 ? "[]" : JSON.stringify(call.notices),
    admission_ms: timings.admission,
    connect_ms: timings.connect,
    first_byte_ms: timings.firstByte,
    first_token_ms: timings.firstToken,
    end_ms: timings.end,
    account_id: call.accountId,
    reserved: call.reserved,
    charge: call.charge,
    overrun: call.overrun,
    price_version: call.priceVersion,
    price_lines: linesText(call.priceLines),
    usage_disputed: call.usageDisputed ? 1 : 0,
    abort_reason: call.abortReason,
  };
}

/** Amounts are written as texts, which JSON numbers could not hold exactly. */
function linesText(lines: readonly PriceLine[]): string {
  if (lines.length === 0) return "[]";
  return JSON.stringify(lines, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

function attemptRow(callId: string, number: number, attempt: AttemptRecord): AttemptTable {
  return {
    call_id: callId,
    number,
    channel: attempt.channel,
    upstream_protocol: attempt.upstreamProtocol,
    upstream_model: attempt.upstreamModel,
    lane: attempt.lane,
    started_ms: attempt.started,
    connect_ms: attempt.connect,
    first_byte_ms: attempt.firstByte,
    end_ms: attempt.end,
    status: attempt.status,
    error_kind: attempt.errorKind,
    error_code: attempt.errorCode,
    possibly_billed: attempt.possiblyBilled ? 1 : 0,
  };
}

/** Stands in for a call where only the columns matter. */
const example: CallRecord = {
  id: "",
  requestId: "",
  startedAt: 0,
  accessKeyId: "",
  accountId: "",
  clientProtocol: "chat-completions",
  upstreamProtocol: null,
  lane: null,
  channel: null,
  model: null,
  upstreamModel: null,
  stream: false,
  status: 0,
  outcome: "failed",
  errorKind: null,
  usage: null,
  notices: [],
  timings: { admission: null, connect: null, firstByte: null, firstToken: null, end: null },
  reserved: 0n,
  charge: 0n,
  overrun: 0n,
  priceVersion: null,
  priceLines: [],
  usageDisputed: false,
  abortReason: null,
  attempts: [],
};

const exampleAttempt: AttemptRecord = {
  channel: "",
  upstreamProtocol: "chat-completions",
  upstreamModel: "",
  lane: "direct",
  started: 0,
  connect: null,
  firstByte: null,
  end: null,
  status: null,
  errorKind: null,
  errorCode: null,
  possiblyBilled: false,
};
