import { cacheWriteTokens, type JsonObject, type JsonValue, type Usage } from "../canonical/index.ts";
import { isObject, readCount } from "../shared/read.ts";
import type { WireUsage } from "./wire.ts";

/**
 * Counters of an answer (messages.md 10). `earlier` is what the same stream told before: the closing report repeats the
 * sum of the cache writes without its split, which must not be counted beside the split.
 */
export function decodeUsage(body: JsonObject, earlier?: Usage): Usage {
  const usage: Usage = { input: {}, output: {} };
  const { input, output } = usage;
  const uncached = readCount(body.input_tokens);
  // A few hosts close with 0 after a true number; a positive number is never taken back.
  if (uncached !== undefined && !(uncached === 0 && earlier?.input.uncached)) input.uncached = uncached;
  const read = readCount(body.cache_read_input_tokens);
  if (read !== undefined && !(read === 0 && earlier?.input.cacheRead)) input.cacheRead = read;
  decodeCacheWrites(body, usage, earlier);
  const total = readCount(body.output_tokens);
  if (total !== undefined) output.total = total;
  const details = body.output_tokens_details;
  if (isObject(details)) {
    const reasoning = readCount(details.thinking_tokens);
    if (reasoning !== undefined) output.reasoning = reasoning;
  }
  const tools = body.server_tool_use;
  if (isObject(tools)) {
    for (const [name, value] of Object.entries(tools)) {
      const uses = readCount(value);
      if (uses) usage.serverTools = { ...usage.serverTools, [name]: uses };
    }
  }
  return usage;
}

function decodeCacheWrites(body: JsonObject, usage: Usage, earlier: Usage | undefined): void {
  const { input } = usage;
  const total = readCount(body.cache_creation_input_tokens);
  const split = body.cache_creation;
  let known = 0;
  if (isObject(split)) {
    const short = readCount(split.ephemeral_5m_input_tokens);
    const long = readCount(split.ephemeral_1h_input_tokens);
    if (short !== undefined) input.cacheWrite5m = short;
    if (long !== undefined) input.cacheWrite1h = long;
    known = (short ?? 0) + (long ?? 0);
    if (total !== undefined && total > known) input.cacheWrite = total - known;
    return;
  }
  if (total === undefined) return;
  const before = earlier?.input;
  if (before?.cacheWrite5m === undefined && before?.cacheWrite1h === undefined) {
    if (total > 0 || !before?.cacheWrite) input.cacheWrite = total;
    return;
  }
  const rest = total - (before.cacheWrite5m ?? 0) - (before.cacheWrite1h ?? 0);
  if (rest > 0) input.cacheWrite = rest;
}

const tiers: ReadonlyMap<string, "standard" | "priority" | "batch"> = new Map([
  ["standard", "standard"],
  ["default", "standard"],
  ["priority", "priority"],
  ["batch", "batch"],
]);

/** Counters as a client reads them; numbers are 0 where nothing was told and the vendor always writes a number. */
export function encodeUsage(usage: Usage | undefined, serviceTier?: string): Record<keyof WireUsage, JsonValue> {
  const input = usage?.input ?? {};
  const output = usage?.output ?? {};
  const hasSplit = input.cacheWrite5m !== undefined || input.cacheWrite1h !== undefined;
  const tools = usage?.serverTools;
  return {
    input_tokens: Math.max(0, (input.uncached ?? 0) + (input.toolPrompt ?? 0)),
    cache_creation_input_tokens: (usage && cacheWriteTokens(usage)) ?? 0,
    cache_read_input_tokens: input.cacheRead ?? 0,
    cache_creation: hasSplit
      ? {
          ephemeral_5m_input_tokens: input.cacheWrite5m ?? 0,
          ephemeral_1h_input_tokens: input.cacheWrite1h ?? 0,
        }
      : null,
    output_tokens: Math.max(0, output.total ?? 0),
    output_tokens_details: output.reasoning === undefined ? null : { thinking_tokens: output.reasoning },
    server_tool_use: tools
      ? {
          ...tools,
          web_search_requests: tools.web_search_requests ?? 0,
          web_fetch_requests: tools.web_fetch_requests ?? 0,
        }
      : null,
    service_tier: tiers.get(serviceTier ?? "") ?? null,
    speed: null,
    inference_geo: null,
  };
}

/** The closing report of a stream: cumulative, both sides (traps S10 and S11). */
export function encodeDeltaUsage(usage: Usage | undefined): JsonObject {
  const whole = encodeUsage(usage);
  return {
    input_tokens: whole.input_tokens,
    cache_creation_input_tokens: whole.cache_creation_input_tokens,
    cache_read_input_tokens: whole.cache_read_input_tokens,
    output_tokens: whole.output_tokens,
    output_tokens_details: whole.output_tokens_details,
    server_tool_use: whole.server_tool_use,
  };
}
