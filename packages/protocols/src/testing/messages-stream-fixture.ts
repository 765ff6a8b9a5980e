import type { CanonicalResponse, JsonObject, StreamEvent } from "../canonical/index.ts";
import { createStreamDecoder } from "../messages/stream-decoder.ts";
import { accumulate } from "../shared/accumulate.ts";
import { EventGate } from "../shared/event-gate.ts";

/** Text to bytes. */
export const utf8 = new TextEncoder();

/** Events that an encoder gets for these pieces of a stream. */
export function gated(pieces: Iterable<Uint8Array>): StreamEvent[] {
  const decoder = createStreamDecoder();
  const gate = new EventGate();
  const events: StreamEvent[] = [];
  const emit = (event: StreamEvent): void => {
    events.push(event);
  };
  for (const piece of pieces) for (const event of decoder.push(piece)) gate.push(event, emit);
  for (const event of decoder.close()) gate.push(event, emit);
  return events;
}

/** Events that an encoder gets for a stream that comes in one piece. */
export function read(text: string): StreamEvent[] {
  return gated([utf8.encode(text)]);
}

/** The answer without how it was cut into deltas. */
export function whole(events: Iterable<StreamEvent>): CanonicalResponse {
  return accumulate(events);
}

export function frame(type: string, body: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
}

export function started(usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): JsonObject {
  return {
    id: "msg_7",
    type: "message",
    role: "assistant",
    model: "c",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}

export function block(index: number, content: JsonObject, deltas: JsonObject[]): string {
  return [
    frame("content_block_start", { index, content_block: content }),
    ...deltas.map((delta) => frame("content_block_delta", { index, delta })),
    frame("content_block_stop", { index }),
  ].join("");
}

export function textBlock(index: number, texts: string[]): string {
  return block(
    index,
    { type: "text", text: "" },
    texts.map((text) => ({ type: "text_delta", text })),
  );
}

export function callBlock(index: number, id: string, pieces: string[], input: JsonObject = {}): string {
  const deltas = pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  return block(index, { type: "tool_use", id, name: "f", input }, deltas);
}

export function stream(...blocks: string[]): string {
  const reason = blocks.some((text) => text.includes("tool_use")) ? "tool_use" : "end_turn";
  return [
    frame("message_start", { message: started() }),
    ...blocks,
    frame("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } }),
    frame("message_stop", {}),
  ].join("");
}
