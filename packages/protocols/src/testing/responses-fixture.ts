import type { CanonicalRequest, JsonObject, Notice, StreamEvent } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { createStreamDecoder } from "../responses/stream-decoder.ts";
import { createStreamEncoder } from "../responses/stream-encoder.ts";
import { EventGate } from "../shared/event-gate.ts";
import { plainVault } from "../shared/vault.ts";

/** A request as small as it can be. */
export function minimalRequest(more: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return {
    model: "gpt-5.6",
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
    clientBody: { model: "gpt-5.6", input: "Hi" },
    ids: (prefix) => `${prefix}${++count}`,
    now: () => 1_700_000_000_000,
    vault: plainVault(),
    notice: (notice) => notices.push(notice),
    framing: "sse",
    notices,
    ...more,
  };
}

/** Named frames of events, numbered, as the vendor writes them. */
export function responsesStream(...events: JsonObject[]): string {
  return events
    .map((event, index) => `event: ${event.type}\ndata: ${JSON.stringify({ sequence_number: index, ...event })}\n\n`)
    .join("");
}

/** A response object, as far as decoders look at it. */
export function responseBody(more: JsonObject = {}): JsonObject {
  return {
    id: "resp_x",
    object: "response",
    created_at: 1_700_000_000,
    status: "completed",
    model: "gpt-x",
    output: [],
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

/** Text of the frames that a client gets for events in encoder order. */
export function encodeStream(events: Iterable<StreamEvent>, context: AnswerContext = answerContext()): string {
  const encoder = createStreamEncoder(context);
  let text = "";
  for (const event of events) text += encoder.write(event);
  return text;
}
