import {
  cacheWriteTokens,
  inputTokens,
  type JsonObject,
  type JsonValue,
  splitPrompt,
  type Usage,
} from "../canonical/index.ts";
import { isObject, readCount, unknownFields } from "../shared/read.ts";

/** The first counter that is told. */
function first(...values: (JsonValue | undefined)[]): number | undefined {
  for (const value of values) {
    const number = readCount(value);
    if (number !== undefined) return number;
  }
  return undefined;
}

/**
 * Canonical usage of a `usage` object, with the aliases of compatible servers (conversion.md 1.5.6). Cache reads and
 * writes are parts of `prompt_tokens`, reasoning is part of `completion_tokens`, except on servers whose total shows
 * that they count reasoning beside it.
 */
export function decodeUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const promptDetails = isObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const completionDetails = isObject(value.completion_tokens_details) ? value.completion_tokens_details : {};
  const cacheRead = first(
    promptDetails.cached_tokens,
    value.prompt_cache_hit_tokens,
    value.cached_tokens,
    value.num_cached_tokens,
    value.cache_read_input_tokens,
  );
  const cacheWrite = first(
    promptDetails.cache_write_tokens,
    promptDetails.cache_creation_tokens,
    value.cache_creation_tokens,
    value.cache_creation_input_tokens,
  );
  const misses = readCount(value.prompt_cache_miss_tokens);
  const prompt = readCount(value.prompt_tokens) ?? (misses === undefined ? undefined : misses + (cacheRead ?? 0));
  const reasoning = first(completionDetails.reasoning_tokens, value.reasoning_tokens);
  const completion = readCount(value.completion_tokens);
  const total = readCount(value.total_tokens);
  const beside = reasoning !== undefined && reasoning > 0 && total === (prompt ?? 0) + (completion ?? 0) + reasoning;

  const usage: Usage = { input: splitPrompt(prompt, cacheRead, cacheWrite), output: {} };
  if (completion !== undefined) usage.output.total = beside ? completion + reasoning : completion;
  if (reasoning !== undefined) usage.output.reasoning = reasoning;
  const audio = readCount(completionDetails.audio_tokens);
  if (audio !== undefined) usage.output.audio = audio;
  const image = readCount(completionDetails.image_tokens);
  if (image !== undefined) usage.output.image = image;
  const inputAudio = readCount(promptDetails.audio_tokens);
  if (inputAudio !== undefined) usage.inputAudio = inputAudio;
  const serverTools = decodeServerTools(value.server_tool_use_details ?? value.server_tool_use);
  if (serverTools) usage.serverTools = serverTools;
  // An object without a counter tells nothing: it must not become zeros (1.4).
  const isTold = inputTokens(usage) !== undefined || Object.keys(usage.output).length > 0 || serverTools !== undefined;
  return isTold ? usage : undefined;
}

function decodeServerTools(value: JsonValue | undefined): Record<string, number> | undefined {
  if (!isObject(value)) return undefined;
  const told = Object.entries(value).flatMap(([name, uses]) => {
    const number = readCount(uses);
    return number === undefined ? [] : [[name, number] as const];
  });
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

/** The usage that a stream chunk bears: in `usage`, or in the vendor block that some servers use instead. */
export function usageOfChunk(chunk: JsonObject): Usage | undefined {
  if (chunk.usage !== undefined && chunk.usage !== null) return decodeUsage(chunk.usage);
  if (isObject(chunk.x_groq)) return decodeUsage(chunk.x_groq.usage);
  return undefined;
}

/** The `usage` object: required totals, and the details that the upstream told. */
export function encodeUsage(usage: Usage): JsonObject {
  const prompt = inputTokens(usage) ?? 0;
  const completion = usage.output.total ?? usage.output.reasoning ?? 0;
  const cacheWrite = cacheWriteTokens(usage);
  const promptDetails: JsonObject = {};
  if (usage.input.cacheRead !== undefined) promptDetails.cached_tokens = usage.input.cacheRead;
  if (cacheWrite !== undefined) promptDetails.cache_write_tokens = cacheWrite;
  if (usage.inputAudio !== undefined) promptDetails.audio_tokens = usage.inputAudio;
  const completionDetails: JsonObject = {};
  if (usage.output.reasoning !== undefined) completionDetails.reasoning_tokens = usage.output.reasoning;
  if (usage.output.audio !== undefined) completionDetails.audio_tokens = usage.output.audio;
  if (usage.output.image !== undefined) completionDetails.image_tokens = usage.output.image;
  const encoded: JsonObject = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  if (Object.keys(promptDetails).length > 0) encoded.prompt_tokens_details = promptDetails;
  if (Object.keys(completionDetails).length > 0) encoded.completion_tokens_details = completionDetails;
  if (usage.serverTools) encoded.server_tool_use_details = { ...usage.serverTools };
  return encoded;
}

/** Counters with a canonical meaning, under every name they are read by. */
const readCounters = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
  "prompt_cache_hit_tokens",
  "prompt_cache_miss_tokens",
  "cached_tokens",
  "num_cached_tokens",
  "cache_read_input_tokens",
  "cache_creation_tokens",
  "cache_creation_input_tokens",
  "reasoning_tokens",
  "server_tool_use_details",
  "server_tool_use",
]);

/** What a server tells in its usage beyond tokens: costs, times. */
export function usageExtras(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? unknownFields(value, readCounters) : undefined;
}
