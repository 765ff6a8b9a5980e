import type { CacheMark, Citation, JsonObject, JsonValue, Part, TextPart, TokenLogprob } from "../canonical/index.ts";
import {
  isObject,
  missing,
  path,
  readArray,
  readObject,
  readString,
  requireObject,
  requireString,
} from "../shared/read.ts";
import { decodeAnnotation } from "./citations.ts";
import { keepUnknown } from "./extras.ts";
import { decodeLogprobs } from "./logprobs.ts";
import { decodeAudio, decodeFile, decodeImage } from "./media.ts";

const textKeys = new Set(["type", "text", "annotations", "logprobs", "prompt_cache_breakpoint"]);
const refusalKeys = new Set(["type", "refusal"]);

/** `content` of a message or `output` of a result: a string or a list of parts. */
export function decodeContent(holder: JsonObject, key: string, at: string): Part[] {
  const value = holder[key];
  const field = path(at, key);
  if (value === undefined || value === null) return missing(field);
  if (typeof value === "string") return [{ type: "text", text: value, at: field }];
  const list = readArray(holder, key, at) ?? [];
  return list.map((entry, index) => decodePart(entry, path(field, index)));
}

function decodePart(entry: JsonValue, at: string): Part {
  if (typeof entry === "string") return { type: "text", text: entry, at };
  const wire = requireObject(entry, at);
  const part = decodeKnown(wire, at);
  const cache = cacheMark(wire, at);
  return cache ? { ...part, cache } : part;
}

function decodeKnown(wire: JsonObject, at: string): Part {
  const type = requireString(wire, "type", at);
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
    case "summary_text":
      return decodeText(wire, at);
    case "refusal":
      return { type: "refusal", text: requireString(wire, "refusal", at), at, ...keepUnknown(wire, refusalKeys) };
    case "input_image":
      return decodeImage(wire, at);
    case "input_file":
      return decodeFile(wire, at);
    case "input_audio":
      return decodeAudio(wire, at);
    default: {
      const text = typeof wire.text === "string" ? { text: wire.text } : {};
      return { type: "opaque", protocol: "responses", nativeType: `content.${type}`, payload: wire, ...text, at };
    }
  }
}

function decodeText(wire: JsonObject, at: string): TextPart {
  const citations = (readArray(wire, "annotations", at) ?? [])
    .map(decodeAnnotation)
    .filter((citation): citation is Citation => citation !== undefined);
  const logprobs = decodeLogprobs(wire.logprobs);
  return textPart(requireString(wire, "text", at), citations, logprobs, { at, ...keepUnknown(wire, textKeys) });
}

/** A text part with only the keys that it needs. */
export function textPart(
  text: string,
  citations: Citation[],
  logprobs: TokenLogprob[],
  more: Pick<TextPart, "at" | "extras"> = {},
): TextPart {
  return {
    type: "text",
    text,
    ...(citations.length > 0 ? { citations } : {}),
    ...(logprobs.length > 0 ? { logprobs } : {}),
    ...more,
  };
}

function cacheMark(wire: JsonObject, at: string): CacheMark | undefined {
  const mark = readObject(wire, "prompt_cache_breakpoint", at);
  if (!isObject(mark)) return undefined;
  const ttl = readString(mark, "ttl", path(at, "prompt_cache_breakpoint"));
  return ttl === undefined ? {} : { ttl };
}
