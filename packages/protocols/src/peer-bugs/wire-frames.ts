import type { JsonObject, JsonValue } from "../canonical/index.ts";

/** Chat completions: a chunk with one choice. */
export function chunk(delta: JsonValue, finish: string | null = null, index = 0): JsonObject {
  const choices = [{ index, delta, finish_reason: finish }];
  return { id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices };
}

/** Chat completions: the chunk that tells the usage. */
export function usageChunk(usage: JsonObject): JsonObject {
  return { id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage };
}

/** Chat completions: a fragment of a call. */
export function fragment(index: number | undefined, id: string | undefined, name: string | undefined, text: string) {
  const called = { ...(name === undefined ? {} : { name }), arguments: text };
  const head = { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id, type: "function" }) };
  return chunk({ tool_calls: [{ ...head, function: called }] });
}

/** Chat completions: a whole answer. */
export function completion(message: JsonObject, finish = "stop", usage?: JsonObject): JsonObject {
  const choices = [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: finish }];
  return { id: "x", object: "chat.completion", created: 1, model: "m", choices, ...(usage ? { usage } : {}) };
}

/** Chat completions: a whole call. */
export function toolCall(id: string, name: string, text: string): JsonObject {
  return { id, type: "function", function: { name, arguments: text } };
}

/** Messages: the start of a stream. */
export function messageStart(usage: JsonObject = { input_tokens: 5, output_tokens: 1 }): JsonObject {
  const head = { id: "msg_up", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
  return { type: "message_start", message: { ...head, stop_sequence: null, usage } };
}

/** Messages: a block with its deltas. */
function block(index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] {
  return [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

export function textBlock(index: number, text: string): JsonObject[] {
  return block(index, { type: "text", text: "" }, { type: "text_delta", text });
}

export function thinkingBlock(index: number, thinking: string, signature: string): JsonObject[] {
  const deltas = [
    { type: "thinking_delta", thinking },
    { type: "signature_delta", signature },
  ];
  return block(index, { type: "thinking", thinking: "", signature: "" }, ...deltas);
}

export function toolBlock(index: number, id: string, name: string, partial_json: string): JsonObject[] {
  return block(index, { type: "tool_use", id, name, input: {} }, { type: "input_json_delta", partial_json });
}

/** Messages: the end of a stream. */
export function messageEnd(stop_reason: string, usage: JsonObject = { output_tokens: 7 }): JsonObject[] {
  return [{ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage }, { type: "message_stop" }];
}

/** Messages: a whole answer. */
export function message(content: JsonValue, stop_reason = "end_turn", more: JsonObject = {}): JsonObject {
  const head = { id: "msg_up", type: "message", role: "assistant", model: "m", content, stop_reason };
  return { ...head, stop_sequence: null, usage: { input_tokens: 5, output_tokens: 7 }, ...more };
}

/** GenerateContent: a chunk, or a whole answer. */
export function candidate(parts: JsonValue, finishReason?: string, usageMetadata?: JsonObject): JsonObject {
  const one = { index: 0, content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}) };
  return { candidates: [one], responseId: "g", modelVersion: "m", ...(usageMetadata ? { usageMetadata } : {}) };
}

/** GenerateContent: a part that calls. */
export function callPart(name: string, args: JsonObject, thoughtSignature?: string): JsonObject {
  return { functionCall: { name, args }, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) };
}

/** Responses: the whole object. */
export function responseObject(output: JsonValue, status = "completed", more: JsonObject = {}): JsonObject {
  const usage = {
    input_tokens: 5,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 12,
  };
  return { id: "resp_up", object: "response", created_at: 1, model: "m", status, output, usage, ...more };
}

export function responseCall(call_id: string, name: string, text: string): JsonObject {
  return { type: "function_call", id: `fc_${call_id}`, call_id, name, arguments: text, status: "completed" };
}

export function responseMessage(id: string, text: string, more: JsonObject = {}): JsonObject {
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return { type: "message", id, role: "assistant", status: "completed", content, ...more };
}

/** Responses: a stream that tells each item by its delta, its done event and the terminal event again. */
export function responseFrames(items: readonly JsonObject[], end = "completed", more: JsonObject = {}): JsonObject[] {
  const frames: JsonObject[] = [{ type: "response.created", response: responseObject([], "in_progress") }];
  items.forEach((item, output_index) => {
    const place = { item_id: item.id ?? null, output_index };
    frames.push({ type: "response.output_item.added", output_index, item: { ...item, content: [], arguments: "" } });
    if (item.type === "function_call") {
      frames.push({ type: "response.function_call_arguments.delta", ...place, delta: item.arguments ?? "" });
      frames.push({ type: "response.function_call_arguments.done", ...place, arguments: item.arguments ?? "" });
    }
    if (item.type === "message" && Array.isArray(item.content)) {
      item.content.forEach((part, content_index) => {
        const text = JSON.parse(JSON.stringify(part)).text;
        frames.push({ type: "response.output_text.delta", ...place, content_index, delta: text });
        frames.push({ type: "response.output_text.done", ...place, content_index, text });
      });
    }
    frames.push({ type: "response.output_item.done", output_index, item });
  });
  frames.push({ type: `response.${end}`, response: responseObject([...items], end, more) });
  return frames.map((frame, sequence_number) => ({ ...frame, sequence_number }));
}
