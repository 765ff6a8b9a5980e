import type OpenAI from "openai";
import type { Caller } from "../recordings/read-back.ts";
import { citySchema, description, type SdkClient } from "./sdk-client.ts";

/** The stream helpers add what they parsed to their objects; the API itself does not take that back. */
export function asSent<T>(value: T): T {
  const parsed = new Set(["parsed", "parsed_arguments"]);
  return JSON.parse(JSON.stringify(value, (key, field) => (parsed.has(key) ? undefined : field))) as T;
}

/** The two majors share the surface that is used here; the older one is typed as the newer. */
type OpenAIClass = typeof OpenAI;

/** An OpenAI client that speaks chat completions. */
export function openAiChat(name: string, Sdk: OpenAIClass): SdkClient {
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

/** An OpenAI client that speaks the responses protocol. */
export function openAiResponses(name: string, Sdk: OpenAIClass): SdkClient {
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
