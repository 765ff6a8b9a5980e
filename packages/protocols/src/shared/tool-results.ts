import type { Part, ToolResultPart } from "../canonical/index.ts";
import { documentAsText } from "./media-text.ts";

const errorPrefix = "Error: ";

/** The readable content of a tool result: its texts and text documents, joined by line feeds. */
export function resultText(part: ToolResultPart): string {
  const texts: string[] = [];
  for (const inner of part.content) {
    const text = textOf(inner);
    if (text !== undefined) texts.push(text);
  }
  return texts.join("\n");
}

function textOf(part: Part): string | undefined {
  if (part.type === "text" || part.type === "refusal") return part.text;
  if (part.type === "document" && part.source.type === "text") return documentAsText(part).text;
  return part.type === "opaque" ? part.text : undefined;
}

/** For protocols without an error flag (T16): an error's text begins with `Error: `, once. */
export function withErrorPrefix(text: string, isError: boolean | undefined): string {
  return isError && !text.startsWith(errorPrefix) ? errorPrefix + text : text;
}

/** Undoes `withErrorPrefix`. */
export function withoutErrorPrefix(text: string): { text: string; isError: boolean } {
  return text.startsWith(errorPrefix)
    ? { text: text.slice(errorPrefix.length), isError: true }
    : { text, isError: false };
}
