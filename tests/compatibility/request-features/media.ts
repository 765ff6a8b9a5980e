import type { JsonObject } from "@interlingua/protocols";
import { everywhere, holds, type PerProtocol, type RequestFeature } from "./feature.ts";
import { image, PNG } from "./picture.ts";

const PDF = "JVBERi0xLjEKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4KJSVFT0Y=";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/** A user turn with one more part beside its text. */
function withPart(parts: PerProtocol<JsonObject>): PerProtocol<JsonObject> {
  const chat = parts["chat-completions"];
  const { responses, messages } = parts;
  const gemini = parts["generate-content"];
  return {
    ...(chat
      ? { "chat-completions": { messages: [{ role: "user", content: [{ type: "text", text: "Look" }, chat] }] } }
      : {}),
    ...(responses
      ? { responses: { input: [{ role: "user", content: [{ type: "input_text", text: "Look" }, responses] }] } }
      : {}),
    ...(messages
      ? { messages: { messages: [{ role: "user", content: [{ type: "text", text: "Look" }, messages] }] } }
      : {}),
    ...(gemini ? { "generate-content": { contents: [{ role: "user", parts: [{ text: "Look" }, gemini] }] } } : {}),
  };
}

/** Parts that are no text. */
export const mediaFeatures: readonly RequestFeature[] = [
  {
    title: "image (bytes)",
    ask: withPart({
      "chat-completions": { type: "image_url", image_url: { url: image } },
      responses: { type: "input_image", image_url: image, detail: "auto" },
      messages: { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      "generate-content": { inlineData: { mimeType: "image/png", data: PNG } },
    }),
    seen: everywhere(holds(PNG)),
  },
  {
    title: "image (address)",
    ask: withPart({
      "chat-completions": { type: "image_url", image_url: { url: "https://example.com/cat.png" } },
      responses: { type: "input_image", image_url: "https://example.com/cat.png", detail: "auto" },
      messages: { type: "image", source: { type: "url", url: "https://example.com/cat.png" } },
    }),
    seen: everywhere(holds("https://example.com/cat.png")),
  },
  {
    title: "document (PDF)",
    ask: withPart({
      "chat-completions": {
        type: "file",
        file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` },
      },
      responses: { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` },
      messages: { type: "document", source: { type: "base64", media_type: "application/pdf", data: PDF } },
      "generate-content": { inlineData: { mimeType: "application/pdf", data: PDF } },
    }),
    seen: everywhere(holds(PDF)),
  },
  {
    title: "document (plain text)",
    ask: withPart({
      messages: {
        type: "document",
        title: "Notes",
        source: { type: "text", media_type: "text/plain", data: "Dear diary" },
      },
    }),
    seen: everywhere(holds("Dear diary")),
  },
  {
    title: "audio input",
    ask: withPart({
      "chat-completions": { type: "input_audio", input_audio: { data: WAV, format: "wav" } },
      responses: { type: "input_audio", input_audio: { data: WAV, format: "wav" } },
      "generate-content": { inlineData: { mimeType: "audio/wav", data: WAV } },
    }),
    seen: everywhere(holds(WAV)),
  },
];
