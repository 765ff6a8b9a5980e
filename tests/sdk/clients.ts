import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import AnthropicOld from "anthropic0";
import OpenAI from "openai";
import OpenAIOld from "openai6";
import { anthropic } from "./anthropic-client.ts";
import { google } from "./google-client.ts";
import { openAiChat, openAiResponses } from "./openai-clients.ts";
import type { SdkClient } from "./sdk-client.ts";
import { vercel } from "./vercel-client.ts";

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
