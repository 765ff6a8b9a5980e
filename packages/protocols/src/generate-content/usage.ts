import type { JsonObject, JsonValue, Usage } from "../canonical/index.ts";
import { cacheWriteTokens, inputTokens } from "../canonical/index.ts";
import { isObject, readCount } from "../shared/read.ts";

/**
 * `usageMetadata` as disjoint counters (conversion.md 1.5.6). The prompt count holds the cached part; the candidates
 * count does not hold thoughts. Undefined where it tells no counter at all.
 */
export function decodeUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const usage: Usage = { input: {}, output: {} };
  const prompt = count(value.promptTokenCount);
  const cached = count(value.cachedContentTokenCount);
  const tool = count(value.toolUsePromptTokenCount);
  const thoughts = count(value.thoughtsTokenCount);
  const candidates = count(value.candidatesTokenCount);
  const total = count(value.totalTokenCount);
  if (prompt !== undefined) usage.input.uncached = Math.max(0, prompt - (cached ?? 0));
  if (cached !== undefined) usage.input.cacheRead = cached;
  if (tool !== undefined) usage.input.toolPrompt = tool;
  if (thoughts !== undefined) usage.output.reasoning = thoughts;
  if (thoughts !== undefined || candidates !== undefined) usage.output.total = (thoughts ?? 0) + (candidates ?? 0);
  // A count of 0 is left out on the wire; the total still tells it.
  else if (total !== undefined && prompt !== undefined) usage.output.total = Math.max(0, total - prompt - (tool ?? 0));
  const audioIn = modality(value.promptTokensDetails, "AUDIO");
  if (audioIn !== undefined) usage.inputAudio = audioIn;
  const audioOut = modality(value.candidatesTokensDetails, "AUDIO");
  if (audioOut !== undefined) usage.output.audio = audioOut;
  const image = modality(value.candidatesTokensDetails, "IMAGE");
  if (image !== undefined) usage.output.image = image;
  const told = prompt ?? cached ?? tool ?? thoughts ?? candidates ?? total;
  return told === undefined ? undefined : usage;
}

function count(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return readCount(number);
}

function modality(details: JsonValue | undefined, name: string): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const entry of details) if (isObject(entry) && entry.modality === name) return count(entry.tokenCount);
  return undefined;
}

/** The counters as a client reads them; the total is always their sum (law L14). */
export function encodeUsage(usage: Usage): JsonObject {
  const { cacheRead, toolPrompt } = usage.input;
  const { reasoning, total, audio, image } = usage.output;
  const prompt = (inputTokens(usage) ?? 0) - (toolPrompt ?? 0);
  const candidates = Math.max(0, (total ?? 0) - (reasoning ?? 0));
  const metadata: JsonObject = {};
  if (promptKnown(usage)) metadata.promptTokenCount = prompt;
  if (cacheRead !== undefined) metadata.cachedContentTokenCount = cacheRead;
  if (total !== undefined) metadata.candidatesTokenCount = candidates;
  if (toolPrompt !== undefined) metadata.toolUsePromptTokenCount = toolPrompt;
  if (reasoning !== undefined) metadata.thoughtsTokenCount = reasoning;
  metadata.totalTokenCount = prompt + (toolPrompt ?? 0) + candidates + (reasoning ?? 0);
  if (usage.inputAudio !== undefined) {
    metadata.promptTokensDetails = [
      { modality: "TEXT", tokenCount: Math.max(0, prompt - usage.inputAudio) },
      { modality: "AUDIO", tokenCount: usage.inputAudio },
    ];
  }
  const details = [
    ...(audio === undefined ? [] : [{ modality: "AUDIO", tokenCount: audio }]),
    ...(image === undefined ? [] : [{ modality: "IMAGE", tokenCount: image }]),
  ];
  if (details.length > 0) metadata.candidatesTokensDetails = details;
  return metadata;
}

function promptKnown(usage: Usage): boolean {
  return (usage.input.uncached ?? usage.input.cacheRead ?? cacheWriteTokens(usage)) !== undefined;
}
