import type { JsonObject, ProtocolName } from "@interlingua/protocols";
import { type PerProtocol, schema } from "./feature.ts";

/** The weather tool of chat completions. */
export const chatTool = {
  type: "function",
  function: { name: "get_weather", description: "Weather", parameters: schema },
};

/** The weather tool of the responses protocol. */
export const responsesTool = {
  type: "function",
  name: "get_weather",
  description: "Weather",
  parameters: schema,
  strict: false,
};

/** The weather tool of the messages protocol. */
export const messagesTool = { name: "get_weather", description: "Weather", input_schema: schema };

const geminiTool = {
  functionDeclarations: [{ name: "get_weather", description: "Weather", parametersJsonSchema: schema }],
};

/** The weather tool in each protocol's form. */
export const tools: PerProtocol<JsonObject> = {
  "chat-completions": { tools: [chatTool] },
  responses: { tools: [responsesTool] },
  messages: { tools: [messagesTool] },
  "generate-content": { tools: [geminiTool] },
};

/** Adds the weather tool to each protocol's fields. */
export function withTools(ask: PerProtocol<JsonObject>): PerProtocol<JsonObject> {
  return Object.fromEntries(
    Object.entries(ask).map(([protocol, fields]) => [protocol, { ...tools[protocol as ProtocolName], ...fields }]),
  );
}
