import {
  type AudioPart,
  type DocumentPart,
  type ImagePart,
  type JsonObject,
  type MediaPart,
  type MediaSource,
  type Part,
  refuse,
} from "../canonical/index.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { audioFormat, audioMediaType, parseDataUrl, requireBase64, toDataUrl } from "../shared/data-url.ts";
import { documentAsText } from "../shared/media-text.ts";
import { missing, path, readEnum, readObject, readString, requireString } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { keepUnknown } from "./extras.ts";

const family = "openai";
const imageKeys = new Set(["type", "image_url", "file_id", "detail", "prompt_cache_breakpoint"]);
const fileKeys = new Set(["type", "file_id", "file_url", "file_data", "filename", "prompt_cache_breakpoint"]);
const audioKeys = new Set(["type", "input_audio", "prompt_cache_breakpoint"]);

/** `input_image` -> image; a PDF within a data URL is a document (M3). */
export function decodeImage(wire: JsonObject, at: string): ImagePart | DocumentPart {
  const url = readString(wire, "image_url", at);
  const fileId = readString(wire, "file_id", at);
  const detail = readEnum(wire, "detail", ["auto", "low", "high", "original"], at);
  const extras = keepUnknown(wire, imageKeys);
  if (url === undefined && fileId === undefined) missing(path(at, "image_url"));
  const source = url === undefined ? fileSource(fileId ?? "") : urlSource(url, path(at, "image_url"));
  if (source.type === "base64" && source.mediaType === "application/pdf") {
    return { type: "document", source, at, ...extras };
  }
  return { type: "image", source, ...(detail && detail !== "auto" ? { detail } : {}), at, ...extras };
}

/** `input_file` -> document. */
export function decodeFile(wire: JsonObject, at: string): DocumentPart {
  const fileId = readString(wire, "file_id", at);
  const url = readString(wire, "file_url", at);
  const data = readString(wire, "file_data", at);
  const filename = readString(wire, "filename", at);
  const name = filename === undefined ? {} : { filename };
  const extras = keepUnknown(wire, fileKeys);
  if (data !== undefined) {
    return { type: "document", source: dataSource(data, filename, path(at, "file_data")), ...name, at, ...extras };
  }
  if (url !== undefined)
    return { type: "document", source: urlSource(url, path(at, "file_url")), ...name, at, ...extras };
  if (fileId !== undefined) return { type: "document", source: fileSource(fileId), ...name, at, ...extras };
  return missing(path(at, "file_data"));
}

/** `input_audio` -> audio. */
export function decodeAudio(wire: JsonObject, at: string): AudioPart {
  const audio = readObject(wire, "input_audio", at);
  if (!audio) return missing(path(at, "input_audio"));
  const inner = path(at, "input_audio");
  const format = requireString(audio, "format", inner);
  const data = requireBase64(requireString(audio, "data", inner), path(inner, "data"));
  const source: MediaSource = { type: "base64", mediaType: audioMediaType(format), data };
  return { type: "audio", source, at, ...keepUnknown(wire, audioKeys) };
}

/** Image -> `input_image`. Refuses a file that another provider holds (M4). */
export function encodeImage(part: ImagePart): JsonObject {
  const detail = part.detail ?? "auto";
  const { source } = part;
  switch (source.type) {
    case "base64":
      return { type: "input_image", image_url: toDataUrl(source.mediaType, source.data), detail };
    case "url":
      return { type: "input_image", image_url: source.url, detail };
    case "file":
      return { type: "input_image", file_id: ownFile(source, part), detail };
    case "text":
      return refuse(part.at, "An image cannot be given as text.");
  }
}

/** Document -> `input_file`; plain text that was never a file -> `input_text` (M6). */
export function encodeDocument(part: DocumentPart, report: Report): JsonObject {
  const { source } = part;
  if (source.type === "text") return { type: "input_text", text: documentAsText(part).text };
  if (part.citations) report.dropped(field(part, "citations"), "This protocol cannot ask for citations of a document.");
  if (part.context) report.dropped(field(part, "context"), "A file has no context text in this protocol.");
  const filename = part.filename ?? part.title;
  const name = filename === undefined ? {} : { filename };
  switch (source.type) {
    case "base64":
      return {
        type: "input_file",
        filename: filename ?? defaultName(source.mediaType),
        file_data: toDataUrl(source.mediaType, source.data),
      };
    case "url":
      return { type: "input_file", file_url: source.url, ...name };
    case "file":
      return { type: "input_file", file_id: ownFile(source, part), ...name };
  }
}

/** Audio -> `input_audio`, for models that take it and the formats that the protocol names (M7). */
export function encodeAudio(part: AudioPart, taken: boolean): JsonObject {
  if (!taken) refuse(part.at, "This model takes no audio.", "unsupported_media");
  const { source } = part;
  const format = source.type === "base64" ? audioFormat(source.mediaType) : undefined;
  if (source.type !== "base64" || (format !== "wav" && format !== "mp3")) {
    return refuse(part.at, "Audio for this model must be inline data in the format wav or mp3.", "unsupported_audio");
  }
  return { type: "input_audio", input_audio: { data: source.data, format } };
}

/** Sound must stand in the request; images and documents are fetched by the upstream (M1). */
export function wantsBytes(part: MediaPart, context: EncodeRequestContext): boolean {
  return part.type === "audio" && capabilitiesOf(context).audio;
}

/** Refuses video: no part of this protocol holds it (M8). */
export function refuseVideo(part: Part): never {
  return refuse(part.at, "This model takes no video.", "unsupported_media");
}

function fileSource(id: string): MediaSource {
  return { type: "file", id, family };
}

function urlSource(url: string, at: string): MediaSource {
  if (url === "") refuse(at, `'${at}' must not be empty.`);
  const inline = parseDataUrl(url, at);
  return inline ? { type: "base64", ...inline } : { type: "url", url };
}

/** `file_data` is a data URL; bare base64 is read as well when the file's name tells its type. */
function dataSource(data: string, filename: string | undefined, at: string): MediaSource {
  const inline = parseDataUrl(data, at);
  if (inline) return { type: "base64", ...inline };
  const mediaType = filename?.toLowerCase().endsWith(".pdf") ? "application/pdf" : undefined;
  if (!mediaType) refuse(at, `'${at}' must be a base64 data URL, such as 'data:application/pdf;base64,JVBERi0='.`);
  return { type: "base64", mediaType, data: requireBase64(data, at) };
}

function ownFile(source: Extract<MediaSource, { type: "file" }>, part: Part): string {
  if (source.family === family) return source.id;
  return refuse(part.at, "A file held by another provider cannot be read by this model.", "unsupported_file");
}

function defaultName(mediaType: string): string {
  if (mediaType === "application/pdf") return "document.pdf";
  return mediaType.startsWith("text/") ? "document.txt" : "document";
}

function field(part: DocumentPart, key: string): string {
  return part.at ? path(part.at, key) : key;
}
