import type { ProtocolName } from "./canonical/index.ts";
import { chatCompletions } from "./chat-completions/codec.ts";
import type { ProtocolCodec } from "./codec.ts";
import { generateContent } from "./generate-content/codec.ts";
import { messages } from "./messages/codec.ts";
import { responses } from "./responses/codec.ts";

/** The registry: a new protocol is one folder and one line here. */
export const codecs: Readonly<Record<ProtocolName, ProtocolCodec>> = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
};
