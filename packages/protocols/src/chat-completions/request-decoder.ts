import { type CanonicalRequest, type JsonObject, refuse } from "../canonical/index.ts";
import type { DecodeRequestContext, RequestEnvelope } from "../codec.ts";
import {
  missing,
  path,
  readArray,
  readBoolean,
  readNumber,
  readObject,
  readString,
  requireString,
  unknownFields,
} from "../shared/read.ts";
import { decodeFormat, decodeLimit, decodeSampling, decodeStop, decodeVerbosity } from "./output-control.ts";
import { decodeReasoningControl } from "./reasoning.ts";
import { decodeToolChoice } from "./tool-choice.ts";
import { decodeTools } from "./tools.ts";
import { decodeTurns } from "./turns-decoder.ts";
import { knownRequestFields } from "./wire.ts";

/** Client -> canonical. Refuses with the field's path what is malformed or out of range. */
export function decodeRequest(
  body: JsonObject,
  envelope: RequestEnvelope,
  context: DecodeRequestContext,
): CanonicalRequest {
  if (body.input !== undefined && (body.messages === undefined || body.messages === null)) {
    refuse(
      "input",
      "'input' belongs to the responses protocol; send 'messages' here, or post this body to /v1/responses.",
      "unsupported_parameter",
    );
  }
  const model = readString(body, "model") ?? envelope.model ?? missing("model");
  if (model === "") refuse("model", "'model' must not be empty.");
  const request: CanonicalRequest = {
    model,
    stream: readBoolean(body, "stream") ?? envelope.stream ?? false,
    turns: decodeTurns(body, context.vault),
    tools: decodeTools(body),
    sampling: decodeSampling(body),
    stopSequences: decodeStop(body),
  };
  const extras = unknownFields(body, knownRequestFields) ?? {};
  decodeControl(body, request, extras);
  decodeModalities(body, request);
  decodeBookkeeping(body, request, extras);
  decodeStreamOptions(body, request, extras);
  if (Object.keys(extras).length > 0) request.extras = { "chat-completions": extras };
  return request;
}

function decodeControl(body: JsonObject, request: CanonicalRequest, extras: JsonObject): void {
  const toolChoice = decodeToolChoice(body);
  if (toolChoice) request.toolChoice = toolChoice;
  if (readBoolean(body, "parallel_tool_calls") === false) request.parallelToolCalls = false;
  const limit = decodeLimit(body);
  if (limit !== undefined) request.maxOutputTokens = limit;
  const { format, extra } = decodeFormat(body);
  if (format) request.format = format;
  if (extra) extras.response_format = extra;
  const verbosity = decodeVerbosity(body);
  if (verbosity) request.verbosity = verbosity;
  const reasoning = decodeReasoningControl(body);
  if (reasoning) request.reasoning = reasoning;
  const candidates = readNumber(body, "n", { min: 1, max: 128, integer: true });
  if (candidates !== undefined && candidates > 1) request.candidates = candidates;
}

function decodeModalities(body: JsonObject, request: CanonicalRequest): void {
  const given = readArray(body, "modalities");
  const modalities = given?.map((modality, index) => {
    const at = path("modalities", index);
    if (modality === "text" || modality === "audio" || modality === "image") return modality;
    return refuse(at, `'${at}' must be 'text', 'audio' or 'image'.`);
  });
  if (modalities?.some((modality) => modality !== "text")) request.modalities = modalities;
  const audio = readObject(body, "audio");
  if (audio) {
    requireString(audio, "format", "audio");
    if (typeof audio.voice !== "string" && typeof audio.voice !== "object") missing("audio.voice");
    request.audioOutput = audio;
  }
  if (modalities?.includes("audio") && !audio) missing("audio");
}

function decodeBookkeeping(body: JsonObject, request: CanonicalRequest, extras: JsonObject): void {
  if (readBoolean(body, "store") === true) request.state = { store: true };
  const cache: NonNullable<CanonicalRequest["cache"]> = {};
  const key = readString(body, "prompt_cache_key");
  if (key !== undefined) cache.key = key;
  const retention = readString(body, "prompt_cache_retention");
  if (retention !== undefined) cache.retention = retention;
  const options = readObject(body, "prompt_cache_options");
  if (options) cache.options = options;
  if (Object.keys(cache).length > 0) request.cache = cache;

  const caller: NonNullable<CanonicalRequest["caller"]> = {};
  const safety = readString(body, "safety_identifier");
  const user = readString(body, "user");
  const userId = safety ?? user;
  if (userId !== undefined) caller.userId = userId;
  if (safety !== undefined && user !== undefined) extras.user = user;
  const metadata = decodeMetadata(body);
  if (metadata) caller.metadata = metadata;
  if (Object.keys(caller).length > 0) request.caller = caller;

  const tier = readString(body, "service_tier");
  if (tier !== undefined && tier !== "auto") request.serviceTier = tier;
}

function decodeMetadata(body: JsonObject): Record<string, string> | undefined {
  const given = readObject(body, "metadata");
  if (!given) return undefined;
  const keys = Object.keys(given);
  if (keys.length > 16) refuse("metadata", `'metadata' takes at most 16 pairs, got ${keys.length}.`);
  const pairs: [string, string][] = [];
  for (const key of keys) {
    const field = path("metadata", key);
    const value = requireString(given, key, "metadata");
    if (key.length > 64) refuse(field, `'${field}' has a key of more than 64 characters.`, "string_above_max_length");
    if (value.length > 512) refuse(field, `'${field}' must have at most 512 characters.`, "string_above_max_length");
    pairs.push([key, value]);
  }
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** Padding against traffic analysis is never in our streams, so the wish for it, either way, needs no carrying. */
function decodeStreamOptions(body: JsonObject, request: CanonicalRequest, extras: JsonObject): void {
  const options = readObject(body, "stream_options");
  if (!options) return;
  if (readBoolean(options, "include_usage", "stream_options") === true) request.includeUsage = true;
  readBoolean(options, "include_obfuscation", "stream_options");
  const rest = unknownFields(options, new Set(["include_usage", "include_obfuscation"]));
  if (rest) extras.stream_options = rest;
}
