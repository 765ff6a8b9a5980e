import type { Answer, Part } from "../answer.ts";
import type { JsonObject } from "../json.ts";
import type { Citation, Finish } from "../script.ts";
import { shapeUsage } from "../usage-form.ts";

/** The unary answer (chat-completions.md 7). */
export function render(answer: Answer): JsonObject {
  return {
    id: completionId(answer),
    object: "chat.completion",
    created: answer.created,
    model: answer.model,
    choices: Array.from({ length: answer.candidates }, (_, index) => ({
      index,
      message: message(answer),
      logprobs: null,
      finish_reason: finishReason(answer.finish),
    })),
    usage: answer.usage && usageObject(answer),
    service_tier: "default",
    system_fingerprint: "fp_simulated",
  };
}

function message(answer: Answer): JsonObject {
  const text = joined(answer, "text");
  const refusal = joined(answer, "refusal");
  const reasoning = joined(answer, "reasoning");
  const calls = answer.parts.filter((part) => part.kind === "tool-call").map(toolCall);
  return {
    role: "assistant",
    content: text === "" && (calls.length > 0 || refusal !== "") ? null : text,
    refusal: refusal === "" ? null : refusal,
    annotations: annotations(answer),
    ...(answer.chatReasoning !== "hidden" && reasoning !== "" ? { [answer.chatReasoning]: reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** A complete tool call; for a stream's opening entry the arguments are emptied by the caller. */
export function toolCall(part: Part & { kind: "tool-call" }): JsonObject {
  const id = callId(part);
  if (part.custom) return { id, type: "custom", custom: { name: part.name, input: part.arguments } };
  return { id, type: "function", function: { name: part.name, arguments: part.arguments } };
}

/** The answer's id with this family's prefix. */
export function completionId(answer: Answer): string {
  return `chatcmpl-${answer.id}`;
}

/** The citations of all text parts as nested `url_citation`s, offsets into the joined text. */
export function annotations(answer: Answer): JsonObject[] {
  const found: JsonObject[] = [];
  let offset = 0;
  for (const part of answer.parts) {
    if (part.kind !== "text") continue;
    for (const citation of part.citations) found.push(annotation(citation, offset));
    offset += part.text.length;
  }
  return found;
}

function annotation(citation: Citation, offset: number): JsonObject {
  const { url, title, start, end } = citation;
  return { type: "url_citation", url_citation: { url, title, start_index: offset + start, end_index: offset + end } };
}

/** `finish_reason` (chat-completions.md 7). A refusal ends with `stop` here. */
export function finishReason(finish: Finish): string {
  switch (finish) {
    case "stop":
    case "stop_sequence":
    case "refusal":
      return "stop";
    case "length":
      return "length";
    case "tool":
      return "tool_calls";
    case "filter":
      return "content_filter";
  }
}

/** The usage object with all counters the provider gives. */
export function usageObject(answer: Answer): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = answer.usage ?? ZERO;
  return shapeUsage(answer, {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  });
}

const ZERO = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

function callId(part: Part & { kind: "tool-call" }): string {
  return part.callId ?? `call_${part.id}`;
}

function joined(answer: Answer, kind: "text" | "refusal" | "reasoning"): string {
  return answer.parts
    .map((part) => (part.kind === kind && !("hidden" in part && part.hidden) ? part.text : ""))
    .join("");
}
