import { matchesModel } from "../channels/model-pattern.ts";

/** The models that a key may name. */
export interface ModelFilter {
  allows(model: string): boolean;
}

/** The filter of these names and patterns with `*`; none of them allows nothing. */
export function createModelFilter(entries: readonly string[]): ModelFilter {
  const names = new Set(entries.filter((entry) => !entry.includes("*")));
  const patterns = entries.filter((entry) => entry.includes("*"));
  return { allows: (model) => names.has(model) || patterns.some((pattern) => matchesModel(pattern, model)) };
}
