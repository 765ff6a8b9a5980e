/** The four wire protocols the simulated provider speaks. */
export type Protocol = "chat-completions" | "responses" | "messages" | "generate-content";

/** A protocol's name as its users write it; the sandbox names it in its answers. */
export const PROTOCOL_TITLES: Record<Protocol, string> = {
  "chat-completions": "Chat Completions",
  responses: "Responses",
  messages: "Messages",
  "generate-content": "generateContent",
};
