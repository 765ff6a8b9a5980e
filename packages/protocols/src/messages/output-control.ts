import {
  type CanonicalRequest,
  type JsonObject,
  type OutputFormat,
  refuse,
  type Sampling,
} from "../canonical/index.ts";
import { isObject, missing, path, readArray, readEnum, readNumber, readObject, readString } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { sha256Hex } from "../shared/sha256.ts";
import type { MessagesCapabilities } from "./capabilities.ts";
import { outputSchema } from "./schema.ts";

/** `temperature`, `top_p`, `top_k`. */
export function decodeSampling(body: JsonObject): Sampling {
  const sampling: Sampling = {};
  const temperature = readNumber(body, "temperature", { min: 0, max: 2 });
  const topP = readNumber(body, "top_p", { min: 0, max: 1 });
  const topK = readNumber(body, "top_k", { min: 0, integer: true });
  if (temperature !== undefined) sampling.temperature = temperature;
  if (topP !== undefined) sampling.topP = topP;
  if (topK !== undefined) sampling.topK = topK;
  return sampling;
}

/** `stop_sequences`. */
export function decodeStopSequences(body: JsonObject): string[] {
  return (readArray(body, "stop_sequences") ?? []).map((value, index) => {
    const field = path("stop_sequences", index);
    if (typeof value !== "string") refuse(field, `'${field}' must be a string.`, "invalid_type");
    return value;
  });
}

/** `output_config.format`, or the older `output_format`. */
export function decodeFormat(body: JsonObject): OutputFormat | undefined {
  const config = readObject(body, "output_config");
  const inConfig = config && readObject(config, "format", "output_config");
  const format = inConfig ?? readObject(body, "output_format");
  if (!format) return undefined;
  const at = inConfig ? "output_config.format" : "output_format";
  readEnum(format, "type", ["json_schema"], at) ?? missing(path(at, "type"));
  return { type: "schema", schema: readObject(format, "schema", at) ?? missing(path(at, "schema")) };
}

/** The end user's opaque id. */
export function decodeUserId(body: JsonObject): string | undefined {
  const metadata = readObject(body, "metadata");
  return metadata && readString(metadata, "user_id", "metadata");
}

/** Sampling fields for one model; what it refuses is left out and told (P5 to P9, P14). */
export function encodeSampling(
  sampling: Sampling,
  capabilities: MessagesCapabilities,
  isThinking: boolean,
  report: Report,
): JsonObject {
  if (sampling.logprobs) {
    refuse("logprobs", "This model cannot return log probabilities.", "unsupported_parameter");
  }
  const absent: [string, unknown][] = [
    ["seed", sampling.seed],
    ["frequency_penalty", sampling.frequencyPenalty],
    ["presence_penalty", sampling.presencePenalty],
    ["logit_bias", sampling.logitBias],
  ];
  for (const [field, value] of absent) {
    if (value !== undefined) report.dropped(field, "The model has no such setting.");
  }
  let { temperature, topP, topK } = sampling;
  if (temperature !== undefined && temperature > 1) {
    report.approximated("temperature", `The model's temperature ends at 1; ${temperature} became 1.`);
    temperature = 1;
  }
  if (capabilities.sampling === "none") {
    if (temperature !== undefined && temperature !== 1)
      report.dropped("temperature", "This model takes no temperature.");
    if (topP !== undefined && topP < 0.99) report.dropped("top_p", "This model takes no top_p.");
    if (topK !== undefined) report.dropped("top_k", "This model takes no top_k.");
    return {};
  }
  if (isThinking) {
    if (temperature !== undefined && temperature !== 1) {
      report.dropped("temperature", "A thinking model takes no other temperature than 1.");
      temperature = undefined;
    }
    if (topP !== undefined && topP < 0.95) {
      report.dropped("top_p", "A thinking model takes top_p from 0.95 only.");
      topP = undefined;
    }
    if (topK !== undefined) report.dropped("top_k", "A thinking model takes no top_k.");
    topK = undefined;
  }
  if (capabilities.sampling === "one" && temperature !== undefined && topP !== undefined) {
    report.dropped("top_p", "This model takes temperature or top_p, not both; temperature was kept.");
    topP = undefined;
  }
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
  };
}

const longestUnasked = 32_000;
const unknownModelOutput = 8192;

/** `max_tokens`, which the vendor demands (P1, P3). */
export function encodeMaxTokens(request: CanonicalRequest, capabilities: MessagesCapabilities, report: Report): number {
  const asked = request.maxOutputTokens;
  if (asked === undefined) {
    if (capabilities.maxOutput > 0) return Math.min(capabilities.maxOutput, longestUnasked);
    report.approximated(
      "max_tokens",
      `The model needs an output limit and the request names none; it is ${unknownModelOutput}.`,
    );
    return unknownModelOutput;
  }
  if (capabilities.maxOutput > 0 && asked > capabilities.maxOutput) {
    report.approximated(
      "max_tokens",
      `The model writes at most ${capabilities.maxOutput} tokens; ${asked} became that.`,
    );
    return capabilities.maxOutput;
  }
  return asked;
}

export interface EncodedStops {
  sent: string[];
  /** What the vendor refuses (blank text), for the gateway to watch for (P12). */
  watched: string[];
}

/** `stop_sequences`. */
export function encodeStopSequences(stops: readonly string[], report: Report): EncodedStops {
  const sent = stops.filter((stop) => stop.trim() !== "");
  const watched = stops.filter((stop) => stop !== "" && stop.trim() === "");
  if (watched.length > 0) report.emulated("stop", "The gateway itself watches for stop sequences of blank space.");
  return { sent, watched };
}

/** How structured output is reached. */
export interface EncodedFormat {
  /** `output_config.format`. */
  format?: JsonObject;
  /** A line for the end of the system text. */
  instruction?: string;
  /** The schema of a synthetic tool whose arguments become the answer's text. */
  toolSchema?: JsonObject;
  unfence?: boolean;
}

const jsonOnly = "Answer with one JSON object and nothing else.";

/** The answer's form by what the model takes (J1, J2). `free`: no tools and no thinking stand in the way. */
export function encodeFormat(
  format: OutputFormat | undefined,
  capabilities: MessagesCapabilities,
  free: boolean,
  report: Report,
): EncodedFormat {
  if (!format || format.type === "text") return {};
  if (format.type === "json") {
    report.emulated(
      "response_format",
      "The model has no JSON mode; it was told in words to answer with one JSON object.",
    );
    return { instruction: jsonOnly, unfence: true };
  }
  if (capabilities.format) {
    return { format: { type: "json_schema", schema: outputSchema(format.schema, "response_format", report) } };
  }
  if (free && format.schema.type === "object") {
    report.emulated(
      "response_format",
      "The model has no structured output; its answer comes as the arguments of a hidden tool.",
    );
    return { toolSchema: format.schema };
  }
  report.emulated("response_format", "The model has no structured output; it was told the schema in words.");
  return { instruction: `${jsonOnly} It must match this JSON Schema: ${JSON.stringify(format.schema)}`, unfence: true };
}

const contact = /@|^\+?[\d\s().-]{7,}$/;

/** `metadata.user_id`: an id that is too long or looks like a person's contact is hashed (P18). */
export function encodeUserId(userId: string, report: Report): string {
  if (userId.length <= 1024 && userId.trimStart().startsWith("{")) return userId;
  if (userId.length <= 256 && !contact.test(userId) && /^[\x20-\x7e]+$/.test(userId)) return userId;
  report.emulated(
    "user",
    "The user id was replaced by its SHA-256 hash: it is too long or looks like a contact address.",
  );
  return sha256Hex(userId);
}

/** `service_tier`; the default is not written. */
export function encodeServiceTier(tier: string | undefined, report: Report): JsonObject {
  switch (tier) {
    case undefined:
    case "auto":
      return {};
    case "standard_only":
    case "default":
      return { service_tier: "standard_only" };
    default:
      report.dropped("service_tier", `The model's provider has no service tier '${tier}'.`);
      return {};
  }
}

/** Refuses what would change the answer's meaning, and tells of knobs that this protocol has not. */
export function checkUnsupported(request: CanonicalRequest, report: Report): void {
  if ((request.candidates ?? 1) > 1) {
    refuse("n", "This model gives one answer a call; 'n' must be 1.", "unsupported_parameter");
  }
  if (request.modalities?.some((modality) => modality !== "text")) {
    refuse("modalities", "This model answers with text only.", "unsupported_parameter");
  }
  if (request.audioOutput) refuse("audio", "This model answers with text only.", "unsupported_parameter");
  if (request.cache?.contentHandle !== undefined) {
    refuse("cachedContent", "'cachedContent' names a cache that another provider holds.", "unsupported_parameter");
  }
  if (request.verbosity !== undefined) report.dropped("verbosity", "The model has no such setting.");
  if (request.maxToolCalls !== undefined) report.dropped("max_tool_calls", "The model has no such limit.");
  if (request.cache?.key !== undefined)
    report.dropped("prompt_cache_key", "The model's provider caches by prefix and marks.");
  if (request.cache?.retention !== undefined) {
    report.dropped("prompt_cache_retention", "The model's provider keeps its own cache lifetimes.");
  }
  if (request.cache?.options) report.dropped("prompt_cache_options", "The model's provider caches by marks.");
  if (isObject(request.caller?.metadata) && Object.keys(request.caller.metadata).length > 0) {
    report.dropped("metadata", "The model's provider takes no metadata.");
  }
}
