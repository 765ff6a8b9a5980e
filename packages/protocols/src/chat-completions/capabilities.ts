import type { Dialect, Effort } from "../canonical/index.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { type CapabilitiesOf, count, withOverrides, word, wordsOf, yesNo } from "../shared/capabilities.ts";
import { ladder } from "../shared/effort.ts";

/** Top-level fields that some model or some server refuses. */
const optionalFields = [
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "parallel_tool_calls",
  "verbosity",
  "store",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "service_tier",
] as const;

export type OptionalField = (typeof optionalFields)[number];

/** What one upstream takes: one entry for each question that the request encoder asks (chat-completions.md 3 and 12). */
export const capabilityKinds = {
  /** P4: how the output limit is spelt. The vendor's reasoning models refuse the old name, many servers know only that. */
  limitField: word("max_tokens", "max_completion_tokens"),
  /** Fields that are not sent, because the model or its server refuses them or has no meaning for them (P6). */
  refusedFields: wordsOf(optionalFields),
  /** How many stop sequences are taken. 0: none. */
  stopSequences: count,
  /** Steps of `reasoning_effort`; none: the field is refused. */
  efforts: wordsOf<Effort>(ladder),
  /** The switch for thinking on and off, in place of an effort of `none`. */
  thinkingSwitch: word("none", "thinking", "enable_thinking"),
  /** Whether the answer shows what was thought, where the caller wishes to see it. */
  showsReasoning: yesNo,
  /** E5: whether reasoning text of earlier turns goes back up in `reasoning_content`. */
  reasoningHistory: yesNo,
  /** Whether `reasoning_details` of earlier turns go back up. */
  reasoningDetails: yesNo,
  /** `nine`: exactly nine letters and digits. */
  callIds: word("any", "nine"),
  /** H3: whether the `developer` role is known; else it is `system`. */
  developerRole: yesNo,
  /** Whether a refusal has a field of its own in an assistant's message; else it is text. */
  refusals: yesNo,
  /** T5: whether free-text tools go as they are. */
  customTools: yesNo,
  /** T9: whether a subset of tools can be named. */
  allowedTools: yesNo,
  /** T19: the greatest number of tools. 0: no limit. */
  maxTools: count,
  /** P20: how a cache mark is spelt, where one is taken. */
  cacheMark: word("none", "prompt_cache_breakpoint", "cache_control"),
  /** Whether the model searches the web through `web_search_options`. */
  webSearch: yesNo,
  /** Whether calls bring Gemini's thought signatures back. */
  thoughtSignatures: yesNo,
  /** Whether system, assistant and tool messages may hold a list of text parts; simpler servers want one string. */
  textParts: yesNo,
  /** M8: whether `video_url` parts are taken. */
  video: yesNo,
  /** Whether a document may be an address. The vendor wants the bytes; resellers and other servers fetch. */
  documentUrls: yesNo,
  /** Whether media may stand in Google's storage (`gs://`). */
  googleStorage: yesNo,
  /** The field for the end user's id. */
  userField: word("user", "safety_identifier"),
  /** Whether JSON mode demands the word JSON in a message. */
  jsonWord: yesNo,
} as const;

export type ChatCapabilities = CapabilitiesOf<typeof capabilityKinds>;

const samplers: readonly OptionalField[] = [
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
];

/** What the vendor alone has; other servers refuse or ignore it. */
const vendorFields: readonly OptionalField[] = [
  "verbosity",
  "store",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "service_tier",
];

const lowToHigh: readonly Effort[] = ["low", "medium", "high"];
const noneToHigh: readonly Effort[] = ["none", "low", "medium", "high"];
const noneToXhigh: readonly Effort[] = ["none", "low", "medium", "high", "xhigh"];

/** A server that is told everything and decides by itself: names that nobody knows. */
const permissive: ChatCapabilities = {
  limitField: "max_tokens",
  refusedFields: [],
  stopSequences: 4,
  efforts: ["none", "minimal", "low", "medium", "high"],
  thinkingSwitch: "none",
  showsReasoning: true,
  reasoningHistory: true,
  reasoningDetails: true,
  callIds: "any",
  developerRole: false,
  refusals: false,
  customTools: false,
  allowedTools: false,
  maxTools: 0,
  cacheMark: "none",
  webSearch: false,
  thoughtSignatures: false,
  textParts: true,
  video: true,
  documentUrls: true,
  googleStorage: false,
  userField: "user",
  jsonWord: false,
};

/** A compatible server: the common fields alone. */
const compatible: ChatCapabilities = { ...permissive, refusedFields: vendorFields, textParts: false };

/** The vendor's service before reasoning models. */
const vendor: ChatCapabilities = {
  ...permissive,
  refusedFields: ["verbosity"],
  efforts: [],
  showsReasoning: false,
  reasoningHistory: false,
  reasoningDetails: false,
  refusals: true,
  maxTools: 128,
  video: false,
  documentUrls: false,
  userField: "safety_identifier",
  jsonWord: true,
};
const gpt4o: ChatCapabilities = { ...vendor, developerRole: true, allowedTools: true };
const gpt5Chat: ChatCapabilities = {
  ...gpt4o,
  limitField: "max_completion_tokens",
  refusedFields: [],
  customTools: true,
};
const gpt5: ChatCapabilities = {
  ...gpt5Chat,
  refusedFields: samplers,
  stopSequences: 0,
  efforts: ["minimal", "low", "medium", "high"],
};
const gpt56: ChatCapabilities = {
  ...gpt5,
  efforts: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
  cacheMark: "prompt_cache_breakpoint",
};
const oSeries: ChatCapabilities = {
  ...gpt5,
  refusedFields: [...samplers, "parallel_tool_calls", "verbosity"],
  efforts: lowToHigh,
};

/** Models of the vendor's service, also under the `openai/` prefix of resellers. First match counts. */
const vendorRows: readonly (readonly [RegExp, ChatCapabilities])[] = [
  [/^gpt-3/, vendor],
  [/^gpt-4(?!\.1|o)/, vendor],
  [/^gpt-(4o(-mini)?|5)-search-/, { ...gpt4o, webSearch: true }],
  [/^gpt-4/, gpt4o],
  [/^chatgpt-|^computer-use-/, gpt4o],
  [/^o\d/, oSeries],
  [/^codex-/, { ...gpt5, refusedFields: [...samplers, "verbosity"], efforts: lowToHigh, limitField: "max_tokens" }],
  [/^gpt-([5-9]|\d\d)(\.\d+)?-chat/, gpt5Chat],
  [/^gpt-5-pro/, { ...gpt5, efforts: ["high"] }],
  [/^gpt-5\.[1-5]-pro/, { ...gpt5, efforts: ["medium", "high", "xhigh"] }],
  [/^gpt-5\.1-codex-max/, { ...gpt5, efforts: ["low", "medium", "high", "xhigh"] }],
  [/^gpt-5(\.1)?-codex/, { ...gpt5, efforts: lowToHigh }],
  [/^gpt-5\.1(?!\d)/, { ...gpt5, efforts: noneToHigh }],
  [/^gpt-5\.[2-5](?!\d)/, { ...gpt5, efforts: noneToXhigh }],
  [/^gpt-5(?!\.)/, gpt5],
  [/^gpt-([5-9]|\d\d)/, gpt56],
  // Audio, image and other special models.
  [/^gpt-(?!oss)/, gpt4o],
];

/** Models that run on compatible servers, by which also the server can be told. First match counts. */
const otherRows: readonly (readonly [RegExp, ChatCapabilities])[] = [
  [
    /mistral|magistral|ministral|codestral|devstral|pixtral/,
    { ...compatible, callIds: "nine", reasoningHistory: false },
  ],
  [/deepseek|glm-/, { ...compatible, thinkingSwitch: "thinking" }],
  [/qwen/, { ...compatible, thinkingSwitch: "enable_thinking" }],
  [
    /gemini/,
    { ...compatible, cacheMark: "cache_control", textParts: true, thoughtSignatures: true, googleStorage: true },
  ],
  [/claude/, { ...compatible, cacheMark: "cache_control", textParts: true }],
  [/gpt-oss/, { ...compatible, efforts: lowToHigh }],
  [/grok-3-mini/, { ...compatible, efforts: ["low", "high"] }],
  [/llama|gemma|grok|glm|kimi|command-|phi-|minimax/, compatible],
  [/-search-|-search$/, { ...permissive, webSearch: true }],
];

/** Where a model of the vendor is had from another server. */
const reseller: Partial<ChatCapabilities> = { limitField: "max_tokens", documentUrls: true };

const servers: Partial<Record<Dialect, ChatCapabilities>> = { openai: gpt56, compatible, permissive };

/** What the upstream takes: by the model's name, else by the make of the server, then by what the operator says. */
export function capabilitiesOf(context: EncodeRequestContext): ChatCapabilities {
  const record = recordOf(context.model.toLowerCase(), context.dialect);
  return withOverrides(capabilityKinds, record, context.capabilities);
}

function recordOf(model: string, dialect: Dialect | undefined): ChatCapabilities {
  const own = model.replace(/^(ft:)?(openai\/)?/, "");
  const vendorModel = vendorRows.find(([pattern]) => pattern.test(own))?.[1];
  if (vendorModel) return model.includes("openai/") ? { ...vendorModel, ...reseller } : vendorModel;
  const known = otherRows.find(([pattern]) => pattern.test(model))?.[1];
  return known ?? (dialect === undefined ? undefined : servers[dialect]) ?? permissive;
}
