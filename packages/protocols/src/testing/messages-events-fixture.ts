import type { Notice, StreamEvent } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { createStreamEncoder } from "../messages/stream-encoder.ts";
import { plainVault } from "../shared/vault.ts";

/** A vault that hides nothing. */
export const vault = plainVault();

/** A context with one id and a standing clock; `notices` gathers what is told. */
export function context(notices: Notice[] = []): AnswerContext {
  return {
    request: { model: "client-model", stream: true, turns: [], tools: [], sampling: {}, stopSequences: [] },
    clientBody: {},
    ids: (prefix) => `${prefix}1`,
    now: () => 0,
    vault,
    notice: (notice) => notices.push(notice),
    framing: "sse",
  };
}

/** The stream that a client gets for events in encoder order. */
export function write(events: Iterable<StreamEvent>, notices: Notice[] = []): string {
  const encoder = createStreamEncoder(context(notices));
  return [...events].map((event) => encoder.write(event)).join("");
}

/** How an answer begins. */
export const start: StreamEvent = { type: "start", id: "chatcmpl-1", model: "m" };

/** A whole part, told piece by piece. */
export function part(
  head: Extract<StreamEvent, { type: "part-start" }>["part"],
  ...deltas: Extract<StreamEvent, { type: "part-delta" }>["delta"][]
): StreamEvent[] {
  const key = `k${JSON.stringify([head, deltas]).length}`;
  return [
    { type: "part-start", candidate: 0, key, part: head },
    ...deltas.map((delta): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta })),
    { type: "part-stop", candidate: 0, key },
  ];
}

export function halved(event: StreamEvent): StreamEvent[] {
  if (event.type !== "part-delta" || !("text" in event.delta) || event.delta.text.length < 2) return [event];
  const middle = event.delta.text.length >> 1;
  const { text } = event.delta;
  return [text.slice(0, middle), text.slice(middle)].map((piece) => ({
    ...event,
    delta: { ...event.delta, text: piece },
  }));
}
