import type { Dialect, Effort } from "../canonical/index.ts";
import { type ChatCapabilities, samplers } from "./capability-kinds.ts";

/** What depends on the model, wherever it runs. A server may take less. */
export type ModelFacts = Pick<
  ChatCapabilities,
  | "limitField"
  | "refusedFields"
  | "stopSequences"
  | "efforts"
  | "thinkingSwitch"
  | "toolsNeed"
  | "developerRole"
  | "customTools"
  | "allowedTools"
  | "cacheMark"
  | "webSearch"
  | "thoughtSignatures"
  | "textParts"
  | "googleStorage"
>;

/**
 * The servers that are told apart: those of a known make, and those that only the model's name tells: the vendor's own
 * service, one that sells its models (`openai/`), and one that runs Mistral's.
 */
export type Server = Dialect | "vendor" | "reseller" | "mistral-like";

/** A model, and where it is at home: the server that is assumed where nothing else tells it. */
interface KnownModel {
  home: Server;
  facts: ModelFacts;
}

const lowToHigh: readonly Effort[] = ["low", "medium", "high"];
const minimalToHigh: readonly Effort[] = ["minimal", "low", "medium", "high"];
const noneToHigh: readonly Effort[] = ["none", "low", "medium", "high"];
const noneToXhigh: readonly Effort[] = ["none", "low", "medium", "high", "xhigh"];

/** Nothing is known of the model. */
const any: ModelFacts = {
  limitField: "max_tokens",
  refusedFields: [],
  stopSequences: 4,
  efforts: ["none", "minimal", "low", "medium", "high"],
  thinkingSwitch: "none",
  toolsNeed: "nothing",
  developerRole: false,
  customTools: false,
  allowedTools: false,
  cacheMark: "none",
  webSearch: false,
  thoughtSignatures: false,
  textParts: false,
  googleStorage: false,
};

/** The vendor's models before it had reasoning ones. */
const gpt4: ModelFacts = { ...any, refusedFields: ["verbosity"], efforts: [], textParts: true };
const gpt4o: ModelFacts = { ...gpt4, developerRole: true, allowedTools: true };
const gpt5Chat: ModelFacts = { ...gpt4o, limitField: "max_completion_tokens", refusedFields: [], customTools: true };
const gpt5: ModelFacts = { ...gpt5Chat, refusedFields: samplers, stopSequences: 0, efforts: minimalToHigh };
const newest: ModelFacts = {
  ...gpt5,
  efforts: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
  toolsNeed: "effort-none",
  cacheMark: "prompt_cache_breakpoint",
};
const oSeries: ModelFacts = {
  ...gpt5,
  refusedFields: [...samplers, "parallel_tool_calls", "verbosity"],
  efforts: lowToHigh,
};
const codexMini: ModelFacts = {
  ...gpt5,
  limitField: "max_tokens",
  refusedFields: [...samplers, "verbosity"],
  efforts: lowToHigh,
};

/** Models of the vendor. First match counts. */
const vendorRows: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^gpt-3/, gpt4],
  [/^gpt-4(?!\.1|o)/, gpt4],
  [/^gpt-(4o(-mini)?|5)-search-/, { ...gpt4o, webSearch: true }],
  [/^(gpt-4|chatgpt-|computer-use-)/, gpt4o],
  [/^o\d/, oSeries],
  [/^codex-/, codexMini],
  [/^gpt-([5-9]|\d\d)(\.\d+)?-chat/, gpt5Chat],
  [/^gpt-5-pro/, { ...gpt5, efforts: ["high"] }],
  [/^gpt-5\.[1-5]-pro/, { ...gpt5, efforts: ["medium", "high", "xhigh"] }],
  [/^gpt-5\.1-codex-max/, { ...gpt5, efforts: ["low", "medium", "high", "xhigh"] }],
  [/^gpt-5(\.1)?-codex/, { ...gpt5, efforts: lowToHigh }],
  [/^gpt-5\.1(?!\d)/, { ...gpt5, efforts: noneToHigh }],
  [/^gpt-5\.[23](?!\d)/, { ...gpt5, efforts: noneToXhigh }],
  // Reasoning is off here by default, and on from the next one.
  [/^gpt-5\.4(?!\d)/, { ...gpt5, efforts: noneToXhigh, toolsNeed: "no-effort" }],
  [/^gpt-5\.5(?!\d)/, { ...gpt5, efforts: noneToXhigh, toolsNeed: "effort-none" }],
  [/^gpt-5(?!\.)/, gpt5],
  [/^gpt-([5-9]|\d\d)/, newest],
  // Audio, image and other special models.
  [/^gpt-(?!oss)/, gpt4o],
];

const xaiReasoning: ModelFacts = {
  ...any,
  refusedFields: ["frequency_penalty", "presence_penalty"],
  stopSequences: 0,
  efforts: [],
};

/** Models of other makers. First match counts. */
const otherRows: readonly (readonly [RegExp, KnownModel])[] = [
  [/mistral|magistral|ministral|codestral|devstral|pixtral/, { home: "mistral-like", facts: any }],
  [/deepseek/, { home: "compatible", facts: { ...any, thinkingSwitch: "thinking" } }],
  [/glm-/, { home: "compatible", facts: { ...any, thinkingSwitch: "thinking" } }],
  [/qwen/, { home: "compatible", facts: { ...any, thinkingSwitch: "enable_thinking" } }],
  [
    /gemini/,
    {
      home: "compatible",
      facts: { ...any, cacheMark: "cache_control", thoughtSignatures: true, textParts: true, googleStorage: true },
    },
  ],
  [/claude/, { home: "compatible", facts: { ...any, cacheMark: "cache_control", textParts: true } }],
  [/gpt-oss/, { home: "compatible", facts: { ...any, efforts: lowToHigh } }],
  [/grok-3-mini/, { home: "compatible", facts: { ...xaiReasoning, efforts: ["low", "high"] } }],
  [/grok-(4|code)/, { home: "compatible", facts: xaiReasoning }],
  [/llama|gemma|grok|glm|kimi|command-|phi-|minimax/, { home: "compatible", facts: any }],
  [/-search-|-search$/, { home: "permissive", facts: { ...any, webSearch: true, textParts: true } }],
];

/** A name that no row knows: at the vendor a model that is younger than these rows, elsewhere anything. */
const latest: KnownModel = { home: "openai", facts: newest };
const unknown: KnownModel = { home: "permissive", facts: { ...any, textParts: true } };

/**
 * What is known of a model by its name, fine-tuned ones and those under a reseller's prefix as well. `server`: where it is
 * known to run, which tells most of a name that nobody knows.
 */
export function factsOfModel(model: string, server: Dialect | undefined): KnownModel {
  const name = model.toLowerCase();
  const own = name.replace(/^(ft:)?(openai\/)?/, "");
  const facts = vendorRows.find(([pattern]) => pattern.test(own))?.[1];
  if (facts) return { home: name.includes("openai/") ? "reseller" : "vendor", facts };
  return otherRows.find(([pattern]) => pattern.test(name))?.[1] ?? (server === "openai" ? latest : unknown);
}
