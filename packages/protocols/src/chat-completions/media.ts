import {
  type AudioPart,
  type DocumentPart,
  type ImagePart,
  type JsonObject,
  type MediaPart,
  type MediaSource,
  refuse,
  type VideoPart,
} from "../canonical/index.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { audioFormat, audioMediaType, parseDataUrl, toDataUrl } from "../shared/data-url.ts";
import { documentAsText, isTextDocument } from "../shared/media-text.ts";
import { isObject, missing, path, readEnum, readObject, readString, requireString } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { type ChatCapabilities, capabilitiesOf } from "./capabilities.ts";

const details = ["auto", "low", "high", "original"] as const;

/** `image_url`: an https address or a data URL. A PDF in this place means a document (M3). */
export function decodeImage(part: JsonObject, at: string): ImagePart | DocumentPart {
  const field = path(at, "image_url");
  const flat = typeof part.image_url === "string";
  const holder = flat ? part : (readObject(part, "image_url", at) ?? missing(field));
  const url = flat ? requireString(part, "image_url", at) : requireString(holder, "url", field);
  const detail = flat ? undefined : readEnum(holder, "detail", details, field);
  const source = readUrl(url, flat ? field : path(field, "url"));
  if (source.type === "base64" && source.mediaType === "application/pdf") return { type: "document", source, at };
  return { type: "image", source, at, ...(detail ? { detail } : {}) };
}

/** `input_audio`: base64 without a data prefix, and the format's name. */
export function decodeAudio(part: JsonObject, at: string): AudioPart {
  const field = path(at, "input_audio");
  const audio = readObject(part, "input_audio", at) ?? missing(field);
  const data = requireString(audio, "data", field);
  const format = requireString(audio, "format", field);
  const inline = parseDataUrl(data, path(field, "data"));
  const source: MediaSource = { type: "base64", mediaType: audioMediaType(format), data: inline ? inline.data : data };
  return { type: "audio", source, at };
}

/** `file`: a file of the provider, or a data URL with a name. */
export function decodeFile(part: JsonObject, at: string): DocumentPart {
  const field = path(at, "file");
  const file = readObject(part, "file", at) ?? missing(field);
  const id = readString(file, "file_id", field);
  const data = readString(file, "file_data", field);
  const filename = readString(file, "filename", field);
  const named = filename === undefined ? {} : { filename };
  if (id !== undefined) return { type: "document", source: { type: "file", id, family: "openai" }, at, ...named };
  if (data === undefined) missing(path(field, "file_data"));
  const dataField = path(field, "file_data");
  const bare = !data.startsWith("data:") && !/^https?:\/\//i.test(data);
  const source: MediaSource = bare ? { type: "base64", mediaType: "application/pdf", data } : readUrl(data, dataField);
  return { type: "document", source, at, ...named };
}

/** `video_url`, which compatible servers know. */
export function decodeVideo(part: JsonObject, at: string): VideoPart {
  const field = path(at, "video_url");
  const video = isObject(part.video_url) ? part.video_url : part;
  const url = video === part ? requireString(part, "video_url", at) : requireString(video, "url", field);
  return { type: "video", source: readUrl(url, video === part ? field : path(field, "url")), at };
}

function readUrl(url: string, field: string): MediaSource {
  const inline = parseDataUrl(url, field);
  if (inline) return { type: "base64", mediaType: inline.mediaType, data: inline.data };
  if (!/^(https?|gs):\/\/./i.test(url))
    refuse(field, `'${field}' must be an http address or a data: URL.`, "invalid_url");
  return { type: "url", url };
}

function urlOf(source: MediaSource, field: string): string {
  switch (source.type) {
    case "url":
      return source.url;
    case "base64":
      return toDataUrl(source.mediaType, source.data);
    case "file":
      return refuse(
        field,
        `'${field}' names a file that is held elsewhere; chat completions takes media by their address or their bytes.`,
        "unsupported_file",
      );
    case "text":
      return refuse(field, `'${field}' holds text where an image or a video belongs.`);
  }
}

export function encodeImage(part: ImagePart, capabilities: ChatCapabilities): JsonObject {
  const field = part.at ?? "messages";
  const url = urlOf(part.source, field);
  if (url.startsWith("gs://") && !capabilities.googleStorage) {
    refuse(field, `'${field}' is in a storage that only Google's models read.`, "unsupported_file");
  }
  return { type: "image_url", image_url: { url, ...(part.detail ? { detail: part.detail } : {}) } };
}

/** M8: the vendor has no video; compatible servers agree on `video_url`. */
export function encodeVideo(part: VideoPart, capabilities: ChatCapabilities): JsonObject {
  const field = part.at ?? "messages";
  if (!capabilities.video) {
    refuse(field, `'${field}' is a video, which the model does not take.`, "unsupported_media");
  }
  return { type: "video_url", video_url: { url: urlOf(part.source, field) } };
}

export function encodeAudio(part: AudioPart): JsonObject {
  const field = part.at ?? "messages";
  if (part.source.type !== "base64") refuse(field, `'${field}' must hold the audio itself; an address is not taken.`);
  const format = audioFormat(part.source.mediaType);
  if (format === undefined) refuse(field, `'${field}' has an audio type that chat completions does not know.`);
  return { type: "input_audio", input_audio: { data: part.source.data, format } };
}

/** A `file` part; plain text becomes a text part (M6), an address is passed on for servers that fetch. */
export function encodeDocument(part: DocumentPart, capabilities: ChatCapabilities, report: Report): JsonObject {
  const field = part.at ?? "messages";
  if (part.citations) {
    report.dropped(path(field, "citations"), "Chat completions cannot cite from a given document.");
  }
  const { source } = part;
  if (source.type === "text" || (part.filename === undefined && isTextDocument(part))) {
    return { type: "text", text: documentAsText(part).text };
  }
  if (source.type === "file") {
    if (source.family !== "openai") {
      refuse(field, `'${field}' names a file that is held by another provider.`, "unsupported_file");
    }
    return { type: "file", file: { file_id: source.id } };
  }
  if (source.type === "url" && !capabilities.documentUrls) {
    refuse(
      field,
      `'${field}' must hold the document itself: the upstream fetches none, and the gateway's operator has not allowed it to (media.fetch).`,
      "unsupported_file",
    );
  }
  if (part.context !== undefined) {
    report.dropped(path(field, "context"), "Chat completions has no place for a document's context.");
  }
  const filename = part.filename ?? part.title ?? defaultName(source.mediaType);
  return { type: "file", file: { filename, file_data: urlOf(source, field) } };
}

/** Sound must stand in the request, documents where the server does not fetch them; everything else is fetched by it (M1). */
export function wantsBytes(part: MediaPart, context: EncodeRequestContext): boolean {
  return part.type === "audio" || (part.type === "document" && !capabilitiesOf(context).documentUrls);
}

function defaultName(mediaType: string | undefined): string {
  return mediaType === undefined || mediaType === "application/pdf" ? "document.pdf" : "document";
}

const magic = [
  ["UklGR", "audio/wav"],
  ["T2dnU", "audio/ogg"],
  ["ZkxhQ", "audio/flac"],
  ["SUQz", "audio/mpeg"],
  ["//", "audio/mpeg"],
] as const;

/** The media type of audio that an answer bears without naming it, by its first bytes; raw samples otherwise. */
export function sniffAudio(data: string): string {
  for (const [prefix, mediaType] of magic) if (data.startsWith(prefix)) return mediaType;
  return "audio/pcm";
}
