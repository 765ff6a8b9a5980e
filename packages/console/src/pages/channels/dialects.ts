import type { Channel } from "./channel-api.ts";
import type { ChannelsText } from "./texts.ts";

export type Dialect = NonNullable<Channel["dialect"]>;

/** Makes of servers under the names of their makers; null where a text says what is meant. */
const names: Readonly<Record<Dialect, string | null>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Gemini",
  deepseek: "DeepSeek",
  groq: "Groq",
  mistral: "Mistral",
  xai: "xAI",
  openrouter: "OpenRouter",
  ollama: "Ollama",
  vllm: "vLLM",
  "llama.cpp": "llama.cpp",
  compatible: null,
  permissive: null,
};

// The keys of the table are the makes.
export const dialects = Object.keys(names) as Dialect[];

/** How a make is called; null stands for the guess by address and model. */
export function dialectName(dialect: Dialect | null, t: ChannelsText): string {
  switch (dialect) {
    case null:
      return t("dialectAuto");
    case "compatible":
    case "permissive":
      return t(`dialect_${dialect}`);
    default:
      return names[dialect] ?? dialect;
  }
}
