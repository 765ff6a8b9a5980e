const words: ReadonlyMap<string, string> = new Map([
  ["default", "default"],
  ["standard", "default"],
  ["flex", "flex"],
  ["scale", "scale"],
  ["priority", "priority"],
  ["fast", "fast"],
  ["ultrafast", "ultrafast"],
]);

/**
 * The tier that an upstream says it used, in the word of OpenAI's two protocols, whose clients know a closed list.
 * `undefined`: the upstream told none, or one that has no word there, such as a batch.
 */
export function openAiTier(tier: string | undefined): string | undefined {
  return tier === undefined ? undefined : words.get(tier);
}
