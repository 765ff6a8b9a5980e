import type { JsonObject } from "@interlingua/protocols";
import { withTools } from "./weather-tool.ts";

const call = '{"city":"Oslo"}';

/** A conversation in which the tool was called and `result` is its result, in each protocol's form. */
export function toolLoop(result: {
  chat: JsonObject;
  responses: JsonObject;
  messages: JsonObject;
  gemini: JsonObject;
}) {
  return withTools({
    "chat-completions": {
      messages: [
        { role: "user", content: "Weather in Oslo?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: call } }],
        },
        { role: "tool", tool_call_id: "call_1", ...result.chat },
      ],
    },
    responses: {
      input: [
        { role: "user", content: "Weather in Oslo?" },
        { type: "function_call", call_id: "call_1", name: "get_weather", arguments: call },
        { type: "function_call_output", call_id: "call_1", ...result.responses },
      ],
    },
    messages: {
      messages: [
        { role: "user", content: "Weather in Oslo?" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Oslo" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", ...result.messages }] },
      ],
    },
    "generate-content": {
      contents: [
        { role: "user", parts: [{ text: "Weather in Oslo?" }] },
        { role: "model", parts: [{ functionCall: { id: "call_1", name: "get_weather", args: { city: "Oslo" } } }] },
        { role: "user", parts: [{ functionResponse: { id: "call_1", name: "get_weather", ...result.gemini } }] },
      ],
    },
  });
}
