import { type ChatCapabilities, type OptionalField, vendorFields } from "./capability-kinds.ts";
import type { ModelFacts, Server } from "./model-facts.ts";

/** What depends on the server; where it also says what belongs to the model, no model there has more. */
type ServerFacts = Omit<ChatCapabilities, Exclude<keyof ModelFacts, "refusedFields">> & Partial<ModelFacts>;

/** A server that is told everything and decides by itself. */
const permissive: ServerFacts = {
  bothLimitFields: true,
  refusedFields: [],
  strictFields: false,
  ownFields: [],
  stopsInText: true,
  topK: false,
  seedField: "seed",
  reasoningField: "reasoning_effort",
  templateSwitches: false,
  showsReasoning: true,
  thoughtsInText: "none",
  reasoningHistory: "reasoning_content",
  reasoningDetails: true,
  reasoningOnCalls: false,
  callIds: "any",
  names: true,
  refusals: false,
  strictTools: true,
  toolChoice: "any",
  requiredWord: "required",
  maxTools: 0,
  format: "schema",
  video: true,
  documentUrls: true,
  userField: "user",
  jsonWord: false,
};

/** The vendor's own but for these. */
function vendorFieldsBut(...taken: readonly OptionalField[]): readonly OptionalField[] {
  return vendorFields.filter((field) => !taken.includes(field));
}

/** A compatible server: the common fields alone. */
const compatible: ServerFacts = { ...permissive, refusedFields: vendorFields, toolsNeed: "nothing" };

/** A compatible server of a known make, which has none of what the vendor has beyond the common. */
const known: ServerFacts = {
  ...compatible,
  stopsInText: false,
  limitField: "max_tokens",
  developerRole: false,
  customTools: false,
  allowedTools: false,
};

const vendor: ServerFacts = {
  ...permissive,
  stopsInText: false,
  showsReasoning: false,
  reasoningHistory: "none",
  reasoningDetails: false,
  refusals: true,
  maxTools: 128,
  video: false,
  documentUrls: false,
  userField: "safety_identifier",
  jsonWord: true,
};

/** What servers take and refuse (chat-completions.md 12). */
export const serverFacts: Readonly<Record<Server, ServerFacts>> = {
  permissive: { ...permissive, toolsNeed: "nothing" },
  compatible,
  vendor,
  reseller: { ...vendor, toolsNeed: "nothing", limitField: "max_tokens", documentUrls: true },
  "mistral-like": { ...compatible, reasoningHistory: "none", callIds: "nine" },
  openai: { ...vendor, limitField: "max_completion_tokens" },
  // A vendor's endpoint for programs that speak this protocol: the common fields, and no reasoning.
  anthropic: {
    ...known,
    refusedFields: [...vendorFields, "frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "seed", "n"],
    reasoningHistory: "none",
    reasoningDetails: false,
    strictTools: false,
    format: "none",
    cacheMark: "none",
    efforts: [],
  },
  deepseek: {
    ...known,
    bothLimitFields: false,
    strictTools: false,
    format: "json",
    reasoningDetails: false,
    reasoningOnCalls: true,
    cacheMark: "none",
  },
  gemini: {
    ...known,
    refusedFields: [...vendorFields, "logit_bias", "logprobs", "parallel_tool_calls"],
    reasoningHistory: "none",
    reasoningDetails: false,
    strictTools: false,
    cacheMark: "none",
    thoughtSignatures: true,
  },
  groq: {
    ...known,
    refusedFields: [...vendorFieldsBut("user", "service_tier"), "logit_bias", "logprobs", "n"],
    strictFields: true,
    ownFields: [
      "citation_options",
      "compound_custom",
      "documents",
      "exclude_domains",
      "include_domains",
      "include_reasoning",
      "reasoning_format",
      "search_settings",
    ],
    reasoningHistory: "none",
    reasoningDetails: false,
    names: false,
    cacheMark: "none",
  },
  "llama.cpp": {
    ...known,
    templateSwitches: true,
    topK: true,
    stopsInText: true,
    toolChoice: "words",
    reasoningDetails: false,
    cacheMark: "none",
  },
  mistral: {
    ...known,
    bothLimitFields: false,
    refusedFields: [...vendorFields, "logit_bias", "logprobs", "stream_options"],
    strictFields: true,
    ownFields: ["prediction", "prompt_mode", "random_seed", "safe_prompt"],
    seedField: "random_seed",
    reasoningHistory: "none",
    reasoningDetails: false,
    callIds: "nine",
    names: false,
    requiredWord: "any",
    cacheMark: "none",
  },
  ollama: {
    ...known,
    bothLimitFields: false,
    refusedFields: [...vendorFields, "logit_bias", "n"],
    reasoningHistory: "reasoning",
    reasoningDetails: false,
    strictTools: false,
    toolChoice: "none",
    stopsInText: true,
    cacheMark: "none",
  },
  openrouter: {
    ...known,
    stopsInText: true,
    refusedFields: vendorFieldsBut("user", "verbosity"),
    topK: true,
    reasoningField: "reasoning",
    reasoningHistory: "reasoning",
  },
  vllm: {
    ...known,
    stopsInText: true,
    templateSwitches: true,
    topK: true,
    reasoningHistory: "reasoning",
    reasoningDetails: false,
    cacheMark: "none",
  },
  xai: {
    ...known,
    refusedFields: [...vendorFieldsBut("user"), "logit_bias"],
    reasoningDetails: false,
    cacheMark: "none",
  },
};
