import { refuse } from "../canonical/index.ts";

/** Bytes that stand inside a URL. */
export interface DataUrl {
  /** Lower case, without parameters. */
  mediaType: string;
  /** Standard base64 with padding. */
  data: string;
}

/**
 * Reads `data:<type>[;parameters];base64,<data>` (conversion.md M3). Undefined: not a data URL at all. Refuses a broken
 * one by `field`. `image/jpg` becomes `image/jpeg`; the URL-safe alphabet and a missing padding are put right.
 */
export function parseDataUrl(url: string, field: string): DataUrl | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.indexOf(",");
  if (comma === -1) refuse(field, `'${field}' is a data URL without a comma.`);
  const [mediaType = "", ...parameters] = url.slice("data:".length, comma).split(";");
  if (!parameters.some((parameter) => parameter.trim().toLowerCase() === "base64")) {
    refuse(field, `'${field}' is a data URL that is not base64.`);
  }
  return { mediaType: normalMediaType(mediaType), data: requireBase64(url.slice(comma + 1), field) };
}

export function toDataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}

/** Media types are case-insensitive, and `image/jpg` is a wide-spread slip. */
export function normalMediaType(mediaType: string): string {
  const lower = mediaType.trim().toLowerCase();
  if (lower === "image/jpg") return "image/jpeg";
  return lower === "" ? "text/plain" : lower;
}

/** Base64 in the one form that every family takes: standard alphabet, padded, no white space. Refuses anything else by `field`. */
export function requireBase64(text: string, field: string): string {
  let data = /[\s\-_]/.test(text) ? text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/") : text;
  if (data === "") refuse(field, `'${field}' holds no data.`);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) refuse(field, `'${field}' is not valid base64.`);
  const left = data.length % 4;
  if (left !== 0 && !data.endsWith("=") && left !== 1) data += "=".repeat(4 - left);
  if (data.length % 4 !== 0) refuse(field, `'${field}' is not valid base64: its length is wrong.`);
  return data;
}

const audioFormats = new Map(
  Object.entries({
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/wave": "wav",
    "audio/vnd.wave": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
    "audio/flac": "flac",
    "audio/x-flac": "flac",
    "audio/ogg": "ogg",
    "audio/opus": "opus",
    "audio/aac": "aac",
    "audio/aiff": "aiff",
    "audio/x-aiff": "aiff",
    "audio/mp4": "m4a",
    "audio/x-m4a": "m4a",
    "audio/m4a": "m4a",
    "audio/webm": "webm",
    "audio/pcm": "pcm16",
  }),
);

/** The short name of an audio format, `audio/wav` -> `wav`. Undefined for a type that has none. */
export function audioFormat(mediaType: string): string | undefined {
  return audioFormats.get(mediaType.toLowerCase().split(";", 1)[0]?.trim() ?? "");
}

/** The media type of a short name, `mp3` -> `audio/mpeg`; an unknown name becomes `audio/<name>`. */
export function audioMediaType(format: string): string {
  const wanted = format.toLowerCase();
  for (const [mediaType, name] of audioFormats) if (name === wanted) return mediaType;
  return `audio/${wanted}`;
}
