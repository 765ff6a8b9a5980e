import type { Effort } from "../canonical/index.ts";
import { type CapabilitiesOf, count, word, wordsOf, yesNo } from "../shared/capabilities.ts";
import { ladder } from "../shared/effort.ts";

/** What reasoning models refuse. */
export const samplers = ["temperature", "top_p", "frequency_penalty", "presence_penalty", "logit_bias"] as const;

/** What the vendor's service alone has. */
export const vendorFields = [
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

/** Top-level fields that some model or some server refuses. */
const optionalFields = [
  ...samplers,
  "logprobs",
  "seed",
  "n",
  "parallel_tool_calls",
  "stream_options",
  ...vendorFields,
] as const;

export type OptionalField = (typeof optionalFields)[number];

/** Whether a field is one that some model or some server refuses. */
export function isOptionalField(name: string): name is OptionalField {
  return optionalFields.some((field) => field === name);
}

/** Fields that a make of server has for itself and refuses to miss among what it knows. */
const ownFields = [
  "citation_options",
  "compound_custom",
  "documents",
  "exclude_domains",
  "include_domains",
  "include_reasoning",
  "prediction",
  "prompt_mode",
  "random_seed",
  "reasoning_format",
  "safe_prompt",
  "search_settings",
] as const;

/** What one upstream takes: one entry for each question that the request encoder asks (chat-completions.md 3 and 12). */
export const capabilityKinds = {
  /** P4: how the output limit is spelt. The vendor's reasoning models refuse the old name, many servers know only that. */
  limitField: word("max_tokens", "max_completion_tokens"),
  /** Whether the other spelling of the output limit is understood as well. */
  bothLimitFields: yesNo,
  /** Fields that are not sent, because the model or its server refuses them or has no meaning for them (P6). */
  refusedFields: wordsOf(optionalFields),
  /** Whether fields that the server does not know are an error there. */
  strictFields: yesNo,
  /** Fields beyond the common ones that a server with strict fields knows. */
  ownFields: wordsOf(ownFields),
  /** How many stop sequences are taken. 0: none. */
  stopSequences: count,
  /** Whether the text may end in the stop sequence that ended it: the gateway takes it out. */
  stopsInText: yesNo,
  /** Whether `top_k` is taken, which the vendor does not have. */
  topK: yesNo,
  /** How the seed is spelt. */
  seedField: word("seed", "random_seed"),
  /** Steps of `reasoning_effort`; none: the field is refused. */
  efforts: wordsOf<Effort>(ladder),
  /** How the wish for reasoning is spelt: `reasoning` is an object, which also takes a budget. */
  reasoningField: word("reasoning_effort", "reasoning"),
  /** The switch for thinking on and off, in place of an effort of `none`. */
  thinkingSwitch: word("none", "thinking", "enable_thinking"),
  /** Whether switches of the model stand in `chat_template_kwargs`. */
  templateSwitches: yesNo,
  /** Whether the answer shows what was thought, where the caller wishes to see it. */
  showsReasoning: yesNo,
  /**
   * Whether the text begins with what the model thought: between `<think>` and `</think>` (`tagged`), or with the first of
   * these already in the prompt (`open`).
   */
  thoughtsInText: word("none", "tagged", "open"),
  /** E5: the field in which reasoning text of earlier turns goes back up, where it may. */
  reasoningHistory: word("none", "reasoning_content", "reasoning"),
  /** Whether `reasoning_details` of earlier turns go back up. */
  reasoningDetails: yesNo,
  /** E5: whether a message with calls must bear the field of the reasoning, empty where there was none. */
  reasoningOnCalls: yesNo,
  /** `nine`: exactly nine letters and digits. */
  callIds: word("any", "nine"),
  /** H3: whether the `developer` role is known; else it is `system`. */
  developerRole: yesNo,
  /** Whether messages may bear the name of who speaks. */
  names: yesNo,
  /** Whether a refusal has a field of its own in an assistant's message; else it is text. */
  refusals: yesNo,
  /** T5: whether free-text tools go as they are. */
  customTools: yesNo,
  /** Whether `strict` of a tool is taken. */
  strictTools: yesNo,
  /** What `tool_choice` can say: anything, words but no tool by its name, or nothing. */
  toolChoice: word("any", "words", "none"),
  /** The word by which a call of some tool is demanded. */
  requiredWord: word("required", "any"),
  /** T9: whether a subset of tools can be named. */
  allowedTools: yesNo,
  /** What a call with tools must say of the effort: nothing, no other one than `none`, or `none` itself (2.6, pair 1). */
  toolsNeed: word("nothing", "no-effort", "effort-none"),
  /** T19: the greatest number of tools. 0: no limit. */
  maxTools: count,
  /** What `response_format` can say: a schema, JSON alone, or nothing. */
  format: word("schema", "json", "none"),
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
