import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import type { Caller } from "../recordings/read-back.ts";
import { citySchema, description, type SdkClient } from "./sdk-client.ts";

/** The AI SDK over one of its providers. */
export function vercel(name: string, model: (caller: Caller, id: string) => LanguageModel): SdkClient {
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
