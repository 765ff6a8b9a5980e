import { isObject } from "./read.ts";

/** Whether the text is one whole JSON object. Not proof that a stream is done with it (S2): more white space may come. */
export function isCompleteJsonObject(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    // Half an object is the expected answer "no" here.
    return false;
  }
}
