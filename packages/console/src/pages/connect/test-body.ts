import type { Protocol } from "../../shared/gateway-call.ts";

const words = "Say hello in one sentence.";

/** The smallest request that shows whether everything is connected. */
export function testBody(protocol: Protocol, model: string): object {
  switch (protocol) {
    case "chat-completions":
      return { model, messages: [{ role: "user", content: words }] };
    case "responses":
      return { model, input: words };
    case "messages":
      return { model, max_tokens: 256, messages: [{ role: "user", content: words }] };
    case "generate-content":
      return { contents: [{ role: "user", parts: [{ text: words }] }] };
  }
}
