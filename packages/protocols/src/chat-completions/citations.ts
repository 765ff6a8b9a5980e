import type { Citation, JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { numberOf, textOf } from "./wire.ts";

/** Citations of `annotations[]`. Offsets count UTF-16 units of the message's whole text. */
export function decodeAnnotations(value: JsonValue | undefined): Citation[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((annotation) => {
    if (!isObject(annotation)) return [];
    // The vendor nests the citation; some servers write it flat.
    const source = isObject(annotation.url_citation) ? annotation.url_citation : annotation;
    const url = textOf(source.url);
    if (url === undefined) return [native({ kind: "document" }, annotation)];
    const citation: Citation = { kind: "url", url };
    const title = textOf(source.title);
    if (title !== undefined) citation.title = title;
    const quote = textOf(source.content);
    if (quote !== undefined) citation.quote = quote;
    const start = numberOf(source.start_index);
    const end = numberOf(source.end_index);
    if (start !== undefined && end !== undefined && end > start) {
      citation.start = start;
      citation.end = end;
    }
    return [citation];
  });
}

/** Sources that some search servers list beside the answer, without saying which words they stand behind. */
export function decodeSearchResults(body: JsonObject): Citation[] {
  if (Array.isArray(body.search_results)) {
    return body.search_results.flatMap((result) => {
      const url = isObject(result) ? textOf(result.url) : undefined;
      if (!isObject(result) || url === undefined) return [];
      const title = textOf(result.title);
      const quote = textOf(result.snippet);
      return [{ kind: "url" as const, url, ...(title ? { title } : {}), ...(quote ? { quote } : {}) }];
    });
  }
  if (!Array.isArray(body.citations)) return [];
  return body.citations.flatMap((url) => (typeof url === "string" ? [{ kind: "url" as const, url }] : []));
}

function native(citation: Citation, value: JsonObject): Citation {
  return { ...citation, native: { protocol: "chat-completions", value } };
}

/** Where a text part lies in the message's content, which is all text parts in a row. */
interface TextSpan {
  /** UTF-16 units of content before the part. */
  base: number;
  text: string;
}

/**
 * The annotation of a citation, or undefined where this protocol has no kind for it (it knows web addresses only).
 * Without offsets the whole text part is named, because the two indexes are required.
 */
export function encodeCitation(citation: Citation, span: TextSpan): JsonObject | undefined {
  if (citation.native?.protocol === "chat-completions") return citation.native.value;
  if (citation.url === undefined) return undefined;
  const start = offset(citation.start, citation.unit, span.text);
  const end = offset(citation.end, citation.unit, span.text);
  const told = start !== undefined && end !== undefined;
  const source: JsonObject = {
    url: citation.url,
    title: citation.title ?? "",
    start_index: span.base + (told ? start : 0),
    end_index: span.base + (told ? end : span.text.length),
  };
  if (citation.quote !== undefined) source.content = citation.quote;
  return { type: "url_citation", url_citation: source };
}

/** An offset in UTF-16 units; Gemini counts bytes of UTF-8. */
function offset(value: number | undefined, unit: Citation["unit"], text: string): number | undefined {
  if (value === undefined || unit !== "byte") return value;
  let bytes = 0;
  let units = 0;
  for (const character of text) {
    if (bytes >= value) break;
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += character.length;
  }
  return units;
}
