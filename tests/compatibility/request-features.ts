import type { JsonObject, ProtocolName } from "@interlingua/protocols";

// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols are read here as they lie on the wire
export type Wire = any;

type PerProtocol<T> = Partial<Record<ProtocolName, T>>;

/**
 * Something a caller can ask for. `ask` holds the fields that say it in each client protocol (absent: the protocol has
 * no words for it); `seen` tells whether an upstream request says it.
 */
export interface RequestFeature {
  title: string;
  ask: PerProtocol<JsonObject>;
  seen: PerProtocol<(body: Wire) => boolean>;
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = "JVBERi0xLjEKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4KJSVFT0Y=";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

const chatTool = { type: "function", function: { name: "get_weather", description: "Weather", parameters: schema } };
const responsesTool = {
  type: "function",
  name: "get_weather",
  description: "Weather",
  parameters: schema,
  strict: false,
};
const messagesTool = { name: "get_weather", description: "Weather", input_schema: schema };
const geminiTool = {
  functionDeclarations: [{ name: "get_weather", description: "Weather", parametersJsonSchema: schema }],
};
const tools: PerProtocol<JsonObject> = {
  "chat-completions": { tools: [chatTool] },
  responses: { tools: [responsesTool] },
  messages: { tools: [messagesTool] },
  "generate-content": { tools: [geminiTool] },
};

/** Adds the weather tool to each protocol's fields. */
function withTools(ask: PerProtocol<JsonObject>): PerProtocol<JsonObject> {
  return Object.fromEntries(
    Object.entries(ask).map(([protocol, fields]) => [protocol, { ...tools[protocol as ProtocolName], ...fields }]),
  );
}

const config = (fields: JsonObject): JsonObject => ({ generationConfig: fields });
const json = (body: Wire): string => JSON.stringify(body);
const holds =
  (needle: string) =>
  (body: Wire): boolean =>
    json(body).includes(needle);
const everywhere = (seen: (body: Wire) => boolean): PerProtocol<(body: Wire) => boolean> => ({
  "chat-completions": seen,
  responses: seen,
  messages: seen,
  "generate-content": seen,
});

const number = (
  title: string,
  names: [chat?: string, responses?: string, messages?: string, gemini?: string],
  value: number,
): RequestFeature => {
  const [chat, responses, messages, gemini] = names;
  return {
    title,
    ask: {
      ...(chat ? { "chat-completions": { [chat]: value } } : {}),
      ...(responses ? { responses: { [responses]: value } } : {}),
      ...(messages ? { messages: { [messages]: value } } : {}),
      ...(gemini ? { "generate-content": config({ [gemini]: value }) } : {}),
    },
    seen: {
      ...(chat
        ? {
            "chat-completions": (body) =>
              body[chat] === value || (chat === "max_completion_tokens" && body.max_tokens === value),
          }
        : {}),
      ...(responses ? { responses: (body) => body[responses] === value } : {}),
      ...(messages ? { messages: (body) => body[messages] === value } : {}),
      ...(gemini ? { "generate-content": (body) => body.generationConfig?.[gemini] === value } : {}),
    },
  };
};

const image = `data:image/png;base64,${PNG}`;
const call = '{"city":"Oslo"}';

/** A conversation in which the tool was called and `result` is its result, in each protocol's form. */
function toolLoop(result: { chat: JsonObject; responses: JsonObject; messages: JsonObject; gemini: JsonObject }) {
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

export const requestFeatures: readonly RequestFeature[] = [
  {
    title: "text",
    ask: { "chat-completions": {}, responses: {}, messages: {}, "generate-content": {} },
    seen: everywhere(holds("Hello")),
  },
  {
    title: "system text",
    ask: {
      "chat-completions": {
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Hello" },
        ],
      },
      responses: { instructions: "Be brief." },
      messages: { system: "Be brief." },
      "generate-content": { systemInstruction: { parts: [{ text: "Be brief." }] } },
    },
    seen: {
      "chat-completions": (body) =>
        /system|developer/.test(body.messages[0].role) && holds("Be brief.")(body.messages[0]),
      responses: (body) => holds("Be brief.")(body.instructions ?? body.input[0]),
      messages: (body) => holds("Be brief.")(body.system),
      "generate-content": (body) => holds("Be brief.")(body.systemInstruction),
    },
  },
  {
    title: "developer turn",
    ask: {
      "chat-completions": {
        messages: [
          { role: "developer", content: "Be brief." },
          { role: "user", content: "Hello" },
        ],
      },
      responses: {
        input: [
          { role: "developer", content: "Be brief." },
          { role: "user", content: "Hello" },
        ],
      },
    },
    seen: everywhere(holds("Be brief.")),
  },
  {
    title: "system turn in mid-conversation",
    ask: {
      "chat-completions": {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "system", content: "Now be brief." },
          { role: "user", content: "Three" },
        ],
      },
      responses: {
        input: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "system", content: "Now be brief." },
          { role: "user", content: "Three" },
        ],
      },
      messages: {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
          { role: "system", content: "Now be brief." },
        ],
      },
    },
    seen: everywhere(holds("Now be brief.")),
  },
  {
    title: "several turns",
    ask: {
      "chat-completions": {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
        ],
      },
      responses: {
        input: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
        ],
      },
      messages: {
        messages: [
          { role: "user", content: "One" },
          { role: "assistant", content: "Two" },
          { role: "user", content: "Three" },
        ],
      },
      "generate-content": {
        contents: [
          { role: "user", parts: [{ text: "One" }] },
          { role: "model", parts: [{ text: "Two" }] },
          { role: "user", parts: [{ text: "Three" }] },
        ],
      },
    },
    seen: {
      "chat-completions": (body) => body.messages.map((turn: Wire) => turn.role).join() === "user,assistant,user",
      responses: (body) => body.input.map((turn: Wire) => turn.role).join() === "user,assistant,user",
      messages: (body) => body.messages.map((turn: Wire) => turn.role).join() === "user,assistant,user",
      "generate-content": (body) => body.contents.map((turn: Wire) => turn.role).join() === "user,model,user",
    },
  },
  number("temperature", ["temperature", "temperature", "temperature", "temperature"], 0.5),
  number("top_p", ["top_p", "top_p", "top_p", "topP"], 0.5),
  number("top_k", [undefined, undefined, "top_k", "topK"], 40),
  number("seed", ["seed", undefined, undefined, "seed"], 7),
  number("frequency penalty", ["frequency_penalty", undefined, undefined, "frequencyPenalty"], 0.5),
  number("presence penalty", ["presence_penalty", undefined, undefined, "presencePenalty"], 0.5),
  {
    title: "logit bias",
    ask: { "chat-completions": { logit_bias: { "50256": -100 } } },
    seen: { "chat-completions": (body) => body.logit_bias?.["50256"] === -100 },
  },
  {
    title: "log probabilities",
    ask: {
      "chat-completions": { logprobs: true, top_logprobs: 2 },
      responses: { top_logprobs: 2, include: ["message.output_text.logprobs"] },
      "generate-content": config({ responseLogprobs: true, logprobs: 2 }),
    },
    seen: {
      "chat-completions": (body) => body.logprobs === true && body.top_logprobs === 2,
      responses: (body) => body.top_logprobs === 2 && body.include.includes("message.output_text.logprobs"),
      "generate-content": (body) =>
        body.generationConfig?.responseLogprobs === true && body.generationConfig.logprobs === 2,
    },
  },
  number("output limit", ["max_completion_tokens", "max_output_tokens", "max_tokens", "maxOutputTokens"], 100),
  {
    title: "stop sequences",
    ask: {
      "chat-completions": { stop: ["END"] },
      messages: { stop_sequences: ["END"] },
      "generate-content": config({ stopSequences: ["END"] }),
    },
    seen: {
      "chat-completions": (body) => [body.stop].flat().includes("END"),
      messages: (body) => body.stop_sequences?.includes("END"),
      "generate-content": (body) => body.generationConfig?.stopSequences?.includes("END"),
    },
  },
  {
    title: "several candidates",
    ask: { "chat-completions": { n: 2 }, "generate-content": config({ candidateCount: 2 }) },
    seen: {
      "chat-completions": (body) => body.n === 2,
      "generate-content": (body) => body.generationConfig?.candidateCount === 2,
    },
  },
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
  {
    title: "JSON object output",
    ask: {
      "chat-completions": {
        messages: [{ role: "user", content: "Give JSON" }],
        response_format: { type: "json_object" },
      },
      responses: { input: "Give JSON", text: { format: { type: "json_object" } } },
      "generate-content": config({ responseMimeType: "application/json" }),
    },
    seen: {
      "chat-completions": (body) => body.response_format?.type === "json_object",
      responses: (body) => body.text?.format?.type === "json_object",
      messages: (body) => body.output_config?.format !== undefined || holds("JSON object")(body.system),
      "generate-content": (body) => body.generationConfig?.responseMimeType === "application/json",
    },
  },
  {
    title: "JSON schema output",
    ask: {
      "chat-completions": {
        response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
      },
      responses: { text: { format: { type: "json_schema", name: "weather", schema, strict: true } } },
      messages: { output_config: { format: { type: "json_schema", schema } } },
      "generate-content": config({ responseMimeType: "application/json", responseJsonSchema: schema }),
    },
    seen: {
      "chat-completions": (body) => body.response_format?.json_schema?.schema?.properties?.city !== undefined,
      responses: (body) => body.text?.format?.schema?.properties?.city !== undefined,
      messages: (body) => body.output_config?.format?.schema?.properties?.city !== undefined,
      "generate-content": (body) =>
        (body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema)?.properties?.city !==
        undefined,
    },
  },
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
  {
    title: "reasoning effort",
    ask: {
      "chat-completions": { reasoning_effort: "high" },
      responses: { reasoning: { effort: "high" } },
      messages: { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      "generate-content": config({ thinkingConfig: { thinkingLevel: "HIGH" } }),
    },
    seen: {
      "chat-completions": (body) => body.reasoning_effort === "high",
      responses: (body) => body.reasoning?.effort === "high",
      messages: (body) => body.output_config?.effort === "high" || body.thinking?.budget_tokens > 0,
      "generate-content": (body) =>
        /high/i.test(body.generationConfig?.thinkingConfig?.thinkingLevel ?? "") ||
        body.generationConfig?.thinkingConfig?.thinkingBudget > 0,
    },
  },
  {
    title: "reasoning budget",
    ask: {
      messages: { max_tokens: 32_000, thinking: { type: "enabled", budget_tokens: 8192 } },
      "generate-content": config({ thinkingConfig: { thinkingBudget: 8192 } }),
    },
    seen: {
      "chat-completions": (body) => body.reasoning_effort !== undefined,
      responses: (body) => body.reasoning?.effort !== undefined,
      messages: (body) => body.output_config?.effort !== undefined || body.thinking?.budget_tokens > 0,
      "generate-content": (body) => body.generationConfig?.thinkingConfig !== undefined,
    },
  },
  {
    title: "verbosity",
    ask: { "chat-completions": { verbosity: "low" }, responses: { text: { verbosity: "low" } } },
    seen: {
      "chat-completions": (body) => body.verbosity === "low",
      responses: (body) => body.text?.verbosity === "low",
    },
  },
  {
    title: "end-user id",
    ask: {
      "chat-completions": { safety_identifier: "user-1" },
      responses: { safety_identifier: "user-1" },
      messages: { metadata: { user_id: "user-1" } },
    },
    seen: {
      "chat-completions": holds("user-1"),
      responses: holds("user-1"),
      messages: (body) => body.metadata?.user_id === "user-1",
    },
  },
  {
    title: "metadata pairs",
    ask: {
      "chat-completions": { metadata: { project: "p1" }, store: true },
      responses: { metadata: { project: "p1" } },
    },
    seen: {
      "chat-completions": (body) => body.metadata?.project === "p1",
      responses: (body) => body.metadata?.project === "p1",
    },
  },
  {
    title: "service tier",
    ask: {
      "chat-completions": { service_tier: "priority" },
      responses: { service_tier: "priority" },
      messages: { service_tier: "standard_only" },
      "generate-content": { serviceTier: "priority" },
    },
    seen: {
      "chat-completions": (body) => body.service_tier !== undefined,
      responses: (body) => body.service_tier !== undefined,
      messages: (body) => body.service_tier !== undefined,
      // The standard tier is Gemini's default and needs no word; only messages asks for it here.
      "generate-content": (body) => body.serviceTier === undefined || body.serviceTier === "priority",
    },
  },
  {
    title: "cache key",
    ask: { "chat-completions": { prompt_cache_key: "k1" }, responses: { prompt_cache_key: "k1" } },
    seen: {
      "chat-completions": (body) => body.prompt_cache_key === "k1",
      responses: (body) => body.prompt_cache_key === "k1",
    },
  },
  {
    title: "prefilled answer",
    ask: {
      "chat-completions": {
        messages: [
          { role: "user", content: "Count" },
          { role: "assistant", content: "One, two," },
        ],
      },
      responses: {
        input: [
          { role: "user", content: "Count" },
          { role: "assistant", content: "One, two," },
        ],
      },
      messages: {
        messages: [
          { role: "user", content: "Count" },
          { role: "assistant", content: "One, two," },
        ],
      },
      "generate-content": {
        contents: [
          { role: "user", parts: [{ text: "Count" }] },
          { role: "model", parts: [{ text: "One, two," }] },
        ],
      },
    },
    seen: everywhere(holds("One, two,")),
  },
  {
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
  },
  {
    title: "stored conversation (previous answer)",
    ask: { responses: { previous_response_id: "resp_0123456789abcdef" } },
    seen: { responses: (body) => body.previous_response_id === "resp_0123456789abcdef" },
  },
];
