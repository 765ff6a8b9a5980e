import type { ProtocolName } from "@interlingua/protocols";

/** A whole frame by which each family says that a streamed answer is complete. */
const endFrames: Record<ProtocolName, RegExp> = {
  "chat-completions": /^data: \[DONE\]\r?\n\r?\n/m,
  responses: /^data: .*"type":"response\.completed".*\r?\n\r?\n/m,
  messages: /^data: .*"type":"message_stop".*\r?\n\r?\n/m,
  "generate-content": /^data: .*"finishReason":"[A-Z_]+".*\r?\n\r?\n/m,
};

/** Whether a client that has read so much of a stream of server-sent events takes its answer for complete. */
export function endSeen(protocol: ProtocolName, text: string): boolean {
  return endFrames[protocol].test(text);
}
