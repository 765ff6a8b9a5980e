import {
  type CanonicalRequest,
  type JsonObject,
  type JsonValue,
  refuse,
  type Tool,
  type Turn,
} from "../canonical/index.ts";
import type { DecodeRequestContext, RequestEnvelope } from "../codec.ts";
import {
  isObject,
  missing,
  path,
  readBoolean,
  readEnum,
  readNumber,
  readObject,
  readString,
  requireString,
  unknownFields,
} from "../shared/read.ts";
import { distinctNames, namedParts, toolKey } from "./distinct-names.ts";
import { decodeInclude, decodeSampling, decodeText } from "./output-control.ts";
import { decodeReasoningControl } from "./reasoning.ts";
import { decodeToolChoice } from "./tool-choice.ts";
import { decodeTools } from "./tools.ts";
import { type DecodedInput, decodeInput, tellFound } from "./turns-decoder.ts";

const known = new Set([
  "model",
  "input",
  "instructions",
  "previous_response_id",
  "conversation",
  "store",
  "background",
  "stream",
  "stream_options",
  "include",
  "max_output_tokens",
  "max_tool_calls",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "text",
  "reasoning",
  "temperature",
  "top_p",
  "top_logprobs",
  "truncation",
  "metadata",
  "service_tier",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "user",
]);

/**
 * A client's request -> canonical (responses.md section 3). Refuses by field path what is malformed or out of range.
 * `input` may be absent only where a stored prompt or an earlier response supplies it.
 */
export function decodeRequest(
  body: JsonObject,
  _envelope: RequestEnvelope,
  context: DecodeRequestContext,
): CanonicalRequest {
  const model = requireString(body, "model");
  if (model === "") refuse("model", "'model' must not be empty.");
  return decodeBody(body, model, context);
}

/** The same for a body whose model may be absent (token counting). */
export function decodeBody(body: JsonObject, model: string, context: DecodeRequestContext): CanonicalRequest {
  const prompt = readObject(body, "prompt");
  const input = readInput(body, prompt !== undefined || isText(body.previous_response_id));
  const decoded = input === undefined ? { turns: [], tools: [], found: [] } : decodeInput(input, context);
  const { turns } = decoded;
  const instructions = readString(body, "instructions");
  if (instructions !== undefined && instructions !== "") turns.unshift(instructionsTurn(instructions));
  const tools = withCarried(decodeTools(body, ""), decoded.tools);
  nameTools(tools, decoded);
  const include = decodeInclude(body);
  const text = decodeText(body);
  const reasoning = decodeReasoningControl(body);
  const request: CanonicalRequest = {
    model,
    stream: readBoolean(body, "stream") ?? false,
    turns,
    tools,
    sampling: decodeSampling(body, include.logprobs),
    stopSequences: [],
  };
  const toolChoice = decodeToolChoice(body.tool_choice, tools);
  if (toolChoice) request.toolChoice = toolChoice;
  if (readBoolean(body, "parallel_tool_calls") === false) request.parallelToolCalls = false;
  const maxToolCalls = readNumber(body, "max_tool_calls", { min: 1, integer: true });
  if (maxToolCalls !== undefined) request.maxToolCalls = maxToolCalls;
  const limit = readNumber(body, "max_output_tokens", { min: 16, integer: true });
  if (limit !== undefined) request.maxOutputTokens = limit;
  if (text.format) request.format = text.format;
  if (text.verbosity) request.verbosity = text.verbosity;
  if (reasoning.control) request.reasoning = reasoning.control;
  if (include.encrypted) request.includeEncryptedReasoning = true;
  decodeState(body, request);
  decodeCache(body, request);
  decodeCaller(body, request);
  keepRest(body, request, { include: include.rest, text: text.rest, reasoning: reasoning.rest });
  return request;
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string";
}

function readInput(body: JsonObject, supplied: boolean): JsonValue | undefined {
  const input = body.input;
  if (input === undefined || input === null) return supplied ? undefined : missing("input");
  if (typeof input !== "string" && !Array.isArray(input)) {
    refuse("input", "'input' must be a string or an array of items.", "invalid_type");
  }
  return input;
}

/** Tool search tells again what was offered before: a tool that is known is the same one. */
function withCarried(offered: Tool[], carried: Tool[]): Tool[] {
  const known = new Set(offered.map(keyOf));
  const tools = [...offered];
  for (const tool of carried) {
    const key = keyOf(tool);
    if (known.has(key)) continue;
    known.add(key);
    tools.push(tool);
  }
  return tools;
}

function keyOf(tool: Tool): string {
  return tool.type === "server" ? JSON.stringify(tool.payload) : toolKey(tool);
}

/** Gives tools that read alike names of their own, wherever they are named. */
function nameTools(tools: readonly Tool[], input: DecodedInput): void {
  const nameOf = distinctNames(tools, input.turns);
  tellFound(input, nameOf);
  for (const tool of tools) if (tool.type !== "server") tool.name = nameOf(tool);
  for (const part of namedParts(input.turns)) part.name = nameOf(part);
}

function instructionsTurn(text: string): Turn {
  return { role: "system", parts: [{ type: "text", text, at: "instructions" }], at: "instructions" };
}

function decodeState(body: JsonObject, request: CanonicalRequest): void {
  const store = readBoolean(body, "store");
  const previousResponseId = readString(body, "previous_response_id");
  const conversation = readConversation(body);
  if (previousResponseId !== undefined && conversation !== undefined) {
    refuse("conversation", "'conversation' and 'previous_response_id' cannot be used together.");
  }
  const background = readBoolean(body, "background");
  const truncation = readEnum(body, "truncation", ["auto", "disabled"]);
  const state: NonNullable<CanonicalRequest["state"]> = {
    ...(store === undefined ? {} : { store }),
    ...(previousResponseId === undefined ? {} : { previousResponseId }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(background ? { background } : {}),
    ...(truncation === "auto" ? { truncation } : {}),
  };
  if (Object.keys(state).length > 0) request.state = state;
}

function readConversation(body: JsonObject): string | JsonObject | undefined {
  const value = body.conversation;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  if (!isObject(value)) refuse("conversation", "'conversation' must be a string or an object.", "invalid_type");
  requireString(value, "id", "conversation");
  return value;
}

function decodeCache(body: JsonObject, request: CanonicalRequest): void {
  const key = readString(body, "prompt_cache_key");
  const retention = readString(body, "prompt_cache_retention");
  const options = readObject(body, "prompt_cache_options");
  if (key === undefined && retention === undefined && !options) return;
  request.cache = {
    ...(key === undefined ? {} : { key }),
    ...(retention === undefined ? {} : { retention }),
    ...(options ? { options } : {}),
  };
}

function decodeCaller(body: JsonObject, request: CanonicalRequest): void {
  const safety = readString(body, "safety_identifier");
  if (safety !== undefined && safety.length > 128) {
    refuse("safety_identifier", "'safety_identifier' must have at most 128 characters.");
  }
  const user = readString(body, "user");
  const metadata = readMetadata(body);
  const userId = safety ?? user;
  if (userId !== undefined || metadata) {
    request.caller = { ...(userId === undefined ? {} : { userId }), ...(metadata ? { metadata } : {}) };
  }
  const tier = readString(body, "service_tier");
  if (tier !== undefined && tier !== "auto") request.serviceTier = tier;
}

function readMetadata(body: JsonObject): Record<string, string> | undefined {
  const wire = readObject(body, "metadata");
  if (!wire) return undefined;
  const metadata: Record<string, string> = {};
  const keys = Object.keys(wire);
  if (keys.length > 16) refuse("metadata", "'metadata' must have at most 16 pairs.");
  for (const key of keys) {
    const field = path("metadata", key);
    const value = wire[key];
    if (key.length > 64) refuse(field, "A key of 'metadata' must have at most 64 characters.");
    if (typeof value !== "string") refuse(field, `'${field}' must be a string.`, "invalid_type");
    if (value.length > 512) refuse(field, `'${field}' must have at most 512 characters.`);
    Object.defineProperty(metadata, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return keys.length > 0 ? metadata : undefined;
}

/** What has no canonical meaning goes through untouched to this protocol, and becomes a notice for any other. */
function keepRest(
  body: JsonObject,
  request: CanonicalRequest,
  inner: { include: string[] | undefined; text: JsonObject | undefined; reasoning: JsonObject | undefined },
): void {
  readObject(body, "stream_options");
  const rest: JsonObject = { ...unknownFields(body, known) };
  if (inner.include) rest.include = inner.include;
  for (const [key, value] of Object.entries(inner.text ?? {})) rest[`text.${key}`] = value;
  for (const [key, value] of Object.entries(inner.reasoning ?? {})) rest[`reasoning.${key}`] = value;
  if (Object.keys(rest).length > 0) request.extras = { responses: rest };
}
