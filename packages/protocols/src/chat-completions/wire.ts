import type { ChatCompletion, ChatCompletionCreateParams } from "openai/resources/chat/completions";
import type { JsonObject, JsonValue } from "../canonical/index.ts";

/** The vendor's reason words. */
export type NativeFinish = NonNullable<ChatCompletion.Choice["finish_reason"]>;

/**
 * Family of the proofs that compatible servers put into `reasoning_details`. They are bound to the server that made
 * them, so only an upstream of this protocol gets them back, never the vendor behind it.
 */
export const detailFamily = "chat-completions";

/**
 * Request fields that the decoder reads. A table over the vendor's type: a new field of the vendor fails the type
 * check here, and somebody decides what it means. `false`: known to the vendor, kept in the extras.
 */
const requestFields: Record<keyof ChatCompletionCreateParams, boolean> = {
  audio: true,
  frequency_penalty: true,
  function_call: true,
  functions: true,
  logit_bias: true,
  logprobs: true,
  max_completion_tokens: true,
  max_tokens: true,
  messages: true,
  metadata: true,
  modalities: true,
  model: true,
  moderation: false,
  n: true,
  parallel_tool_calls: true,
  prediction: false,
  presence_penalty: true,
  prompt_cache_key: true,
  prompt_cache_options: true,
  prompt_cache_retention: true,
  reasoning_effort: true,
  response_format: true,
  safety_identifier: true,
  seed: true,
  service_tier: true,
  stop: true,
  store: true,
  stream: true,
  stream_options: true,
  temperature: true,
  tool_choice: true,
  tools: true,
  top_logprobs: true,
  top_p: true,
  user: true,
  verbosity: true,
  web_search_options: true,
};

/** Names of the request fields that have a canonical meaning. */
export const knownRequestFields: ReadonlySet<string> = new Set(
  Object.entries(requestFields).flatMap(([name, read]) => (read ? [name] : [])),
);

/** What an answer's message or delta may hold, the vendor's fields and those of compatible servers. */
export interface DialectMessage extends JsonObject {
  role?: JsonValue;
  /** Text; some servers send a list of `text` and `thinking` parts. */
  content?: JsonValue;
  refusal?: JsonValue;
  tool_calls?: JsonValue;
  function_call?: JsonValue;
  audio?: JsonValue;
  annotations?: JsonValue;
  /** Reasoning text of compatible servers, under two names. */
  reasoning_content?: JsonValue;
  reasoning?: JsonValue;
  /** Typed reasoning with proofs. */
  reasoning_details?: JsonValue;
  images?: JsonValue;
}

/** The reading forms of text: a non-empty string, or undefined for absent, null, "" and every other type. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number, or undefined. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
