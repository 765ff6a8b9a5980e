import {
  type DocumentPart,
  type ImagePart,
  type JsonObject,
  type MediaSource,
  type OpaquePart,
  refuse,
} from "../canonical/index.ts";
import { decodeBase64 } from "../shared/base64.ts";
import { normalMediaType, requireBase64 } from "../shared/data-url.ts";
import {
  isObject,
  missing,
  path,
  readBoolean,
  readObject,
  readString,
  requireString,
  unknownFields,
} from "../shared/read.ts";

const sourceKeys = new Set(["type", "media_type", "data", "url", "file_id"]);

function requireSource(block: JsonObject, at: string): JsonObject {
  return readObject(block, "source", at) ?? missing(path(at, "source"));
}

function decodeSource(source: JsonObject, at: string): MediaSource {
  const type = requireString(source, "type", at);
  switch (type) {
    case "base64":
      return {
        type: "base64",
        mediaType: normalMediaType(requireString(source, "media_type", at)),
        data: requireBase64(requireString(source, "data", at), path(at, "data")),
      };
    case "url":
      return { type: "url", url: requireString(source, "url", at) };
    case "file":
      return { type: "file", id: requireString(source, "file_id", at), family: "anthropic" };
    case "text":
      return {
        type: "text",
        mediaType: readString(source, "media_type", at) ?? "text/plain",
        text: requireString(source, "data", at),
      };
    default:
      return refuse(
        path(at, "type"),
        `'${path(at, "type")}' must be one of 'base64', 'url', 'file', 'text', 'content'.`,
      );
  }
}

/** Keys of the source that have no place in the canonical form go back where they came from. */
function sourceExtras(source: JsonObject): JsonObject | undefined {
  const rest = unknownFields(source, sourceKeys);
  return rest ? { source: rest } : undefined;
}

/** An `image` block. */
export function decodeImage(block: JsonObject, at: string): ImagePart {
  const source = requireSource(block, at);
  const part: ImagePart = { type: "image", source: decodeSource(source, path(at, "source")) };
  const extras = sourceExtras(source);
  if (extras) part.extras = { messages: extras };
  return part;
}

/** A `document` block. One that is made of content blocks has no canonical form: it stays whole, with its text. */
export function decodeDocument(block: JsonObject, at: string): DocumentPart | OpaquePart {
  const source = requireSource(block, at);
  if (source.type === "content") {
    return {
      type: "opaque",
      protocol: "messages",
      nativeType: "document",
      payload: block,
      text: documentText(block, source),
    };
  }
  const part: DocumentPart = { type: "document", source: decodeSource(source, path(at, "source")) };
  const title = readString(block, "title", at);
  const context = readString(block, "context", at);
  const citations = readObject(block, "citations", at);
  if (title !== undefined) part.title = title;
  if (context !== undefined) part.context = context;
  if (citations && readBoolean(citations, "enabled", path(at, "citations"))) part.citations = true;
  const extras = sourceExtras(source);
  if (extras) part.extras = { messages: extras };
  return part;
}

function documentText(block: JsonObject, source: JsonObject): string {
  const lines: string[] = [];
  if (typeof block.title === "string") lines.push(block.title);
  lines.push(readableText(source.content) ?? "");
  return lines.join("\n");
}

/** All text in a string or a list of blocks; undefined where there is none. */
export function readableText(content: unknown): string | undefined {
  if (typeof content === "string") return content === "" ? undefined : content;
  if (!Array.isArray(content)) return undefined;
  const texts: string[] = [];
  for (const block of content) if (isObject(block) && typeof block.text === "string") texts.push(block.text);
  return texts.length > 0 ? texts.join("\n") : undefined;
}

function field(part: { at?: string }, fallback: string): string {
  return part.at ?? fallback;
}

function encodeSource(source: MediaSource, part: { at?: string }, kind: "image" | "document"): JsonObject {
  switch (source.type) {
    case "base64":
      return { type: "base64", media_type: normalMediaType(source.mediaType), data: source.data };
    case "url":
      return { type: "url", url: source.url };
    case "file":
      if (source.family !== "anthropic") {
        refuse(
          field(part, kind),
          `'${field(part, kind)}' names a file that another provider holds; send its bytes or an address instead.`,
          "unsupported_file",
        );
      }
      return { type: "file", file_id: source.id };
    case "text":
      return { type: "text", media_type: "text/plain", data: source.text };
  }
}

function withSourceExtras(source: JsonObject, part: ImagePart | DocumentPart): JsonObject {
  const rest = part.extras?.messages?.source;
  return isObject(rest) ? { ...source, ...rest } : source;
}

/** An image for the upstream. It fetches addresses itself (M1). */
export function encodeImage(part: ImagePart): JsonObject {
  return { type: "image", source: withSourceExtras(encodeSource(part.source, part, "image"), part) };
}

/** A document for the upstream: PDF, plain text, an address or a file of this family; other bytes are refused (M5). */
export function encodeDocument(part: DocumentPart): JsonObject {
  const source = part.source;
  if (source.type === "base64" && source.mediaType.toLowerCase() !== "application/pdf") {
    const text = source.mediaType.toLowerCase().startsWith("text/") ? textOfBase64(source.data) : undefined;
    if (text === undefined) {
      refuse(
        field(part, "document"),
        `'${field(part, "document")}' is of type ${source.mediaType}; this model reads PDF and plain text only.`,
        "unsupported_media_type",
      );
    }
    return finishDocument({ type: "text", media_type: "text/plain", data: text }, part);
  }
  return finishDocument(encodeSource(source, part, "document"), part);
}

function finishDocument(source: JsonObject, part: DocumentPart): JsonObject {
  const block: JsonObject = { type: "document", source: withSourceExtras(source, part) };
  const title = part.title ?? part.filename;
  if (title !== undefined) block.title = title;
  if (part.context !== undefined) block.context = part.context;
  if (part.citations) block.citations = { enabled: true };
  return block;
}

/** UTF-8 text of base64 bytes, or undefined where it is no base64. */
function textOfBase64(data: string): string | undefined {
  const bytes = decodeBase64(data);
  return bytes && new TextDecoder("utf-8").decode(bytes);
}
