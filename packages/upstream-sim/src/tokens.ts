import type { Json } from "./json.ts";

/** The provider's counting rule: four UTF-16 units are a token, a begun one counts. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Tokens of a conversation, whatever its form: those of its JSON text. */
export function countJsonTokens(...values: (Json | undefined)[]): number {
  let sum = 0;
  for (const value of values) {
    if (value !== undefined && value !== null) sum += countTokens(JSON.stringify(value));
  }
  return sum;
}
