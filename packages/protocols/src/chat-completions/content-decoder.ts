import { type JsonObject, type JsonValue, type Part, refuse } from "../canonical/index.ts";
import { missing, path, readString, requireObject, requireString, unknownFields } from "../shared/read.ts";
import { decodeCacheMark } from "./cache-mark.ts";
import { decodeAudio, decodeFile, decodeImage, decodeVideo } from "./media.ts";

const partKeys: Record<string, ReadonlySet<string>> = {
  text: new Set(["type", "text", "image_url", "cache_control", "prompt_cache_breakpoint"]),
  image_url: new Set(["type", "image_url", "text", "cache_control", "prompt_cache_breakpoint"]),
  input_audio: new Set(["type", "input_audio", "cache_control", "prompt_cache_breakpoint"]),
  file: new Set(["type", "file", "cache_control", "prompt_cache_breakpoint"]),
  video_url: new Set(["type", "video_url", "cache_control", "prompt_cache_breakpoint"]),
  refusal: new Set(["type", "refusal"]),
};

/** Content as parts: a string is one text part. */
export function decodeContent(content: JsonValue | undefined, at: string): Part[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content, at }];
  if (!Array.isArray(content)) return refuse(at, `'${at}' must be a string or an array of parts.`, "invalid_type");
  return content.map((value, index) => decodePart(value, path(at, index)));
}

function decodePart(value: JsonValue, at: string): Part {
  // A bare string among the parts is text; several clients write it.
  if (typeof value === "string") return { type: "text", text: value, at };
  const part = requireObject(value, at);
  const type = readString(part, "type", at) ?? (typeof part.text === "string" ? "text" : missing(path(at, "type")));
  const known = partKeys[type];
  if (!known || !Object.hasOwn(partKeys, type)) return opaquePart(part, type, at);
  const decoded = decodeKnownPart(part, type, at);
  const extras = unknownFields(part, known);
  if (extras) decoded.extras = { "chat-completions": extras };
  return { ...decoded, ...decodeCacheMark(part, at) };
}

function decodeKnownPart(part: JsonObject, type: string, at: string): Part {
  switch (type) {
    case "text":
      return { type: "text", text: requireString(part, "text", at), at };
    case "refusal":
      return { type: "refusal", text: requireString(part, "refusal", at), at };
    case "image_url":
      return decodeImage(part, at);
    case "input_audio":
      return decodeAudio(part, at);
    case "video_url":
      return decodeVideo(part, at);
    default:
      return decodeFile(part, at);
  }
}

function opaquePart(part: JsonObject, type: string, at: string): Part {
  const opaque: Part = { type: "opaque", protocol: "chat-completions", nativeType: type, payload: part, at };
  if (typeof part.text === "string") opaque.text = part.text;
  return opaque;
}
