import type { JsonObject, JsonValue } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { openAiTier } from "../shared/openai-tier.ts";
import { isObject } from "../shared/read.ts";

/** The keys of a response object that this codec knows; the rest of an upstream's answer is kept as extras. */
export const echoedFields: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created_at",
  "completed_at",
  "status",
  "error",
  "incomplete_details",
  "instructions",
  "metadata",
  "model",
  "output",
  "output_text",
  "parallel_tool_calls",
  "temperature",
  "tool_choice",
  "tools",
  "top_p",
  "usage",
  "background",
  "conversation",
  "max_output_tokens",
  "max_tool_calls",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "text",
  "top_logprobs",
  "truncation",
  "user",
]);

/**
 * The settings that a response object repeats: the client's own, in the client's spelling, never the upstream's
 * (conversion.md 1.5.5), but for `store`: whether the answer is kept.
 */
export function echoSettings(body: JsonObject, serviceTier: string | undefined, store: boolean): JsonObject {
  const reasoning = isObject(body.reasoning) ? body.reasoning : {};
  const text = isObject(body.text) ? body.text : {};
  return {
    background: false,
    instructions: orNull(body.instructions),
    max_output_tokens: orNull(body.max_output_tokens),
    max_tool_calls: orNull(body.max_tool_calls),
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: orNull(body.previous_response_id),
    prompt_cache_key: orNull(body.prompt_cache_key),
    reasoning: { effort: null, summary: null, ...reasoning },
    safety_identifier: orNull(body.safety_identifier),
    service_tier: openAiTier(serviceTier) ?? "default",
    store,
    temperature: body.temperature ?? 1,
    text: { ...text, format: text.format ?? { type: "text" }, verbosity: text.verbosity ?? "medium" },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    user: orNull(body.user),
  };
}

/** What a response object says about the call itself. `output` and `usage` are JSON text: they were rendered before. */
export interface ResponseState {
  id: string;
  createdAt: number;
  model: string;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  completedAt?: number;
  incompleteReason?: string;
  error?: { code: string; message: string };
  output: string;
  usage: string;
}

/** A response object as JSON text. `settings`: `echoSettings` as JSON text, made once a call. */
export function renderResponse(state: ResponseState, settings: string): string {
  const incomplete = state.incompleteReason === undefined ? "null" : `{"reason":"${state.incompleteReason}"}`;
  const completedAt = state.completedAt === undefined ? "null" : String(state.completedAt);
  return (
    `{"id":"${state.id}","object":"response","created_at":${state.createdAt},"status":"${state.status}",` +
    `"completed_at":${completedAt},"error":${state.error ? JSON.stringify(state.error) : "null"},` +
    `"incomplete_details":${incomplete},"model":${JSON.stringify(state.model)},"output":${state.output},` +
    `"usage":${state.usage},${settings.slice(1)}`
  );
}

/** Wall clock in whole seconds. */
export function seconds(context: AnswerContext): number {
  return Math.floor(context.now() / 1000);
}

function orNull(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}
