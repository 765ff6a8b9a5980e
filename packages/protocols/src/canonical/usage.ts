/**
 * Tokens of one call in counters that do not overlap (conversion.md 1.4). A counter that the upstream did not report is
 * absent, never 0. Input counters add up to what the model read. Output: `total` is what the model wrote, of which
 * `reasoning`, `audio` and `image` tell parts where the family splits them.
 */
export interface Usage {
  input: {
    uncached?: number;
    cacheRead?: number;
    /** Cache writes of unknown lifetime; the two below where the family tells it. */
    cacheWrite?: number;
    cacheWrite5m?: number;
    cacheWrite1h?: number;
    /** Results of provider-run tools that were read back (Gemini). */
    toolPrompt?: number;
  };
  output: { total?: number; reasoning?: number; audio?: number; image?: number };
  /** Audio tokens within the input: a second view on the same tokens, never added. */
  inputAudio?: number;
  /** Provider-run tool uses, for example `web_search_requests`. */
  serverTools?: Record<string, number>;
  /** Counted by the gateway, not told by the upstream. */
  estimated?: boolean;
}

/** All input tokens, or undefined where none is known. */
export function inputTokens(usage: Usage): number | undefined {
  return sum(Object.values(usage.input));
}

/** All cache-write tokens, or undefined where none is known. */
export function cacheWriteTokens(usage: Usage): number | undefined {
  return sum([usage.input.cacheWrite, usage.input.cacheWrite5m, usage.input.cacheWrite1h]);
}

/**
 * Input counters of families that count cache reads and writes inside the whole prompt. Some servers tell more cached
 * than read: such counters are cut, so that the sum stays the whole that is billed.
 */
export function splitPrompt(
  whole: number | undefined,
  cacheRead: number | undefined,
  cacheWrite: number | undefined,
): Usage["input"] {
  const input: Usage["input"] = {};
  const read = cacheRead === undefined ? 0 : Math.min(cacheRead, whole ?? cacheRead);
  const written = cacheWrite === undefined ? 0 : Math.min(cacheWrite, (whole ?? read + cacheWrite) - read);
  if (whole !== undefined) input.uncached = whole - read - written;
  if (cacheRead !== undefined) input.cacheRead = read;
  if (cacheWrite !== undefined) input.cacheWrite = written;
  return input;
}

/** Merges two cumulative reports of one call: the later value of a counter wins, an absent one changes nothing (L15). */
export function mergeUsage(earlier: Usage | undefined, later: Usage): Usage {
  if (!earlier) return later;
  const merged: Usage = {
    input: { ...earlier.input, ...defined(later.input) },
    output: { ...earlier.output, ...defined(later.output) },
  };
  const inputAudio = later.inputAudio ?? earlier.inputAudio;
  if (inputAudio !== undefined) merged.inputAudio = inputAudio;
  if (earlier.serverTools || later.serverTools) merged.serverTools = { ...earlier.serverTools, ...later.serverTools };
  if (later.estimated) merged.estimated = true;
  return merged;
}

function sum(counters: (number | undefined)[]): number | undefined {
  let total: number | undefined;
  for (const counter of counters) if (counter !== undefined) total = (total ?? 0) + counter;
  return total;
}

function defined(counters: Record<string, number | undefined>): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const [name, value] of Object.entries(counters)) if (value !== undefined) kept[name] = value;
  return kept;
}
