/**
 * Which make of server stands behind a protocol. Servers that are "compatible" with a vendor's protocol take, refuse
 * and spell things each in its own way. `compatible`: a server of no known make, which gets the common fields alone.
 * `permissive`: one that is told everything and decides by itself.
 */
export const dialects = [
  "openai",
  "anthropic",
  "gemini",
  "deepseek",
  "groq",
  "mistral",
  "xai",
  "openrouter",
  "ollama",
  "vllm",
  "llama.cpp",
  "compatible",
  "permissive",
] as const;

export type Dialect = (typeof dialects)[number];
