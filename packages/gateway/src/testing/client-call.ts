import type { ProtocolName } from "@interlingua/protocols";

/** A minimal request of a family, as a caller writes it. */
export function clientCall(
  protocol: ProtocolName,
  model: string,
  stream: boolean,
  text = "Hello",
): { path: string; body: Record<string, unknown> } {
  switch (protocol) {
    case "chat-completions":
      return { path: "/v1/chat/completions", body: { model, stream, messages: [{ role: "user", content: text }] } };
    case "responses":
      return { path: "/v1/responses", body: { model, stream, input: text } };
    case "messages":
      return {
        path: "/v1/messages",
        body: { model, stream, max_tokens: 256, messages: [{ role: "user", content: text }] },
      };
    case "generate-content": {
      const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      return { path: `/v1beta/models/${model}:${method}`, body: { contents: [{ role: "user", parts: [{ text }] }] } };
    }
  }
}
