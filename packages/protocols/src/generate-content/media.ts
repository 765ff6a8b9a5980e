import {
  type DocumentPart,
  type JsonObject,
  type JsonValue,
  type MediaPart,
  type MediaSource,
  type PartBase,
  refuse,
} from "../canonical/index.ts";
import { normalMediaType, parseDataUrl, requireBase64 } from "../shared/data-url.ts";
import { mediaKind } from "../shared/media-kind.ts";
import { documentAsText, isTextDocument } from "../shared/media-text.ts";
import { isObject, path, readString, requireString, unknownFields } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { camelFields, readFields } from "./fields.ts";

/** Whether the bytes of a part at an address must stand in the request. */
export function wantsBytes({ source, at }: MediaPart): boolean {
  return source.type === "url" && !isReadable(source.url, at);
}

/** A part with the base's fields and the kind that its media type says; a type that says none is a document. */
function mediaPart(mediaType: string | undefined, source: MediaSource, base: PartBase): MediaPart {
  if (mediaType === undefined && source.type === "url" && isYouTube(source.url))
    return { type: "video", source, ...base };
  return { type: mediaKind(mediaType ?? ""), source, ...base };
}

const blobFields: ReadonlySet<string> = new Set(["mimeType", "data"]);
const fileFields: ReadonlySet<string> = new Set(["mimeType", "fileUri"]);

/** `inlineData` or `fileData` of a client's part; undefined where it has neither. Refuses broken ones by their field. */
export function decodeMedia(part: JsonObject, at: string, base: PartBase): MediaPart | undefined {
  const blob = readFields(part, "inlineData", at);
  if (blob) {
    const field = path(at, "inlineData");
    const given = requireString(blob, "mimeType", field);
    if (given.trim() === "") refuse(path(field, "mimeType"), `'${path(field, "mimeType")}' must not be empty.`);
    const mediaType = normalMediaType(given);
    const data = requireBase64(requireString(blob, "data", field), path(field, "data"));
    return mediaPart(mediaType, { type: "base64", mediaType, data }, withRest(base, "inlineData", blob, blobFields));
  }
  const file = readFields(part, "fileData", at);
  if (!file) return undefined;
  const field = path(at, "fileData");
  const mediaType = readString(file, "mimeType", field) || undefined;
  const uri = requireString(file, "fileUri", field);
  return mediaPart(mediaType, fileSource(uri, mediaType), withRest(base, "fileData", file, fileFields));
}

/** `inlineData` or `fileData` of an upstream's answer, taken as it is. */
export function readAnswerMedia(part: JsonObject): MediaPart | undefined {
  if (isObject(part.inlineData)) {
    const { mimeType, data } = camelFields(part.inlineData);
    if (typeof mimeType !== "string" || typeof data !== "string") return undefined;
    return mediaPart(mimeType, { type: "base64", mediaType: mimeType, data }, {});
  }
  if (!isObject(part.fileData)) return undefined;
  const { mimeType, fileUri } = camelFields(part.fileData);
  const mediaType = typeof mimeType === "string" ? mimeType : undefined;
  return typeof fileUri === "string" ? mediaPart(mediaType, fileSource(fileUri, mediaType), {}) : undefined;
}

function withRest(base: PartBase, key: string, value: JsonObject, known: ReadonlySet<string>): PartBase {
  const rest = unknownFields(value, known);
  if (!rest) return base;
  const own: JsonObject = { ...base.extras?.["generate-content"], [key]: rest };
  return { ...base, extras: { ...base.extras, "generate-content": own } };
}

/** Files and buckets of Google are handles that only this family reads; any other address is a URL. */
function fileSource(uri: string, mediaType: string | undefined): MediaSource {
  const type = mediaType === undefined ? {} : { mediaType };
  if (/^https?:\/\//i.test(uri) && !isFilesApi(uri)) return { type: "url", url: uri, ...type };
  return { type: "file", id: uri, family: "gemini", ...type };
}

function isFilesApi(uri: string): boolean {
  return /^https:\/\/[\w.-]*googleapis\.com\/(\w+\/)?files\//i.test(uri);
}

function isYouTube(url: string): boolean {
  return /^https?:\/\/(www\.|m\.)?(youtube\.com|youtu\.be)\//i.test(url);
}

/** Media as a part on the wire; a text document becomes text (M6). */
export function encodeMedia(part: MediaPart, report: Report): JsonObject {
  const { source, at } = part;
  if (part.type === "document") {
    if (part.citations) {
      report.dropped(path(at ?? "document", "citations"), "The target protocol cannot be asked for citations.");
    }
    // A text under its title says more than a nameless file (M6).
    if (source.type === "text" || (isNamed(part) && isTextDocument(part))) return { text: documentAsText(part).text };
    reportNames(part, report);
  }
  switch (source.type) {
    case "base64":
      return { inlineData: { mimeType: normalMediaType(source.mediaType), data: source.data } };
    case "text":
      return { text: source.text };
    case "file":
      if (source.family !== "gemini") {
        refuse(at, "This file is held by another provider; send its bytes instead.", "unsupported_file");
      }
      return fileData(source.id, source.mediaType);
    case "url": {
      const bytes = parseDataUrl(source.url, at ?? "url");
      if (bytes) return { inlineData: { mimeType: bytes.mediaType, data: bytes.data } };
      if (!isReadable(source.url, at)) {
        refuse(
          at,
          "This model reads no media from web addresses, and the gateway's operator has not allowed it to fetch them (media.fetch); send the bytes as base64 instead.",
          "unsupported_url",
        );
      }
      return fileData(source.url, source.mediaType);
    }
  }
}

/**
 * Which addresses the upstream reads by itself: its own buckets and YouTube; and what the client wrote as `fileData` in
 * this very protocol, for it knows what the model takes. Any other has to be fetched, which the operator must allow (M2).
 */
function isReadable(url: string, at: string | undefined): boolean {
  if (/^gs:\/\//i.test(url) || isYouTube(url)) return true;
  return at !== undefined && /^(contents|systemInstruction)\b/.test(at);
}

function fileData(fileUri: string, mimeType: string | undefined): JsonObject {
  return { fileData: mimeType === undefined ? { fileUri } : { mimeType, fileUri } };
}

const names = ["filename", "title", "context"] as const;

function isNamed(part: DocumentPart): boolean {
  return names.some((name) => part[name]);
}

function reportNames(part: DocumentPart, report: Report): void {
  for (const name of names) {
    if (!part[name]) continue;
    report.dropped(path(part.at ?? "document", name), "The target protocol has no such field on a document.");
  }
}

/** Media of an answer for a client. Undefined where a client of this protocol could not read it. */
export function encodeAnswerMedia(part: MediaPart): JsonObject | undefined {
  const { source } = part;
  switch (source.type) {
    case "base64":
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case "url":
      return fileData(source.url, source.mediaType);
    case "file":
      return source.family === "gemini" ? fileData(source.id, source.mediaType) : undefined;
    case "text":
      return { text: source.text };
  }
}

/** Lays what the same protocol kept beside a part over the part on the wire; `inlineData` and `fileData` member by member. */
export function withExtras(wire: JsonObject, extras: JsonObject | undefined): JsonObject {
  if (!extras) return wire;
  const result = { ...wire };
  for (const [key, value] of Object.entries(extras)) {
    const present: JsonValue | undefined = result[key];
    if (isObject(present) && isObject(value)) result[key] = { ...value, ...present };
    else if (present === undefined) result[key] = value;
  }
  return result;
}
