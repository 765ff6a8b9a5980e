import type { JsonObject, StreamEvent, Usage } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { namedFrame } from "../shared/sse.ts";
import type { EncodedFinish } from "./finish.ts";
import { messageId } from "./response-encoder.ts";
import { encodeDeltaUsage, encodeUsage } from "./usage.ts";

/** The frame in front of all blocks: a message that has no content yet (conversion.md 3.1). */
export function messageStartFrame(event: Extract<StreamEvent, { type: "start" }>, context: AnswerContext): string {
  const message: JsonObject = {
    id: messageId(event.id, context),
    type: "message",
    role: "assistant",
    model: event.model ?? context.request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: encodeUsage(event.usage, event.serviceTier),
  };
  return namedFrame("message_start", `{"type":"message_start","message":${JSON.stringify(message)}}`);
}

/** The two frames behind all blocks: why the answer ended with what it used, and the end mark. */
export function messageEndFrames(finish: EncodedFinish, usage: Usage | undefined): string {
  const delta = JSON.stringify(finish);
  const used = JSON.stringify(encodeDeltaUsage(usage));
  return (
    namedFrame("message_delta", `{"type":"message_delta","delta":${delta},"usage":${used}}`) +
    namedFrame("message_stop", '{"type":"message_stop"}')
  );
}
