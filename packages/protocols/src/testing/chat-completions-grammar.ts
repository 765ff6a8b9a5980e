import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** What a lawful stream of chunks added up to. */
export interface CheckedChatStream {
  ok: true;
  /** `done`: the end mark came. `error`: the stream ended by an error frame. `open`: it just stops. */
  ended: "done" | "error" | "open";
  id: string | undefined;
  model: string | undefined;
  choices: CheckedChoice[];
  usage: JsonObject | undefined;
  error: JsonObject | undefined;
}

export interface CheckedChoice {
  index: number;
  content: string;
  refusal: string;
  reasoning: string;
  reasoningDetails: JsonObject[];
  annotations: JsonObject[];
  /** Tokens of the text with their log probabilities. */
  logprobs: JsonObject[];
  toolCalls: { id: string; type: string; name: string; arguments: string; extra?: JsonValue }[];
  finish: string | undefined;
}

const finishes = new Set(["stop", "length", "tool_calls", "content_filter", "function_call"]);
const deltaKeys = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "reasoning_content",
  "reasoning_details",
  "annotations",
  "audio",
  "images",
]);
const chunkKeys = new Set(["id", "object", "created", "model", "choices", "service_tier", "usage"]);

function fail(at: number, what: string): never {
  throw new Error(`Chat completions frame ${at}: ${what}`);
}

function text(value: JsonValue | undefined, at: number, what: string): string {
  if (typeof value !== "string") fail(at, `${what} is not a string`);
  return value;
}

function object(value: JsonValue | undefined, at: number, what: string): JsonObject {
  if (!isObject(value)) fail(at, `${what} is not an object`);
  return value;
}

function list(value: JsonValue | undefined, at: number, what: string): JsonValue[] {
  if (!Array.isArray(value)) fail(at, `${what} is not an array`);
  return value;
}

/**
 * Reads the raw text of a stream as the strictest known client does and throws on anything that is not the grammar of
 * conversion.md 3.1 or that the wire sheet's section 10 says breaks a client. `candidates`: how many were asked for.
 * `usage`: whether the usage chunk was asked for; absent: either.
 */
export function checkStream(raw: string, asked: { candidates?: number; usage?: boolean } = {}): CheckedChatStream {
  const checked: CheckedChatStream = {
    ok: true,
    ended: "open",
    id: undefined,
    model: undefined,
    choices: [],
    usage: undefined,
    error: undefined,
  };
  const states = new Map<number, CheckedChoice>();
  let first: JsonObject | undefined;
  for (const [at, data] of frames(raw).entries()) {
    if (checked.ended !== "open") fail(at, "comes after the end");
    if (data === "[DONE]") {
      finishStream(checked, states, at, asked);
      continue;
    }
    const chunk = object(parse(data, at), at, "the frame");
    if ("error" in chunk) {
      checked.error = checkError(chunk, at);
      checked.ended = "error";
      continue;
    }
    first ??= chunk;
    checkEnvelope(chunk, first, at);
    if (checked.usage) fail(at, "comes after the usage chunk");
    const choices = list(chunk.choices, at, "choices");
    if (choices.length === 0) {
      checked.usage = checkUsage(chunk.usage, at);
      if (asked.usage === false) fail(at, "tells usage that was not asked for");
      continue;
    }
    if (asked.usage === true && chunk.usage !== null) fail(at, "usage must be null before the usage chunk");
    if (asked.usage === false && "usage" in chunk) fail(at, "usage was not asked for");
    for (const choice of choices) checkChoice(object(choice, at, "a choice"), states, asked.candidates ?? 1, at);
  }
  checked.id = first ? text(first.id, 0, "id") : undefined;
  checked.model = first ? text(first.model, 0, "model") : undefined;
  checked.choices = [...states.values()].sort((a, b) => a.index - b.index);
  return checked;
}

/** Data of every frame. Only `data:` lines, comments and blank lines may occur, and every frame is one line. */
function frames(raw: string): string[] {
  if (raw === "") return [];
  if (!raw.endsWith("\n\n")) throw new Error("A chat completions stream must end with a blank line.");
  return raw
    .slice(0, -2)
    .split("\n\n")
    .flatMap((frame) => {
      if (frame.startsWith(":") && !frame.includes("\n")) return [];
      if (!frame.startsWith("data: ") || frame.includes("\n") || frame.includes("\r")) {
        throw new Error(`Not a chat completions frame: ${JSON.stringify(frame.slice(0, 200))}`);
      }
      return [frame.slice("data: ".length)];
    });
}

function parse(data: string, at: number): JsonValue {
  try {
    return JSON.parse(data);
  } catch {
    return fail(at, "is not JSON");
  }
}

function checkError(chunk: JsonObject, at: number): JsonObject {
  const error = object(chunk.error, at, "error");
  text(error.message, at, "error.message");
  text(error.type, at, "error.type");
  for (const key of ["param", "code"]) {
    if (!(key in error) || (error[key] !== null && typeof error[key] !== "string")) fail(at, `error.${key} is missing`);
  }
  return error;
}

function checkEnvelope(chunk: JsonObject, first: JsonObject, at: number): void {
  for (const key of Object.keys(chunk)) if (!chunkKeys.has(key)) fail(at, `unknown key '${key}'`);
  if (text(chunk.id, at, "id") === "") fail(at, "id is empty");
  if (chunk.object !== "chat.completion.chunk") fail(at, "object is wrong");
  if (!Number.isInteger(chunk.created)) fail(at, "created is not an integer");
  text(chunk.model, at, "model");
  for (const key of ["id", "created", "model"]) {
    if (chunk[key] !== first[key]) fail(at, `${key} differs from the first chunk's`);
  }
}

function checkUsage(value: JsonValue | undefined, at: number): JsonObject {
  const usage = object(value, at, "usage");
  const numbers = ["prompt_tokens", "completion_tokens", "total_tokens"].map((key) => {
    const number = usage[key];
    if (typeof number !== "number" || !Number.isInteger(number) || number < 0) fail(at, `usage.${key} is no counter`);
    return number;
  });
  const [prompt = 0, completion = 0, total = 0] = numbers;
  if (prompt + completion !== total) fail(at, "usage.total_tokens is not the sum");
  return usage;
}

function checkChoice(choice: JsonObject, states: Map<number, CheckedChoice>, candidates: number, at: number): void {
  const index = choice.index;
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= candidates) {
    fail(at, `choice index ${String(index)} was not asked for`);
  }
  const delta = object(choice.delta, at, "delta");
  for (const key of Object.keys(delta)) if (!deltaKeys.has(key)) fail(at, `unknown delta key '${key}'`);
  if (!("logprobs" in choice) || !("finish_reason" in choice)) fail(at, "logprobs or finish_reason is missing");
  let state = states.get(index);
  if (!state) {
    if (delta.role !== "assistant") fail(at, "the first chunk of a choice must bear the role");
    state = {
      index,
      content: "",
      refusal: "",
      reasoning: "",
      reasoningDetails: [],
      annotations: [],
      logprobs: [],
      toolCalls: [],
      finish: undefined,
    };
    states.set(index, state);
  } else if ("role" in delta) fail(at, "the role comes twice");
  if (state.finish !== undefined) fail(at, "comes after the choice's finish");
  checkDelta(delta, state, at);
  if (choice.logprobs !== null) {
    const { content } = object(choice.logprobs, at, "logprobs");
    for (const token of list(content, at, "tokens")) state.logprobs.push(object(token, at, "a token"));
  }
  if (choice.finish_reason === null) return;
  const finish = text(choice.finish_reason, at, "finish_reason");
  if (!finishes.has(finish)) fail(at, `finish_reason '${finish}' is not in the vendor's list`);
  if (Object.keys(delta).length > 0) fail(at, "the finish must come in a chunk of its own");
  state.finish = finish;
}

function checkDelta(delta: JsonObject, state: CheckedChoice, at: number): void {
  if (delta.content !== undefined && delta.content !== null) state.content += text(delta.content, at, "content");
  if (delta.refusal !== undefined && delta.refusal !== null) state.refusal += text(delta.refusal, at, "refusal");
  if (delta.reasoning_content !== undefined) state.reasoning += text(delta.reasoning_content, at, "reasoning_content");
  for (const entry of delta.reasoning_details === undefined ? [] : list(delta.reasoning_details, at, "details")) {
    const detail = object(entry, at, "a reasoning detail");
    text(detail.type, at, "type of a reasoning detail");
    state.reasoningDetails.push(detail);
  }
  for (const entry of delta.annotations === undefined ? [] : list(delta.annotations, at, "annotations")) {
    state.annotations.push(object(entry, at, "an annotation"));
  }
  for (const entry of delta.tool_calls === undefined ? [] : list(delta.tool_calls, at, "tool_calls")) {
    checkCall(object(entry, at, "a tool call"), state, at);
  }
}

function checkCall(entry: JsonObject, state: CheckedChoice, at: number): void {
  for (const [key, value] of Object.entries(entry)) if (value === null) fail(at, `tool call key '${key}' is null`);
  const index = entry.index;
  if (typeof index !== "number" || !Number.isInteger(index)) fail(at, "a tool call has no index");
  const opens = index === state.toolCalls.length;
  if (!opens && index !== state.toolCalls.length - 1) fail(at, `tool call index ${index} is not dense or interleaves`);
  const type = opens ? text(entry.type, at, "type of a tool call") : (state.toolCalls.at(-1)?.type ?? "");
  if (type !== "function" && type !== "custom") fail(at, `tool call type '${type}' is unknown`);
  const holder = object(entry[type], at, `${type} of a tool call`);
  for (const [key, value] of Object.entries(holder)) if (value === null) fail(at, `'${key}' of a tool call is null`);
  const piece = text(type === "function" ? holder.arguments : holder.input, at, "text of a tool call");
  if (opens) {
    const id = text(entry.id, at, "id of a tool call");
    const name = text(holder.name, at, "name of a tool call");
    if (id === "" || name === "") fail(at, "a tool call opens without id or name");
    if (state.toolCalls.some((call) => call.id === id)) fail(at, "two tool calls share an id");
    state.toolCalls.push({ id, type, name, arguments: piece });
  } else if ("id" in entry || "type" in entry || "name" in holder) {
    fail(at, "a later fragment of a tool call may bear index and text only");
  }
  const call = state.toolCalls.at(-1);
  if (!call) return;
  if (!opens) call.arguments += piece;
  if (entry.extra_content !== undefined) call.extra = entry.extra_content;
}

function finishStream(
  checked: CheckedChatStream,
  states: Map<number, CheckedChoice>,
  at: number,
  asked: { usage?: boolean },
): void {
  checked.ended = "done";
  if (states.size === 0) fail(at, "ends without a choice");
  const indexes = [...states.keys()].sort((a, b) => a - b);
  if (indexes.some((index, order) => index !== order)) fail(at, "choice indexes have a hole");
  for (const state of states.values()) {
    if (state.finish === undefined) fail(at, `choice ${state.index} has no finish_reason`);
    for (const call of state.toolCalls) {
      if (call.type === "function" && call.arguments === "") fail(at, "a tool call has empty arguments");
    }
  }
  if (asked.usage === true && !checked.usage) fail(at, "the usage chunk is missing");
}
