import type { Answer } from "../answer.ts";
import { type Json, type JsonObject, objectOf } from "../json.ts";
import { shapeUsage } from "../usage-form.ts";
import { finalItem, itemsOf, wantsEncrypted } from "./items.ts";

/** The unary answer (responses.md 7). */
export function render(answer: Answer, body: JsonObject): JsonObject {
  return responseObject(answer, body, {
    status: finalStatus(answer),
    output: finalOutput(answer, body),
    usage: usageObject(answer),
  });
}

/** What changes of a response object while it runs. */
export interface Progress {
  status: "in_progress" | "completed" | "incomplete" | "failed";
  output: JsonObject[];
  usage: JsonObject | null;
  error?: JsonObject;
}

/** The response object at one moment; settings are the request's, or the provider's defaults. */
export function responseObject(answer: Answer, body: JsonObject, progress: Progress): JsonObject {
  const reasoning = objectOf(body.reasoning);
  const text = objectOf(body.text);
  return {
    id: responseId(answer),
    object: "response",
    created_at: answer.created,
    status: progress.status,
    background: false,
    completed_at: progress.status === "completed" ? answer.created : null,
    error: progress.error ?? null,
    frequency_penalty: 0,
    incomplete_details: progress.status === "incomplete" ? { reason: incompleteReason(answer) } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: answer.model,
    output: progress.output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    presence_penalty: 0,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: "default",
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: text.format ?? { type: "text" }, verbosity: text.verbosity ?? "medium" },
    tool_choice: body.tool_choice ?? "auto",
    tools: echoTools(body.tools),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    usage: progress.usage,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

function echoTools(tools: Json | undefined): Json {
  return Array.isArray(tools) ? tools : [];
}

/** The answer's id with this family's prefix. */
function responseId(answer: Answer): string {
  return `resp_${answer.id}`;
}

/** `completed`, or `incomplete` for a cap or a filter. */
export function finalStatus(answer: Answer): "completed" | "incomplete" {
  return answer.finish === "length" || answer.finish === "filter" ? "incomplete" : "completed";
}

/** All items in their final form; on an incomplete answer the last one is incomplete. */
export function finalOutput(answer: Answer, body: JsonObject): JsonObject[] {
  const items = itemsOf(answer);
  return items.map((item, index) =>
    finalItem(item, index === items.length - 1 ? finalStatus(answer) : "completed", wantsEncrypted(body)),
  );
}

/** The usage object, or null where none is reported. */
export function usageObject(answer: Answer): JsonObject | null {
  if (!answer.usage) return null;
  const { input, cacheRead, cacheWrite, output, reasoning } = answer.usage;
  return shapeUsage(answer, {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  });
}

function incompleteReason(answer: Answer): string {
  return answer.finish === "filter" ? "content_filter" : "max_output_tokens";
}
