import type { Usage } from "@interlingua/protocols";
import type { AttemptRecord, CallRecord, PriceLine } from "./call-record.ts";

/**
 * A call as JSON, in the names of the database. Times are unix milliseconds, durations milliseconds; money is nano-dollars as
 * a text, since JSON's numbers do not hold all of it.
 */
export function callJson(call: CallRecord) {
  const { timings } = call;
  return {
    id: call.id,
    request_id: call.requestId,
    started_at: call.startedAt,
    account_id: call.accountId,
    access_key_id: call.accessKeyId,
    client_protocol: call.clientProtocol,
    upstream_protocol: call.upstreamProtocol,
    lane: call.lane,
    channel: call.channel,
    model: call.model,
    upstream_model: call.upstreamModel,
    stream: call.stream,
    status: call.status,
    outcome: call.outcome,
    error_kind: call.errorKind,
    abort_reason: call.abortReason,
    usage: call.usage && usageJson(call.usage),
    usage_disputed: call.usageDisputed,
    notices: [...call.notices],
    admission_ms: timings.admission,
    connect_ms: timings.connect,
    first_byte_ms: timings.firstByte,
    first_token_ms: timings.firstToken,
    end_ms: timings.end,
    reserved: String(call.reserved),
    charge: String(call.charge),
    overrun: String(call.overrun),
    price_version: call.priceVersion,
    price_lines: call.priceLines.map(lineJson),
    attempts: call.attempts.map(attemptJson),
  };
}

function usageJson({ input, output, inputAudio, serverTools, estimated = false }: Usage) {
  return {
    input_uncached: input.uncached,
    input_cache_read: input.cacheRead,
    input_cache_write: input.cacheWrite,
    input_cache_write_5m: input.cacheWrite5m,
    input_cache_write_1h: input.cacheWrite1h,
    input_tool_prompt: input.toolPrompt,
    input_audio: inputAudio,
    output_total: output.total,
    output_reasoning: output.reasoning,
    output_audio: output.audio,
    output_image: output.image,
    server_tools: serverTools,
    estimated,
  };
}

function lineJson({ class: name, quantity, price, amount }: PriceLine) {
  return { class: name, quantity, price: String(price), amount: String(amount) };
}

function attemptJson(attempt: AttemptRecord) {
  return {
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
    possibly_billed: attempt.possiblyBilled,
  };
}
