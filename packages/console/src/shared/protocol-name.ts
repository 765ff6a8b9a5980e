import type { Protocol } from "./gateway-call.ts";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

const keys = {
  "chat-completions": "protocol_chat_completions",
  responses: "protocol_responses",
  messages: "protocol_messages",
  "generate-content": "protocol_generate_content",
} as const;

/** The name of a protocol as readers know it. */
export function useProtocolName(): (protocol: Protocol) => string {
  const t = useText(sharedTexts);
  return (protocol) => t(keys[protocol]);
}
