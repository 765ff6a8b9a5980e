import type { JsonObject, JsonValue, ProtocolName } from "@interlingua/protocols";

/** The protocol that a request is written in, as far as its fields tell; undefined where nothing does. */
export function detectProtocol(body: JsonObject): ProtocolName | undefined {
  if (Array.isArray(body.contents)) return "generate-content";
  if (Array.isArray(body.messages)) return isMessages(body) ? "messages" : "chat-completions";
  if (body.input !== undefined || body.instructions !== undefined || body.previous_response_id !== undefined) {
    return "responses";
  }
  return undefined;
}

const chatFields = [
  "max_completion_tokens",
  "response_format",
  "reasoning_effort",
  "n",
  "stop",
  "logit_bias",
  "frequency_penalty",
  "presence_penalty",
  "stream_options",
  "parallel_tool_calls",
  "logprobs",
];
const messagesFields = ["system", "thinking", "stop_sequences", "top_k", "anthropic_version", "output_config"];
const messagesBlocks = ["tool_use", "tool_result", "thinking", "redacted_thinking", "document", "image"];

/** Chat completions and messages share their main field: other fields, roles and kinds of content tell them apart. */
function isMessages(body: JsonObject): boolean {
  if (messagesFields.some((field) => body[field] !== undefined)) return true;
  if (chatFields.some((field) => body[field] !== undefined)) return false;
  const tools = objects(body.tools);
  if (tools.some((tool) => tool.input_schema !== undefined)) return true;
  if (tools.some((tool) => tool.function !== undefined)) return false;
  const messages = objects(body.messages);
  if (messages.some(({ role }) => role === "system" || role === "developer" || role === "tool")) return false;
  if (messages.some(({ tool_calls: calls }) => calls !== undefined)) return false;
  const blocks = messages.flatMap(({ content }) => objects(content));
  if (blocks.some(({ type }) => type === "image_url" || type === "input_audio" || type === "file")) return false;
  if (blocks.some(({ type }) => typeof type === "string" && messagesBlocks.includes(type))) return true;
  // Messages must have it; chat completions has given it up.
  return body.max_tokens !== undefined;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (entry): entry is JsonObject => typeof entry === "object" && entry !== null && !Array.isArray(entry),
  );
}
