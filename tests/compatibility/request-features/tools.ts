import { everywhere, holds, type RequestFeature, type Wire } from "./feature.ts";
import { image, PNG } from "./picture.ts";
import { toolLoop } from "./tool-loop.ts";
import { chatTool, messagesTool, responsesTool, tools, withTools } from "./weather-tool.ts";

/** Tools, their choice and their results. */
export const toolsFeatures: readonly RequestFeature[] = [
  {
    title: "tool definitions",
    ask: tools,
    seen: {
      "chat-completions": (body) => body.tools[0].function.parameters.properties.city.type === "string",
      responses: (body) => body.tools[0].parameters.properties.city.type === "string",
      messages: (body) => body.tools[0].input_schema.properties.city.type === "string",
      "generate-content": (body) => holds('"city":{"type":"string"}')(body.tools[0].functionDeclarations[0]),
    },
  },
  {
    title: "strict tools",
    ask: {
      "chat-completions": { tools: [{ type: "function", function: { ...chatTool.function, strict: true } }] },
      responses: { tools: [{ ...responsesTool, strict: true }] },
      messages: { tools: [{ ...messagesTool, strict: true }] },
    },
    seen: {
      "chat-completions": (body) => body.tools[0].function.strict === true,
      responses: (body) => body.tools[0].strict === true,
      messages: (body) => body.tools[0].strict === true,
      "generate-content": (body) => body.toolConfig?.functionCallingConfig?.mode === "VALIDATED",
    },
  },
  {
    title: "tool choice: none",
    ask: withTools({
      "chat-completions": { tool_choice: "none" },
      responses: { tool_choice: "none" },
      messages: { tool_choice: { type: "none" } },
      "generate-content": { toolConfig: { functionCallingConfig: { mode: "NONE" } } },
    }),
    seen: {
      "chat-completions": (body) => body.tool_choice === "none",
      responses: (body) => body.tool_choice === "none",
      messages: (body) => body.tool_choice.type === "none",
      "generate-content": (body) => body.toolConfig.functionCallingConfig.mode === "NONE",
    },
  },
  {
    title: "tool choice: any",
    ask: withTools({
      "chat-completions": { tool_choice: "required" },
      responses: { tool_choice: "required" },
      messages: { tool_choice: { type: "any" } },
      "generate-content": { toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    }),
    seen: {
      "chat-completions": (body) => body.tool_choice === "required",
      responses: (body) => body.tool_choice === "required",
      messages: (body) => body.tool_choice.type === "any",
      "generate-content": (body) => body.toolConfig.functionCallingConfig.mode === "ANY",
    },
  },
  {
    title: "tool choice: one tool",
    ask: withTools({
      "chat-completions": { tool_choice: { type: "function", function: { name: "get_weather" } } },
      responses: { tool_choice: { type: "function", name: "get_weather" } },
      messages: { tool_choice: { type: "tool", name: "get_weather" } },
      "generate-content": {
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["get_weather"] } },
      },
    }),
    seen: {
      "chat-completions": (body) => body.tool_choice.function.name === "get_weather",
      responses: (body) => body.tool_choice.name === "get_weather",
      messages: (body) => body.tool_choice.name === "get_weather",
      "generate-content": (body) => body.toolConfig.functionCallingConfig.allowedFunctionNames[0] === "get_weather",
    },
  },
  {
    title: "parallel calls off",
    ask: withTools({
      "chat-completions": { parallel_tool_calls: false },
      responses: { parallel_tool_calls: false },
      messages: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    }),
    seen: {
      "chat-completions": (body) => body.parallel_tool_calls === false,
      responses: (body) => body.parallel_tool_calls === false,
      messages: (body) => body.tool_choice.disable_parallel_tool_use === true,
    },
  },
  {
    title: "custom (freeform) tools",
    ask: {
      "chat-completions": { tools: [{ type: "custom", custom: { name: "get_weather", description: "Free text" } }] },
      responses: { tools: [{ type: "custom", name: "get_weather", description: "Free text" }] },
    },
    seen: everywhere((body) => holds("get_weather")(body.tools)),
  },
  {
    title: "tool result",
    ask: toolLoop({
      chat: { content: "4 degrees" },
      responses: { output: "4 degrees" },
      messages: { content: "4 degrees" },
      gemini: { response: { output: "4 degrees" } },
    }),
    seen: {
      "chat-completions": (body) =>
        body.messages.some((turn: Wire) => turn.role === "tool" && turn.content.includes("4 degrees")),
      responses: (body) =>
        body.input.some((item: Wire) => item.type === "function_call_output" && holds("4 degrees")(item.output)),
      messages: (body) =>
        holds('"type":"tool_result"')(body.messages.at(-1)) && holds("4 degrees")(body.messages.at(-1)),
      "generate-content": (body) => holds("4 degrees")(body.contents.at(-1).parts[0].functionResponse.response),
    },
  },
  {
    title: "tool result that is an error",
    ask: toolLoop({
      chat: { content: "Error: station offline" },
      responses: { output: "Error: station offline" },
      messages: { content: "station offline", is_error: true },
      gemini: { response: { error: "station offline" } },
    }),
    seen: {
      "chat-completions": (body) => holds("Error: station offline")(body),
      responses: (body) => holds("Error: station offline")(body),
      messages: (body) =>
        holds("station offline")(body) && (holds('"is_error":true')(body) || holds("Error: station")(body)),
      "generate-content": (body) => holds('"error":"station offline"')(body) || holds("Error: station offline")(body),
    },
  },
  {
    title: "tool result with an image",
    ask: {
      responses:
        toolLoop({
          chat: {},
          responses: { output: [{ type: "input_image", image_url: image, detail: "auto" }] },
          messages: {},
          gemini: {},
        }).responses ?? {},
      messages:
        toolLoop({
          chat: {},
          responses: {},
          messages: { content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }] },
          gemini: {},
        }).messages ?? {},
    },
    seen: everywhere(holds(PNG)),
  },
];

/** A search that the provider runs. */
export const webSearch: RequestFeature = {
  title: "web search by the provider",
  ask: {
    "chat-completions": { web_search_options: {} },
    responses: { tools: [{ type: "web_search" }] },
    messages: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    "generate-content": { tools: [{ googleSearch: {} }] },
  },
  seen: {
    "chat-completions": (body) => body.web_search_options !== undefined,
    responses: holds("web_search"),
    messages: holds("web_search_2025"),
    "generate-content": holds("googleSearch"),
  },
};
