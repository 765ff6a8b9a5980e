import type { Citation, JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { encodeUtf8 } from "../shared/utf8.ts";
import { camelFields } from "./fields.ts";

/**
 * The sources that a candidate names for its text: `groundingMetadata` (search, files) and `citationMetadata` (recited
 * text). Offsets on the wire count UTF-8 bytes of `text`; here they count UTF-16 units.
 */
export function decodeCitations(candidate: JsonObject, text: string): Citation[] {
  const citations: Citation[] = [];
  const offset = byteOffsets(text);
  grounding(candidate.groundingMetadata, offset, citations);
  const metadata = candidate.citationMetadata;
  if (!isObject(metadata)) return citations;
  const sources = metadata.citationSources ?? metadata.citations;
  for (const raw of Array.isArray(sources) ? sources : []) {
    if (!isObject(raw)) continue;
    const source = camelFields(raw);
    const citation: Citation = {
      kind: "url",
      native: { protocol: "generate-content", value: { citationSource: raw } },
    };
    if (typeof source.uri === "string") citation.url = source.uri;
    if (typeof source.title === "string") citation.title = source.title;
    place(citation, source, offset);
    citations.push(citation);
  }
  return citations;
}

function grounding(value: JsonValue | undefined, offset: (bytes: number) => number, citations: Citation[]): void {
  if (!isObject(value)) return;
  const chunks = Array.isArray(value.groundingChunks) ? value.groundingChunks : [];
  const supports = Array.isArray(value.groundingSupports) ? value.groundingSupports : [];
  const used = new Set<number>();
  for (const support of supports) {
    if (!isObject(support) || !isObject(support.segment)) continue;
    const indices = Array.isArray(support.groundingChunkIndices) ? support.groundingChunkIndices : [];
    for (const index of indices) {
      const citation = typeof index === "number" ? sourceOf(chunks[index]) : undefined;
      if (!citation || typeof index !== "number") continue;
      used.add(index);
      if (typeof support.segment.text === "string") citation.quote = support.segment.text;
      place(citation, support.segment, offset);
      citations.push(citation);
    }
  }
  // Sources without a place in the text still are sources.
  chunks.forEach((chunk, index) => {
    const citation = used.has(index) ? undefined : sourceOf(chunk);
    if (citation) citations.push(citation);
  });
}

function sourceOf(chunk: JsonValue | undefined): Citation | undefined {
  if (!isObject(chunk)) return undefined;
  const web = isObject(chunk.web) ? chunk.web : isObject(chunk.maps) ? chunk.maps : undefined;
  const source = web ?? (isObject(chunk.retrievedContext) ? chunk.retrievedContext : undefined);
  if (!source) return undefined;
  const citation: Citation = { kind: web ? "url" : "file" };
  if (typeof source.uri === "string") citation.url = source.uri;
  if (typeof source.title === "string") citation.title = source.title;
  if (!web && typeof source.fileSearchStore === "string") citation.fileId = source.fileSearchStore;
  return citation;
}

/** A start of 0 is left out on the wire. */
function place(citation: Citation, segment: JsonObject, offset: (bytes: number) => number): void {
  if (typeof segment.endIndex !== "number") return;
  const start = offset(typeof segment.startIndex === "number" ? segment.startIndex : 0);
  const end = offset(segment.endIndex);
  // A place outside of the text is none.
  if (end <= start) return;
  citation.start = start;
  citation.end = end;
}

/** UTF-8 byte offset -> UTF-16 offset in the text; past the end, the end. */
function byteOffsets(text: string): (bytes: number) => number {
  const bytes = encodeUtf8(text);
  if (bytes.length === text.length) return (at) => Math.min(Math.max(0, at), text.length);
  return (at) => {
    let units = 0;
    for (let index = 0; index < Math.min(at, bytes.length); index += 1) {
      const byte = bytes[index] ?? 0;
      // A continuation byte adds nothing; the first byte of four stands for a surrogate pair.
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
  };
}

/** Citations of one text as members of a candidate. Empty where there are none. */
export function encodeCitations(citations: readonly Citation[], text: string): JsonObject {
  const citationSources: JsonValue[] = [];
  const groundingChunks: JsonObject[] = [];
  const groundingSupports: JsonObject[] = [];
  const known = new Map<string, number>();
  for (const citation of citations) {
    const own = citation.native?.protocol === "generate-content" ? citation.native.value.citationSource : undefined;
    if (own !== undefined) {
      citationSources.push(own);
      continue;
    }
    const chunk = chunkOf(citation);
    const key = JSON.stringify(chunk);
    let index = known.get(key);
    if (index === undefined) {
      index = groundingChunks.push(chunk) - 1;
      known.set(key, index);
    }
    if (citation.end === undefined) continue;
    groundingSupports.push({ segment: segmentOf(citation, text), groundingChunkIndices: [index] });
  }
  const members: JsonObject = {};
  if (citationSources.length > 0) members.citationMetadata = { citationSources };
  if (groundingChunks.length > 0) {
    members.groundingMetadata = { groundingChunks, ...(groundingSupports.length > 0 ? { groundingSupports } : {}) };
  }
  return members;
}

function chunkOf(citation: Citation): JsonObject {
  const source: JsonObject = {};
  if (citation.url !== undefined) source.uri = citation.url;
  if (citation.title !== undefined) source.title = citation.title;
  if (citation.kind === "url" || citation.kind === "search-result") return { web: source };
  if (citation.fileId !== undefined) source.fileSearchStore = citation.fileId;
  return { retrievedContext: source };
}

function segmentOf(citation: Citation, text: string): JsonObject {
  const bytes = (units: number) => (citation.unit === "byte" ? units : encodeUtf8(text.slice(0, units)).length);
  const segment: JsonObject = {};
  const start = bytes(citation.start ?? 0);
  if (start > 0) segment.startIndex = start;
  segment.endIndex = bytes(citation.end ?? 0);
  if (citation.quote !== undefined) segment.text = citation.quote;
  return segment;
}
