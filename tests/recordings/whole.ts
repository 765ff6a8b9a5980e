import type { JsonObject, ProtocolName } from "@interlingua/protocols";

/**
 * Puts a recorded stream together to the whole answer its protocol would have given, by the simplest reading of the
 * protocol: no tolerance, no repair. Gives undefined where the stream holds an error or has no terminal mark.
 */
export function wholeAnswer(protocol: ProtocolName, sse: Uint8Array): JsonObject | undefined {
  const frames = new TextDecoder()
    .decode(sse)
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((block) =>
      block
        .split(/\r\n|\n|\r/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n"),
    )
    .filter((data) => data !== "");
  const done = frames.includes("[DONE]");
  const events = frames.filter((data) => data !== "[DONE]").map((data) => JSON.parse(data) as JsonObject);
  if (events.some((event) => event.error)) return undefined;
  switch (protocol) {
    case "chat-completions":
      return wholeChat(events, done);
    case "responses":
      return wholeResponse(events);
    case "messages":
      return wholeMessage(events);
    case "generate-content":
      return wholeGeneration(events);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON is read here as it lies, without the product's types
type Loose = any;

function wholeChat(events: Loose[], done: boolean): JsonObject | undefined {
  const message: Loose = { role: "assistant", content: null };
  const calls = new Map<string, Loose>();
  let finish: string | undefined;
  let usage: Loose;
  let lastKey = "";
  for (const event of events) {
    if (event.usage) usage = event.usage;
    const choice = event.choices?.find((candidate: Loose) => (candidate.index ?? 0) === 0);
    if (!choice) continue;
    const delta = choice.delta ?? choice.message ?? {};
    const text = Array.isArray(delta.content)
      ? delta.content.map((part: Loose) => part.text ?? "").join("")
      : delta.content;
    if (typeof text === "string") message.content = (message.content ?? "") + text;
    if (typeof delta.refusal === "string") message.refusal = (message.refusal ?? "") + delta.refusal;
    for (const part of delta.tool_calls ?? []) {
      const key = part.index === undefined ? (part.id ?? lastKey) : String(part.index);
      lastKey = key;
      const call = calls.get(key) ?? { function: { name: "", arguments: "" } };
      calls.set(key, call);
      call.function.name += part.function?.name ?? "";
      call.function.arguments += part.function?.arguments ?? "";
    }
    if (delta.function_call) {
      message.function_call ??= { name: "", arguments: "" };
      message.function_call.name += delta.function_call.name ?? "";
      message.function_call.arguments += delta.function_call.arguments ?? "";
    }
    if (choice.finish_reason) finish = choice.finish_reason;
  }
  if (!finish && !done) return undefined;
  if (calls.size > 0) message.tool_calls = [...calls.values()];
  return { choices: [{ index: 0, message, finish_reason: finish ?? null }], usage };
}

function wholeResponse(events: Loose[]): JsonObject | undefined {
  const terminal = events.findLast((event) =>
    ["response.completed", "response.incomplete", "response.failed"].includes(event.type),
  );
  if (!terminal) return undefined;
  const done = events.filter((event) => event.type === "response.output_item.done").map((event) => event.item);
  const output = terminal.response.output?.length > 0 ? terminal.response.output : done;
  return { ...terminal.response, output };
}

function wholeMessage(events: Loose[]): JsonObject | undefined {
  const start = events.find((event) => event.type === "message_start");
  if (!start || !events.some((event) => event.type === "message_stop")) return undefined;
  const message = structuredClone(start.message);
  const blocks: Loose[] = [];
  const inputs: string[] = [];
  for (const event of events) {
    if (event.type === "message_stop") break;
    if (event.type === "content_block_start") blocks[event.index] = structuredClone(event.content_block);
    if (event.type === "content_block_delta") {
      const block = blocks[event.index];
      if (event.delta.type === "text_delta") block.text += event.delta.text;
      if (event.delta.type === "input_json_delta") {
        inputs[event.index] = (inputs[event.index] ?? "") + event.delta.partial_json;
      }
    }
    if (event.type === "message_delta") {
      message.stop_reason = event.delta.stop_reason;
      for (const [key, value] of Object.entries(event.usage ?? {})) if (value !== null) message.usage[key] = value;
    }
  }
  for (const [index, input] of inputs.entries()) {
    if (input && blocks[index].type === "tool_use") blocks[index].input = JSON.parse(input);
  }
  return { ...message, content: blocks };
}

/** Also for the JSON-array form: `events` are then the array's elements. */
export function wholeGeneration(events: Loose[]): JsonObject | undefined {
  const parts: Loose[] = [];
  let finishReason: string | undefined;
  let usageMetadata: Loose;
  let promptFeedback: Loose;
  for (const event of events) {
    const candidate = event.candidates?.[0];
    parts.push(...(candidate?.content?.parts ?? []));
    if (candidate?.finishReason) finishReason = candidate.finishReason;
    if (event.usageMetadata) usageMetadata = { ...usageMetadata, ...event.usageMetadata };
    if (event.promptFeedback?.blockReason) promptFeedback = event.promptFeedback;
  }
  if (promptFeedback && !finishReason) return { promptFeedback, usageMetadata };
  if (!finishReason) return undefined;
  return { candidates: [{ content: { role: "model", parts }, finishReason }], usageMetadata };
}
