import type { Protocol } from "./channel-api.ts";

interface Provider {
  protocols: readonly Protocol[];
  baseUrl: string;
  /** As they are typed. */
  models: string;
}

/** What a new channel of a known provider begins with. */
export const providers = {
  openai: {
    protocols: ["responses", "chat-completions"],
    baseUrl: "https://api.openai.com/v1",
    models: "gpt-*\no1*\no3*\no4*",
  },
  anthropic: { protocols: ["messages"], baseUrl: "https://api.anthropic.com", models: "claude-*" },
  gemini: {
    protocols: ["generate-content"],
    baseUrl: "https://generativelanguage.googleapis.com",
    models: "gemini-*",
  },
  compatible: { protocols: ["chat-completions"], baseUrl: "https://", models: "" },
} as const satisfies Record<string, Provider>;
