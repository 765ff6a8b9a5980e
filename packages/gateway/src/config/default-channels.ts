import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import type { ChannelConfig, ProviderChannel, SandboxChannel } from "./config.ts";
import type { Environment } from "./substitute-environment.ts";

/** The address where a local Ollama answers. */
export const ollamaAddress = "http://127.0.0.1:11434";

/**
 * The simulated provider. The model `sandbox` is reached through the caller's own protocol; each `sandbox-<protocol>`
 * only through that protocol, which shows conversion at work.
 */
export const sandboxChannel: SandboxChannel = {
  name: "sandbox",
  sandbox: true,
  protocols: protocolNames,
  models: [
    { id: "sandbox" },
    ...protocolNames.map((protocol) => ({ id: `sandbox-${protocol}`, protocols: [protocol] })),
  ],
  status: "operational",
};

/** What a start without a file offers: the sandbox, the providers whose key the environment holds, and a local Ollama. */
export function defaultChannels(env: Environment, ollamaModels: readonly string[]): ChannelConfig[] {
  const channels: ChannelConfig[] = [sandboxChannel];
  const add = (
    name: string,
    protocols: readonly ProtocolName[],
    baseUrl: string,
    models: readonly string[],
    apiKey?: string,
  ) => {
    const channel: ProviderChannel = {
      name,
      sandbox: false,
      protocols,
      baseUrl,
      models: models.map((id) => ({ id })),
      status: "operational",
      headers: {},
    };
    channels.push(apiKey === undefined ? channel : { ...channel, apiKey });
  };
  const openai = setting(env, "OPENAI_API_KEY");
  if (openai) {
    const models = ["gpt-*", "chatgpt-*", "codex-*", "o1*", "o3*", "o4*"];
    add("openai", ["responses", "chat-completions"], "https://api.openai.com/v1", models, openai);
  }
  const anthropic = setting(env, "ANTHROPIC_API_KEY");
  if (anthropic) add("anthropic", ["messages"], "https://api.anthropic.com", ["claude-*"], anthropic);
  const gemini = setting(env, "GEMINI_API_KEY") ?? setting(env, "GOOGLE_API_KEY");
  if (gemini) {
    add("gemini", ["generate-content"], "https://generativelanguage.googleapis.com", ["gemini-*", "gemma-*"], gemini);
  }
  if (ollamaModels.length > 0) add("ollama", ["chat-completions"], `${ollamaAddress}/v1`, ollamaModels);
  return channels;
}

function setting(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
