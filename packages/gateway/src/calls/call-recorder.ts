import type { Database, Statement } from "../storage/database.ts";
import type { CallTable } from "../storage/schema.ts";
import type { CallRecord } from "./call-record.ts";

/** Writes call records. */
export interface CallRecorder {
  /**
   * Resolves when the record is durable: only then may the client see the end of its answer (M1). Rejects with a
   * StorageError; kind `constraint` when the call was recorded before.
   */
  record(call: CallRecord): Promise<void>;
}

/** A recorder over the database. */
export function createCallRecorder(database: Database): CallRecorder {
  // Building the statement costs more than binding it, and it is the same for every call.
  const template: Statement = database.build.insertInto("call").values(callRow(example)).compile();
  return {
    async record(call) {
      await database.write([{ sql: template.sql, parameters: Object.values(callRow(call)) }]);
    },
  };
}

/** A call as its row. Every row has the same columns in the same order. */
function callRow(call: CallRecord): CallTable {
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
  };
}

/** Stands in for a call where only the columns matter. */
const example: CallRecord = {
  id: "",
  requestId: "",
  startedAt: 0,
  accessKeyId: "",
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
};
