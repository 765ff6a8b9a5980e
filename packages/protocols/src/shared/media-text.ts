import { type DocumentPart, refuse, type TextPart } from "../canonical/index.ts";
import { decodeBase64 } from "./base64.ts";

const decoder = new TextDecoder("utf-8");

/** Whether `documentAsText` can show the document. */
export function isTextDocument(part: DocumentPart): boolean {
  if (part.source.type === "text") return true;
  return part.source.type === "base64" && part.source.mediaType.startsWith("text/");
}

/**
 * A plain-text document as a text part, headed by its title and context (conversion.md M6), for protocols that know no
 * such documents. Refuses a document of any other kind.
 */
export function documentAsText(part: DocumentPart): TextPart {
  const head = [part.title ?? part.filename, part.context].filter((line) => line !== undefined && line !== "");
  const text: TextPart = { type: "text", text: [...head, contentOf(part)].join("\n\n") };
  if (part.cache) text.cache = part.cache;
  if (part.at !== undefined) text.at = part.at;
  if (part.extras) text.extras = part.extras;
  return text;
}

function contentOf(part: DocumentPart): string {
  if (part.source.type === "text") return part.source.text;
  const bytes = part.source.type === "base64" && isTextDocument(part) ? decodeBase64(part.source.data) : undefined;
  if (!bytes) refuse(part.at, "This document is not plain text and cannot be sent as text.", "unsupported_document");
  return decoder.decode(bytes);
}
