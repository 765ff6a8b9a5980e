import type Anthropic from "@anthropic-ai/sdk";
import type { Caller } from "../recordings/read-back.ts";
import { citySchema, description, type SdkClient } from "./sdk-client.ts";

/** The two majors share the surface that is used here; the older one is typed as the newer. */
type AnthropicClass = typeof Anthropic;

/** An Anthropic client. */
export function anthropic(name: string, Sdk: AnthropicClass): SdkClient {
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
