import type { Dialect } from "@interlingua/protocols";

/** Vendors and resellers by the hosts of their services. */
const hosts: Readonly<Record<string, Dialect>> = {
  "api.openai.com": "openai",
  "api.anthropic.com": "anthropic",
  "generativelanguage.googleapis.com": "gemini",
  "api.deepseek.com": "deepseek",
  "api.groq.com": "groq",
  "api.mistral.ai": "mistral",
  "codestral.mistral.ai": "mistral",
  "api.x.ai": "xai",
  "openrouter.ai": "openrouter",
};

/** The port that Ollama takes where nobody says another. */
const ollamaPort = "11434";

/** The make of server that a channel's base address tells; undefined for one that tells nothing. */
export function guessDialect(baseUrl: string): Dialect | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { hostname, port } = new URL(baseUrl);
  if (Object.hasOwn(hosts, hostname)) return hosts[hostname];
  return port === ollamaPort ? "ollama" : undefined;
}
