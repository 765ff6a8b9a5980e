import type { Citation, JsonObject, JsonValue, Notice } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

const urlKeys = new Set(["type", "url", "title", "start_index", "end_index"]);

/** An annotation of output text -> citation. Offsets are indexes into the text of the part. */
export function decodeAnnotation(value: JsonValue): Citation | undefined {
  if (!isObject(value)) return undefined;
  const native = { protocol: "responses" as const, value };
  switch (value.type) {
    case "url_citation": {
      const known = Object.keys(value).every((key) => urlKeys.has(key));
      return { kind: "url", ...strings(value, "url", "title"), ...offsets(value), ...(known ? {} : { native }) };
    }
    case "file_citation":
    case "container_file_citation":
    case "file_path": {
      const fileId = typeof value.file_id === "string" ? { fileId: value.file_id } : {};
      const title = typeof value.filename === "string" ? { title: value.filename } : {};
      return { kind: "file", ...fileId, ...title, ...offsets(value), native };
    }
    default:
      return { kind: "document", native };
  }
}

/** Citation -> annotation, or undefined with a notice where this protocol has no such source. `text`: the whole part. */
export function encodeAnnotation(
  citation: Citation,
  text: string,
  notice: (notice: Notice) => void,
): JsonObject | undefined {
  if (citation.native?.protocol === "responses") return citation.native.value;
  if (citation.url === undefined) {
    notice({
      field: "citations",
      verdict: "dropped",
      detail: "A citation of a document without an address has no place in this protocol.",
    });
    return undefined;
  }
  const byte = citation.unit === "byte";
  const start = citation.start ?? 0;
  const end = citation.end ?? text.length;
  return {
    type: "url_citation",
    start_index: byte ? utf16Offset(text, start) : start,
    end_index: byte && citation.end !== undefined ? utf16Offset(text, end) : end,
    url: citation.url,
    title: citation.title ?? "",
  };
}

/** UTF-8 byte offset -> UTF-16 offset in the same text. */
function utf16Offset(text: string, bytes: number): number {
  let seen = 0;
  let at = 0;
  for (const character of text) {
    if (seen >= bytes) return at;
    const point = character.codePointAt(0) ?? 0;
    seen += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += character.length;
  }
  return at;
}

function strings(value: JsonObject, ...keys: ("url" | "title")[]): { url?: string; title?: string } {
  const found: { url?: string; title?: string } = {};
  for (const key of keys) {
    const text = value[key];
    if (typeof text === "string") found[key] = text;
  }
  return found;
}

function offsets(value: JsonObject): { start?: number; end?: number } {
  return {
    ...(typeof value.start_index === "number" ? { start: value.start_index } : {}),
    ...(typeof value.end_index === "number" ? { end: value.end_index } : {}),
  };
}
