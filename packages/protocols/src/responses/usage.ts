import {
  cacheWriteTokens,
  inputTokens,
  type JsonObject,
  type JsonValue,
  splitPrompt,
  type Usage,
} from "../canonical/index.ts";
import { isObject, readCount } from "../shared/read.ts";

/**
 * Wire usage -> disjoint counters (conversion.md 1.5.6). Undefined where the upstream told none. Counters that are no
 * finite number, and a cached count above the total, are upstream noise and never make a negative counter.
 */
export function decodeUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const total = readCount(value.input_tokens);
  const output = readCount(value.output_tokens);
  if (total === undefined && output === undefined) return undefined;
  const details = isObject(value.input_tokens_details) ? value.input_tokens_details : {};
  const cached = readCount(details.cached_tokens) ?? readCount(value.cached_tokens);
  const usage: Usage = { input: splitPrompt(total, cached, readCount(details.cache_write_tokens)), output: {} };
  if (output !== undefined) usage.output.total = output;
  const outputDetails = isObject(value.output_tokens_details) ? value.output_tokens_details : {};
  const reasoning = readCount(outputDetails.reasoning_tokens);
  if (reasoning !== undefined) usage.output.reasoning = reasoning;
  return usage;
}

/** Disjoint counters -> wire usage. The schema wants every number, so an unknown counter is 0 here. */
export function encodeUsage(usage: Usage): JsonObject {
  const input = inputTokens(usage) ?? 0;
  const output = usage.output.total ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.input.cacheRead ?? 0,
      cache_write_tokens: cacheWriteTokens(usage) ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.output.reasoning ?? 0 },
    total_tokens: input + output,
  };
}
