import type { Dialect } from "@interlingua/protocols";
import { describe, expect, test } from "vitest";
import type { CapabilityEntry } from "../config/capability-entry.ts";
import { type AddressedChannel, createChannel } from "./channel.ts";
import { createChannelHealth } from "./channel-health.ts";
import { guessDialect } from "./guess-dialect.ts";
import type { UpstreamClient } from "./upstream-client.ts";

test.each<[string, Dialect | undefined]>([
  ["https://api.openai.com/v1", "openai"],
  ["https://api.anthropic.com", "anthropic"],
  ["https://generativelanguage.googleapis.com/v1beta/openai", "gemini"],
  ["https://api.deepseek.com", "deepseek"],
  ["https://api.groq.com/openai/v1", "groq"],
  ["https://api.mistral.ai/v1", "mistral"],
  ["https://api.x.ai/v1", "xai"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["http://127.0.0.1:11434/v1", "ollama"],
  ["http://ollama.lan:11434/v1", "ollama"],
  ["https://llm.example.com/v1", undefined],
  ["https://api.openai.com.example.com/v1", undefined],
  ["http://127.0.0.1:8000/constructor", undefined],
])("the server at %s is %s", (address, dialect) => {
  expect(guessDialect(address)).toBe(dialect);
});

describe("what is known of a channel's models", () => {
  const client: UpstreamClient = { send: () => undefined, close: async () => {} };
  const entry: AddressedChannel = {
    name: "one",
    protocols: ["chat-completions"],
    baseUrl: "https://api.mistral.ai/v1",
    headers: {},
    models: [{ id: "*" }],
    status: "operational",
  };
  const traits = (more: Partial<AddressedChannel>, told: readonly CapabilityEntry[] = []) =>
    createChannel(
      { ...entry, ...more },
      client,
      createChannelHealth(() => 0),
      told,
    ).traits("chat-completions", "m-large");

  test("a dialect that is named goes before the guess, and the sandbox has none", () => {
    expect(traits({}).dialect).toBe("mistral");
    expect(traits({ dialect: "vllm" }).dialect).toBe("vllm");
    expect(traits({ sandbox: true }).dialect).toBeUndefined();
  });

  test("of several entries the first counts for each capability; those of others do not", () => {
    const protocol = "chat-completions";
    const told: CapabilityEntry[] = [
      { model: "m-*", protocol, set: { names: true } },
      { model: "*", protocol, channel: "one", set: { names: false, topK: true } },
      { model: "*", protocol, channel: "two", set: { video: false } },
      { model: "*", protocol: "messages", set: { display: false } },
      { model: "other", protocol, set: { jsonWord: true } },
    ];
    expect(traits({}, told).capabilities).toEqual({ names: true, topK: true });
  });

  test("they are looked up once", () => {
    const channel = createChannel(
      entry,
      client,
      createChannelHealth(() => 0),
      [{ model: "*", protocol: "chat-completions", set: { names: true } }],
    );
    expect(channel.traits("chat-completions", "a")).toBe(channel.traits("chat-completions", "a"));
  });
});
