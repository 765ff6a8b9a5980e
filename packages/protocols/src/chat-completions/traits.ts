import type { Effort } from "../canonical/index.ts";

/**
 * Which upstream models take what, by the upstream's own model name: data, first match wins. The official service and
 * compatible servers share one protocol and differ by model; a name that nobody knows gets the widest form (the last
 * row of each table). Sources: the wire sheet, sections 3 and 12, and conversion.md section 7.
 */
type Rows<T> = readonly (readonly [RegExp, T])[];

function lookUp<T>(rows: Rows<T>, model: string, otherwise: T): T {
  for (const [pattern, value] of rows) if (pattern.test(model)) return value;
  return otherwise;
}

const openWeights = /(^|\/)gpt-oss/i;
const vendorModel = /^(ft:)?(openai\/)?(gpt-|o\d|chatgpt-|codex-|computer-use-)/i;

/** A model of the official service (also under the `openai/` prefix of resellers). */
export function isVendorModel(model: string): boolean {
  return vendorModel.test(model) && !openWeights.test(model);
}

/** Model families that only compatible servers run; their servers refuse or ignore the vendor's bookkeeping fields. */
const dialectModel =
  /mistral|magistral|ministral|codestral|devstral|pixtral|deepseek|qwen|llama|gemini|gemma|claude|grok|glm|kimi|command-|phi-|minimax|gpt-oss/i;

/** Whether the upstream takes `prompt_cache_key`, `safety_identifier`, `service_tier`, `verbosity` and their like. */
export function takesVendorFields(model: string): boolean {
  return isVendorModel(model) || !dialectModel.test(model);
}

/** P4: the reasoning models refuse the old name, compatible servers know only the old one. */
export function limitField(model: string): "max_completion_tokens" | "max_tokens" {
  return /^(ft:)?(gpt-([5-9]|\d\d)|o\d)/i.test(model) ? "max_completion_tokens" : "max_tokens";
}

const reasoningModel = /^(ft:)?(openai\/)?(gpt-([5-9]|\d\d)(?!.*chat)|o\d|codex-)/i;

/** P6: a reasoning model of the vendor refuses samplers, penalties and `logit_bias`. */
export function refusesSampling(model: string): boolean {
  return reasoningModel.test(model) && !openWeights.test(model);
}

/** Whether the upstream takes `stop`. */
export function takesStop(model: string): boolean {
  return !refusesSampling(model);
}

/** The o-series refuses `parallel_tool_calls`. */
export function takesParallelSwitch(model: string): boolean {
  return !/^(ft:)?(openai\/)?o\d/i.test(model);
}

const effortRows: Rows<readonly Effort[]> = [
  [/gpt-oss/i, ["low", "medium", "high"]],
  [/^(ft:)?(openai\/)?o\d/i, ["low", "medium", "high"]],
  [/gpt-5-pro/i, ["high"]],
  [/gpt-5\.\d+-pro/i, ["medium", "high", "xhigh"]],
  [/gpt-5\.1-codex-max/i, ["low", "medium", "high", "xhigh"]],
  [/gpt-5(\.1)?-codex/i, ["low", "medium", "high"]],
  [/gpt-5\.1/i, ["none", "low", "medium", "high"]],
  [/gpt-5\.[2-5]/i, ["none", "low", "medium", "high", "xhigh"]],
  [/gpt-5(?![.\d])/i, ["minimal", "low", "medium", "high"]],
  [/gpt-([5-9]|\d\d)/i, ["none", "minimal", "low", "medium", "high", "xhigh", "max"]],
  [/gpt-|chatgpt-/i, []],
  [/grok-3-mini/i, ["low", "high"]],
];

/** Steps of `reasoning_effort` that the model takes, weakest first. Empty: it refuses the field. */
export function effortSteps(model: string): readonly Effort[] {
  return lookUp(effortRows, model, ["none", "minimal", "low", "medium", "high"]);
}

const switchRows: Rows<"thinking" | "enable_thinking" | undefined> = [
  [/deepseek|glm-/i, "thinking"],
  [/qwen/i, "enable_thinking"],
];

/** The dialect's switch for thinking on and off, in place of an effort of `none`. */
export function thinkingSwitch(model: string): "thinking" | "enable_thinking" | undefined {
  return lookUp(switchRows, model, undefined);
}

/** E5: whether reasoning text of earlier turns goes back up in `reasoning_content`. */
export function takesReasoningHistory(model: string): boolean {
  return !isVendorModel(model) && !mistralModel.test(model);
}

const mistralModel = /mistral|magistral|ministral|codestral|devstral|pixtral/i;

/** Mistral checks the form of call ids: nine letters and digits. */
export function takesShortCallIds(model: string): boolean {
  return mistralModel.test(model);
}

/** H3: the `developer` role belongs to the vendor's models; others know `system`. */
export function takesDeveloperRole(model: string): boolean {
  return isVendorModel(model) && !/gpt-(3|4(?!\.1|o))/i.test(model);
}

/** T5: whether free-text tools go as they are. */
export function takesCustomTools(model: string): boolean {
  return isVendorModel(model) && /gpt-([5-9]|\d\d)|o\d/i.test(model);
}

/** T9: whether a subset of tools can be named. */
export function takesAllowedTools(model: string): boolean {
  return isVendorModel(model) && !/gpt-3|gpt-4(?!\.1|o)/i.test(model);
}

/** T19: the vendor's limit. */
export const maximumVendorTools = 128;

/** Whether `verbosity` is taken. */
export function takesVerbosity(model: string): boolean {
  return isVendorModel(model) ? /gpt-([5-9]|\d\d)/i.test(model) : takesVendorFields(model);
}

const cacheRows: Rows<"prompt_cache_breakpoint" | "cache_control" | undefined> = [
  [/^(ft:)?(openai\/)?gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)/i, "prompt_cache_breakpoint"],
  [/claude|gemini/i, "cache_control"],
];

/** P20: how a cache mark is spelt, where the upstream takes one. */
export function cacheMarkField(model: string): "prompt_cache_breakpoint" | "cache_control" | undefined {
  return lookUp(cacheRows, model, undefined);
}

/** Whether the model searches the web through `web_search_options`. */
export function searchesWeb(model: string): boolean {
  return /-search-|search-preview|-search$/i.test(model);
}

/** Gemini behind this protocol wants its thought signatures back on the calls. */
export function takesThoughtSignatures(model: string): boolean {
  return /gemini/i.test(model);
}

/** Whether system, assistant and tool messages may hold a list of text parts; simpler servers want one string. */
export function takesTextParts(model: string): boolean {
  return takesVendorFields(model) || cacheMarkField(model) !== undefined;
}

/** Whether a document may be an address. The vendor wants the bytes; resellers and other servers fetch. */
export function fetchesDocuments(model: string): boolean {
  return model.includes("/") || !isVendorModel(model);
}
