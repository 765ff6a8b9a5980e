import type { CanonicalRequest, JsonObject, Notice, StreamEvent } from "../canonical/index.ts";
import { createStreamDecoder } from "../chat-completions/stream-decoder.ts";
import { createStreamEncoder } from "../chat-completions/stream-encoder.ts";
import type { AnswerContext } from "../codec.ts";
import { EventGate } from "../shared/event-gate.ts";
import { plainVault } from "../shared/vault.ts";

/** A request as small as it can be. */
export function minimalRequest(more: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return {
    model: "m",
    stream: true,
    turns: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
    tools: [],
    sampling: {},
    stopSequences: [],
    ...more,
  };
}

/** A context with a counting id source and a standing clock; `notices` gathers what is told. */
export function answerContext(more: Partial<AnswerContext> = {}): AnswerContext & { notices: Notice[] } {
  const notices: Notice[] = [];
  let count = 0;
  return {
    request: minimalRequest(),
    clientBody: {},
    ids: (prefix) => `${prefix}${++count}`,
    now: () => 1_700_000_000_000,
    vault: plainVault(),
    notice: (notice) => notices.push(notice),
    framing: "sse",
    notices,
    ...more,
  };
}

/** Frames of chunks and the end mark, as the vendor writes them. */
export function chatStream(...chunks: (JsonObject | string)[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");
}

/** A chunk with one delta of candidate 0. */
export function chatDelta(delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject {
  return {
    id: "chatcmpl-x",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "gpt-x",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...more,
  };
}

/** Raw events of a stream, pushed in the given pieces. */
export function decodeStream(pieces: Iterable<Uint8Array>): StreamEvent[] {
  const decoder = createStreamDecoder();
  const events: StreamEvent[] = [];
  for (const piece of pieces) events.push(...decoder.push(piece));
  events.push(...decoder.close());
  return events;
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Events in encoder order. */
export function gated(events: Iterable<StreamEvent>): StreamEvent[] {
  const gate = new EventGate();
  const ordered: StreamEvent[] = [];
  for (const event of events) gate.push(event, (out) => ordered.push(out));
  return ordered;
}

/** Text of the frames that a chat completions client gets for events in encoder order. */
export function encodeStream(events: Iterable<StreamEvent>, context: AnswerContext = answerContext()): string {
  const encoder = createStreamEncoder(context);
  let text = "";
  for (const event of events) text += encoder.write(event);
  return text;
}
