import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { type Content, type FunctionDeclaration, GoogleGenAI } from "@google/genai";
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import AnthropicOld from "anthropic0";
import OpenAI from "openai";
import OpenAIOld from "openai6";
import type { Caller } from "../recordings/read-back.ts";

/** What every client is asked to do, in the words of its own SDK. */
export interface SdkClient {
  name: string;
  /** Asks for text and gives the text back. */
  text(
    caller: Caller,
    model: string,
    stream: boolean,
    prompt: string,
  ): Promise<{ text: string; inputTokens: number; outputTokens: number }>;
  /**
   * Offers `get_weather`, asks for the weather of two cities, runs the calls that come with `weather`, sends the
   * results back, and gives the final text.
   */
  toolLoop(
    caller: Caller,
    model: string,
    stream: boolean,
    prompt: string,
    weather: (city: string) => string,
  ): Promise<string>;
  /** Asks for a JSON document by schema and gives its text back. */
  structured(caller: Caller, model: string, stream: boolean, prompt: string): Promise<string>;
}

export const citySchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const, description: "The city" } },
  required: ["city"],
  additionalProperties: false as const,
};

/** The stream helpers add what they parsed to their objects; the API itself does not take that back. */
function asSent<T>(value: T): T {
  const parsed = new Set(["parsed", "parsed_arguments"]);
  return JSON.parse(JSON.stringify(value, (key, field) => (parsed.has(key) ? undefined : field))) as T;
}

const description = "Current weather of a city";

/** The two majors share the surface that is used here; the older one is typed as the newer. */
type OpenAIClass = typeof OpenAI;
type AnthropicClass = typeof Anthropic;

function openAiChat(name: string, Sdk: OpenAIClass): SdkClient {
  const client = (caller: Caller) => new Sdk({ apiKey: caller.key, baseURL: `${caller.url}/v1`, maxRetries: 0 });
  const run = async (caller: Caller, stream: boolean, request: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming) =>
    stream
      ? await client(caller)
          .chat.completions.stream({ ...request, stream: true, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client(caller).chat.completions.create(request);
  const tools: OpenAI.Chat.ChatCompletionTool[] = [
    { type: "function", function: { name: "get_weather", description, parameters: citySchema } },
  ];
  return {
    name,
    async text(caller, model, stream, prompt) {
      const answer = await run(caller, stream, { model, messages: [{ role: "user", content: prompt }] });
      return {
        text: answer.choices[0]?.message.content ?? "",
        inputTokens: answer.usage?.prompt_tokens ?? -1,
        outputTokens: answer.usage?.completion_tokens ?? -1,
      };
    },
    async toolLoop(caller, model, stream, prompt, weather) {
      const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
      const first = (await run(caller, stream, { model, messages, tools })).choices[0]?.message;
      if (!first) return "";
      messages.push(asSent(first));
      for (const call of first.tool_calls ?? []) {
        if (call.type !== "function") continue;
        messages.push({
          role: "tool",
          tool_call_id: call.id,
          content: weather(JSON.parse(call.function.arguments).city),
        });
      }
      return (await run(caller, stream, { model, messages, tools })).choices[0]?.message.content ?? "";
    },
    async structured(caller, model, stream, prompt) {
      const answer = await run(caller, stream, {
        model,
        messages: [{ role: "user", content: prompt }],
        response_format: { type: "json_schema", json_schema: { name: "place", schema: citySchema, strict: true } },
      });
      return answer.choices[0]?.message.content ?? "";
    },
  };
}

function openAiResponses(name: string, Sdk: OpenAIClass): SdkClient {
  const client = (caller: Caller) => new Sdk({ apiKey: caller.key, baseURL: `${caller.url}/v1`, maxRetries: 0 });
  const run = async (caller: Caller, stream: boolean, request: OpenAI.Responses.ResponseCreateParamsNonStreaming) =>
    stream
      ? await client(caller)
          .responses.stream({ ...request, stream: true })
          .finalResponse()
      : await client(caller).responses.create(request);
  const tools: OpenAI.Responses.Tool[] = [
    { type: "function", name: "get_weather", description, parameters: citySchema, strict: true },
  ];
  const base = { store: false, include: ["reasoning.encrypted_content" as const] };
  return {
    name,
    async text(caller, model, stream, prompt) {
      const answer = await run(caller, stream, { ...base, model, input: prompt });
      return {
        text: answer.output_text,
        inputTokens: answer.usage?.input_tokens ?? -1,
        outputTokens: answer.usage?.output_tokens ?? -1,
      };
    },
    async toolLoop(caller, model, stream, prompt, weather) {
      const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: prompt }];
      const first = await run(caller, stream, { ...base, model, input, tools });
      // Output items go back as they came: that is what the SDK's documentation asks for.
      input.push(...(first.output.map(asSent) as OpenAI.Responses.ResponseInputItem[]));
      for (const item of first.output) {
        if (item.type !== "function_call") continue;
        input.push({
          type: "function_call_output",
          call_id: item.call_id,
          output: weather(JSON.parse(item.arguments).city),
        });
      }
      return (await run(caller, stream, { ...base, model, input, tools })).output_text;
    },
    async structured(caller, model, stream, prompt) {
      const answer = await run(caller, stream, {
        ...base,
        model,
        input: prompt,
        text: { format: { type: "json_schema", name: "place", schema: citySchema, strict: true } },
      });
      return answer.output_text;
    },
  };
}

function anthropic(name: string, Sdk: AnthropicClass): SdkClient {
  const client = (caller: Caller) => new Sdk({ apiKey: caller.key, baseURL: caller.url, maxRetries: 0 });
  const run = async (
    caller: Caller,
    stream: boolean,
    request: Omit<Anthropic.MessageCreateParamsNonStreaming, "max_tokens">,
  ) =>
    stream
      ? await client(caller)
          .messages.stream({ max_tokens: 2048, ...request })
          .finalMessage()
      : await client(caller).messages.create({ max_tokens: 2048, ...request });
  const tools: Anthropic.Tool[] = [{ name: "get_weather", description, input_schema: citySchema }];
  const textOf = (answer: Anthropic.Message) =>
    answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return {
    name,
    async text(caller, model, stream, prompt) {
      const answer = await run(caller, stream, { model, messages: [{ role: "user", content: prompt }] });
      return { text: textOf(answer), inputTokens: answer.usage.input_tokens, outputTokens: answer.usage.output_tokens };
    },
    async toolLoop(caller, model, stream, prompt, weather) {
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
      const first = await run(caller, stream, { model, messages, tools });
      messages.push({ role: "assistant", content: first.content });
      const results = first.content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
        block.type === "tool_use"
          ? [{ type: "tool_result", tool_use_id: block.id, content: weather((block.input as { city: string }).city) }]
          : [],
      );
      messages.push({ role: "user", content: results });
      return textOf(await run(caller, stream, { model, messages, tools }));
    },
    async structured(caller, model, stream, prompt) {
      const answer = await run(caller, stream, {
        model,
        messages: [{ role: "user", content: prompt }],
        output_config: { format: { type: "json_schema", schema: citySchema } },
      });
      return textOf(answer);
    },
  };
}

const google: SdkClient = {
  name: "@google/genai 3",
  async text(caller, model, stream, prompt) {
    const answer = await googleRun(caller, model, stream, [{ role: "user", parts: [{ text: prompt }] }], {});
    return { text: answer.text, inputTokens: answer.input, outputTokens: answer.output };
  },
  async toolLoop(caller, model, stream, prompt, weather) {
    const declaration: FunctionDeclaration = { name: "get_weather", description, parametersJsonSchema: citySchema };
    const config = { tools: [{ functionDeclarations: [declaration] }] };
    const contents: Content[] = [{ role: "user", parts: [{ text: prompt }] }];
    const first = await googleRun(caller, model, stream, contents, config);
    contents.push(...first.contents);
    const calls = first.contents.flatMap((content) => content.parts ?? []).flatMap((part) => part.functionCall ?? []);
    contents.push({
      role: "user",
      parts: calls.map((call) => ({
        functionResponse: {
          ...(call.id ? { id: call.id } : {}),
          name: call.name ?? "",
          response: { output: weather(String(call.args?.city)) },
        },
      })),
    });
    return (await googleRun(caller, model, stream, contents, config)).text;
  },
  async structured(caller, model, stream, prompt) {
    const config = { responseMimeType: "application/json", responseJsonSchema: citySchema };
    return (await googleRun(caller, model, stream, [{ role: "user", parts: [{ text: prompt }] }], config)).text;
  },
};

async function googleRun(caller: Caller, model: string, stream: boolean, contents: Content[], config: object) {
  const client = new GoogleGenAI({ apiKey: caller.key, httpOptions: { baseUrl: caller.url } });
  const chunks = [];
  if (stream)
    for await (const chunk of await client.models.generateContentStream({ model, contents, config }))
      chunks.push(chunk);
  else chunks.push(await client.models.generateContent({ model, contents, config }));
  const answers = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content ?? []);
  const usage = chunks.at(-1)?.usageMetadata;
  return {
    // As the SDK's own chat keeps history: one content for each chunk.
    contents: answers,
    text: answers
      .flatMap((content) => content.parts ?? [])
      .map((part) => (part.thought ? "" : (part.text ?? "")))
      .join(""),
    input: usage?.promptTokenCount ?? -1,
    output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  };
}

function vercel(name: string, model: (caller: Caller, id: string) => LanguageModel): SdkClient {
  const run = async (caller: Caller, id: string, stream: boolean, rest: object, prompt: string) => {
    const options = { model: model(caller, id), prompt, maxRetries: 0, ...rest };
    if (!stream) {
      const answer = await generateText(options);
      return { text: answer.text, usage: answer.totalUsage };
    }
    let failure: unknown;
    const answer = streamText({
      ...options,
      onError: ({ error }) => {
        failure = error;
      },
    });
    const text = await answer.text;
    if (failure) throw failure;
    return { text, usage: await answer.totalUsage };
  };
  return {
    name,
    async text(caller, id, stream, prompt) {
      const answer = await run(caller, id, stream, {}, prompt);
      return {
        text: answer.text,
        inputTokens: answer.usage.inputTokens ?? -1,
        outputTokens: answer.usage.outputTokens ?? -1,
      };
    },
    async toolLoop(caller, id, stream, prompt, weather) {
      const get_weather = tool({
        description,
        inputSchema: jsonSchema<{ city: string }>(citySchema),
        execute: async ({ city }) => weather(city),
      });
      return (await run(caller, id, stream, { tools: { get_weather }, stopWhen: stepCountIs(3) }, prompt)).text;
    },
    async structured(caller, id, stream, prompt) {
      const { Output } = await import("ai");
      return (await run(caller, id, stream, { output: Output.object({ schema: jsonSchema(citySchema) }) }, prompt))
        .text;
    },
  };
}

export const sdkClients: readonly SdkClient[] = [
  openAiChat("openai 7, chat completions", OpenAI),
  // The older majors differ in types only in places that are not used here.
  openAiChat("openai 6, chat completions", OpenAIOld as never),
  openAiResponses("openai 7, responses", OpenAI),
  openAiResponses("openai 6, responses", OpenAIOld as never),
  anthropic("@anthropic-ai/sdk 1", Anthropic),
  anthropic("@anthropic-ai/sdk 0", AnthropicOld as never),
  google,
  vercel("ai, OpenAI responses", (caller, id) =>
    createOpenAI({ apiKey: caller.key, baseURL: `${caller.url}/v1` }).responses(id),
  ),
  vercel("ai, OpenAI chat", (caller, id) => createOpenAI({ apiKey: caller.key, baseURL: `${caller.url}/v1` }).chat(id)),
  vercel("ai, Anthropic", (caller, id) => createAnthropic({ apiKey: caller.key, baseURL: `${caller.url}/v1` })(id)),
  vercel("ai, Google", (caller, id) =>
    createGoogleGenerativeAI({ apiKey: caller.key, baseURL: `${caller.url}/v1beta` })(id),
  ),
];
