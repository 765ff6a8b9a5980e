import type { CanonicalResponse, JsonObject, StreamEvent } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { chatDelta, chatStream, decodeStream, gated, utf8 } from "./chat-completions-fixture.ts";
import { checkEncoderOrder } from "./event-order.ts";

/** How the vendor begins a stream. */
export const role = chatDelta({ role: "assistant", content: "" });

/** How the vendor ends a stream. */
export const done = "[DONE]";

/** What an encoder gets for these chunks, in lawful order. */
export function read(...chunks: (JsonObject | string)[]): StreamEvent[] {
  const events = gated(decodeStream([utf8(chatStream(...chunks))]));
  checkEncoderOrder(events);
  return events;
}

/** The answer that these chunks make. */
export function answer(...chunks: (JsonObject | string)[]): CanonicalResponse {
  return accumulate(read(...chunks));
}

/** The parts of the answer that these chunks make. */
export function parts(...chunks: (JsonObject | string)[]) {
  return answer(...chunks).candidates[0]?.parts;
}

/** The error that a stream ends with, if it does. */
export function errorOf(events: readonly StreamEvent[]) {
  const last = events.at(-1);
  return last?.type === "error" ? last.error : undefined;
}

/** One fragment of a tool call. */
export function fragment(
  index: number | undefined,
  more: { id?: string | null; name?: string | null; args?: string },
): JsonObject {
  return chatDelta({
    tool_calls: [
      {
        ...(index === undefined ? {} : { index }),
        ...(more.id === undefined ? {} : { id: more.id, type: more.id === null ? null : "function" }),
        function: {
          ...(more.name === undefined ? {} : { name: more.name }),
          ...(more.args === undefined ? {} : { arguments: more.args }),
        },
      },
    ],
  });
}

/** The end of an answer that calls tools. */
export const toolEnd = chatDelta({}, "tool_calls");
