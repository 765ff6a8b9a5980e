import type { Citation, JsonObject, JsonValue, Notice } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** One citation of a text block. The block itself is what is cited, so there are no offsets of its text. */
export function decodeCitation(value: JsonObject): Citation {
  const citation: Citation = { kind: kindOf(value.type), native: { protocol: "messages", value } };
  const url = text(value.url);
  const title = text(value.title) ?? text(value.document_title);
  const quote = text(value.cited_text);
  const fileId = text(value.file_id);
  if (url) citation.url = url;
  if (title) citation.title = title;
  if (quote) citation.quote = quote;
  if (fileId) citation.fileId = fileId;
  return citation;
}

function kindOf(type: JsonValue | undefined): Citation["kind"] {
  if (type === "web_search_result_location") return "url";
  if (type === "search_result_location") return "search-result";
  return "document";
}

/** All citations of a block, or undefined where there are none. Null and other shapes count as none. */
export function decodeCitations(value: JsonValue | undefined): Citation[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const citations = value.filter(isObject).map(decodeCitation);
  return citations.length > 0 ? citations : undefined;
}

/** A citation for a client: web sources of any family; other kinds only as this protocol wrote them. */
export function encodeCitation(citation: Citation, notice: (notice: Notice) => void): JsonObject | undefined {
  if (citation.native?.protocol === "messages") return citation.native.value;
  if (citation.url !== undefined) {
    return {
      type: "web_search_result_location",
      cited_text: citation.quote ?? "",
      encrypted_index: "",
      title: citation.title ?? null,
      url: citation.url,
    };
  }
  notice({
    field: "citations",
    verdict: "dropped",
    detail: "The model cited a file that the messages protocol cannot name.",
  });
  return undefined;
}

/** All citations that can be shown. */
export function encodeCitations(
  citations: readonly Citation[] | undefined,
  notice: (notice: Notice) => void,
): JsonObject[] {
  return (citations ?? [])
    .map((citation) => encodeCitation(citation, notice))
    .filter((citation) => citation !== undefined);
}

/** Citations for an upstream: only those that this family made; it checks their opaque index. */
export function historyCitations(citations: readonly Citation[] | undefined): JsonObject[] {
  const kept: JsonObject[] = [];
  for (const { native } of citations ?? []) {
    if (native?.protocol === "messages" && native.value.encrypted_index !== "") kept.push(native.value);
  }
  return kept;
}
