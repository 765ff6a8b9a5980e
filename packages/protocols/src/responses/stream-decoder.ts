import { badUpstream, canonicalError, type JsonObject, type JsonValue, type StreamEvent } from "../canonical/index.ts";
import type { StreamDecoder } from "../codec.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { createFrameDecoder, type StreamFrames } from "../shared/stream-input.ts";
import { decodeErrorObject } from "./error.ts";
import { decodeFinish } from "./finish.ts";
import { decodeHead, decodeResponse, failureOf } from "./response-decoder.ts";
import { StreamItems } from "./stream-items.ts";
import { decodeUsage } from "./usage.ts";

type Emit = (event: StreamEvent) => void;

/**
 * An upstream's stream -> canonical events (responses.md section 8; traps S14, S15, S24, S25, S38 of conversion.md). Good
 * ends are `response.completed` and `response.incomplete` only. Unknown events and beats are passed over.
 */
export function createStreamDecoder(): StreamDecoder {
  return createFrameDecoder(new Frames());
}

class Frames implements StreamFrames {
  readonly #items = new StreamItems();
  #started = false;
  /** The last event was no JSON: at the end of the connection that is a cut, in the middle a fault. */
  #broken = false;

  frame(name: string | undefined, data: string, emit: Emit): void {
    if (data === "" || data.trim() === "[DONE]") return;
    if (this.#broken) badUpstream("The upstream sent an event that is not JSON.");
    const event = parse(data);
    this.#broken = event === undefined;
    if (!isObject(event)) return;
    this.#event(typeof event.type === "string" ? event.type : (name ?? ""), event, emit);
  }

  /** A host that ignored `stream: true` answers with the whole response, or with an error body. */
  whole(body: JsonValue, emit: Emit): void {
    if (isObject(body) && typeof body.type === "string") {
      this.#event(body.type, body, emit);
      return;
    }
    for (const event of responseToEvents(decodeResponse(body))) emit(event);
  }

  closed(emit: Emit): void {
    const message = "The upstream closed the connection before the answer was complete.";
    emit({ type: "error", error: canonicalError("upstream_incomplete", message, { code: "stream_incomplete" }) });
  }

  #event(type: string, event: JsonObject, emit: Emit): void {
    const items = this.#items;
    switch (type) {
      case "response.output_text.delta":
        items.textDelta(event, "text", emit);
        return;
      case "response.function_call_arguments.delta":
        items.argumentsDelta(event, "function_call", emit);
        return;
      case "response.custom_tool_call_input.delta":
        items.argumentsDelta(event, "custom_tool_call", emit);
        return;
      case "response.reasoning_summary_text.delta":
        items.summaryDelta(event, emit);
        return;
      case "response.reasoning_text.delta":
        items.reasoningDelta(event, emit);
        return;
      case "response.refusal.delta":
        items.textDelta(event, "refusal", emit);
        return;
      case "response.output_item.added":
        items.added(event, emit);
        return;
      case "response.output_item.done":
        items.done(event, emit);
        return;
      case "response.output_text.annotation.added":
        items.annotation(event, emit);
        return;
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.#start(event.response, emit);
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        this.#terminal(type, event.response, emit);
        return;
      case "error":
        emit({
          type: "error",
          error: decodeErrorObject(isObject(event.error) ? event.error : { ...event, type: null }, 0),
        });
        return;
      default:
        // Progress events repeat what the finished items say. A frame without a known type may still tell an error.
        if (isObject(event.error)) emit({ type: "error", error: decodeErrorObject(event.error, 0) });
    }
  }

  #start(response: JsonValue | undefined, emit: Emit): void {
    if (this.#started) return;
    this.#started = true;
    const head = isObject(response) ? decodeHead(response) : {};
    this.#items.model = head.model;
    // The tier of the first snapshot is the wish; the real one comes at the end.
    const { serviceTier: _wish, ...start } = head;
    emit({ type: "start", ...start });
  }

  #terminal(type: string, value: JsonValue | undefined, emit: Emit): void {
    this.#start(value, emit);
    const response = isObject(value) ? value : {};
    const usage = decodeUsage(response.usage);
    const serviceTier = typeof response.service_tier === "string" ? { serviceTier: response.service_tier } : {};
    if (usage) emit({ type: "usage", usage, ...serviceTier });
    const failure = type === "response.failed" ? { ...response, status: "failed" } : response;
    const error = failureOf({ output: [], ...failure })?.error;
    if (error) {
      emit({ type: "error", error });
      return;
    }
    this.#items.settle(Array.isArray(response.output) ? response.output : [], emit);
    const status = type === "response.incomplete" ? "incomplete" : "completed";
    emit({ type: "finish", candidate: 0, finish: decodeFinish({ ...response, status }, this.#items.refused) });
    emit({ type: "end" });
  }
}

function parse(data: string): JsonValue | undefined {
  try {
    return JSON.parse(data);
  } catch {
    // Half an event: what comes next tells whether the upstream was cut or is at fault.
    return undefined;
  }
}
