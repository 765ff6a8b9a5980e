import {
  type CanonicalRequest,
  type JsonObject,
  type OutputFormat,
  refuse,
  type Sampling,
} from "../canonical/index.ts";
import { fromOpenApiSchema } from "../shared/json-schema.ts";
import { path, readArray, readBoolean, readObject, readString, unknownFields } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import type { GenerateContentCapabilities } from "./capabilities.ts";
import { readConstant, readFields, readNumeric } from "./fields.ts";
import { decodeThinking } from "./reasoning.ts";
import { toGeminiSchema } from "./schema.ts";
import { configFields } from "./wire.ts";

const at = "generationConfig";
const maximumStops = 5;

/** `generationConfig` into the request's own fields. Members without a canonical place go to `extras` by their path. */
export function decodeGenerationConfig(body: JsonObject, request: CanonicalRequest, extras: JsonObject): void {
  const config = readFields(body, at);
  if (!config) return;
  request.sampling = decodeSampling(config);
  const limit = readNumeric(config, "maxOutputTokens", { integer: true, min: 1 }, at);
  if (limit !== undefined) request.maxOutputTokens = limit;
  request.stopSequences = decodeStops(config);
  const candidates = readNumeric(config, "candidateCount", { integer: true, min: 1, max: 8 }, at);
  if (candidates !== undefined && candidates > 1) request.candidates = candidates;
  const reasoning = decodeThinking(config, at);
  if (reasoning) request.reasoning = reasoning;
  const modalities = decodeModalities(config);
  if (modalities) request.modalities = modalities;
  const format = decodeFormat(config, extras);
  if (format) request.format = format;
  for (const [key, value] of Object.entries(unknownFields(config, configFields) ?? {})) extras[path(at, key)] = value;
}

function decodeSampling(config: JsonObject): Sampling {
  const sampling: Sampling = {};
  const temperature = readNumeric(config, "temperature", { min: 0, max: 2 }, at);
  if (temperature !== undefined) sampling.temperature = temperature;
  const topP = readNumeric(config, "topP", { min: 0, max: 1 }, at);
  if (topP !== undefined) sampling.topP = topP;
  const topK = readNumeric(config, "topK", { integer: true, min: 1 }, at);
  if (topK !== undefined) sampling.topK = topK;
  const seed = readNumeric(config, "seed", { integer: true, min: -(2 ** 31), max: 2 ** 31 - 1 }, at);
  if (seed !== undefined) sampling.seed = seed;
  const presence = readNumeric(config, "presencePenalty", { min: -2, max: 2 }, at);
  if (presence !== undefined) sampling.presencePenalty = presence;
  const frequency = readNumeric(config, "frequencyPenalty", { min: -2, max: 2 }, at);
  if (frequency !== undefined) sampling.frequencyPenalty = frequency;
  const top = readNumeric(config, "logprobs", { integer: true, min: 0, max: 20 }, at);
  if (readBoolean(config, "responseLogprobs", at)) sampling.logprobs = { top: top ?? 0 };
  else if (top) refuse(path(at, "logprobs"), `'${at}.logprobs' needs '${at}.responseLogprobs' to be true.`);
  return sampling;
}

function decodeStops(config: JsonObject): string[] {
  const stops = readArray(config, "stopSequences", at) ?? [];
  const field = path(at, "stopSequences");
  if (stops.length > maximumStops)
    refuse(field, `'${field}' takes at most ${maximumStops} texts, got ${stops.length}.`);
  return stops.map((stop, index) => {
    if (typeof stop !== "string")
      refuse(path(field, index), `'${path(field, index)}' must be a string.`, "invalid_type");
    if (stop === "") refuse(path(field, index), `'${path(field, index)}' must not be empty.`);
    return stop;
  });
}

const modalities = ["text", "audio", "image", "video"] as const;

/** Text alone is the default and counts as absent. */
function decodeModalities(config: JsonObject): CanonicalRequest["modalities"] {
  const words = readArray(config, "responseModalities", at) ?? [];
  const wanted = words.flatMap((_, index) => {
    const field = path(path(at, "responseModalities"), index);
    const word = readConstant({ word: words[index] }, "word")?.toLowerCase();
    if (word === undefined) return [];
    const modality = modalities.find((known) => known === word);
    if (!modality) refuse(field, `'${field}' must be one of TEXT, IMAGE, AUDIO, VIDEO.`);
    return [modality];
  });
  return wanted.length === 0 || wanted.every((modality) => modality === "text") ? undefined : wanted;
}

function decodeFormat(config: JsonObject, extras: JsonObject): OutputFormat | undefined {
  const mime = readString(config, "responseMimeType", at);
  const openApi = readObject(config, "responseSchema", at);
  const json = readObject(config, "responseJsonSchema", at) ?? readObject(config, "_responseJsonSchema", at);
  if (openApi && json) {
    refuse(path(at, "responseJsonSchema"), "Only one of 'responseSchema' and 'responseJsonSchema' may be set.");
  }
  const schema = json ?? openApi;
  // An answer that is one word of an enum has no counterpart elsewhere, nor have other types.
  if (mime !== undefined && mime !== "" && mime !== "text/plain" && mime !== "application/json") {
    extras[path(at, "responseMimeType")] = mime;
    if (schema) extras[path(at, json ? "responseJsonSchema" : "responseSchema")] = schema;
    return undefined;
  }
  if (schema) return { type: "schema", schema: fromOpenApiSchema(schema) };
  return mime === "application/json" ? { type: "json" } : undefined;
}

/** What the configuration on the wire leaves to the gateway. */
export interface EncodedControl {
  config: JsonObject;
  /** Stop sequences beyond what the protocol takes (P11). */
  stopSequences: string[];
  /** The format must be asked for in words (J3). */
  formatInstruction?: string;
}

/** Sampling, limits and format as `generationConfig`; what has no place there is a notice or a refusal. */
export function encodeGenerationConfig(
  request: CanonicalRequest,
  capabilities: GenerateContentCapabilities,
  hasFunctions: boolean,
  report: Report,
): EncodedControl {
  const { sampling } = request;
  const config: JsonObject = {};
  if (sampling.temperature !== undefined) config.temperature = sampling.temperature;
  if (sampling.topP !== undefined) config.topP = sampling.topP;
  if (sampling.topK !== undefined) config.topK = sampling.topK;
  if (request.candidates !== undefined && request.candidates > 1) config.candidateCount = request.candidates;
  if (request.maxOutputTokens !== undefined) config.maxOutputTokens = request.maxOutputTokens;
  if (request.stopSequences.length > 0) config.stopSequences = request.stopSequences.slice(0, maximumStops);
  if (sampling.seed !== undefined) config.seed = int32(sampling.seed, report);
  if (sampling.presencePenalty !== undefined) config.presencePenalty = sampling.presencePenalty;
  if (sampling.frequencyPenalty !== undefined) config.frequencyPenalty = sampling.frequencyPenalty;
  if (sampling.logprobs) {
    config.responseLogprobs = true;
    if (sampling.logprobs.top > 0) config.logprobs = Math.min(20, sampling.logprobs.top);
  }
  if (sampling.logitBias) report.dropped("logit_bias", "The target protocol cannot bias tokens.");
  if (request.audioOutput)
    refuse("audio", "Sound as output is not available through this protocol.", "unsupported_audio");
  if (request.modalities?.some((modality) => modality !== "text")) {
    config.responseModalities = request.modalities.map((modality) => modality.toUpperCase());
  }
  if (request.verbosity) report.dropped("verbosity", "The target protocol has no such setting.");
  const control: EncodedControl = { config, stopSequences: request.stopSequences.slice(maximumStops) };
  if (control.stopSequences.length > 0) {
    report.emulated("stop", `This model takes ${maximumStops} stop sequences; the gateway watches for the others.`);
  }
  encodeFormat(request.format, capabilities, hasFunctions, control, report);
  return control;
}

/** A seed is any number that gives the same start again: a bigger one is folded into the 32 bits that fit. */
function int32(seed: number, report: Report): number {
  if (seed === (seed | 0)) return seed;
  report.approximated("seed", "The seed was folded into 32 bits.");
  return Math.trunc(seed % 2 ** 31);
}

function encodeFormat(
  format: OutputFormat | undefined,
  capabilities: GenerateContentCapabilities,
  hasFunctions: boolean,
  control: EncodedControl,
  report: Report,
): void {
  if (!format || format.type === "text") return;
  if (hasFunctions && !capabilities.formatWithTools) {
    report.emulated(
      "response_format",
      "This model takes no format together with functions; it was asked for in words.",
    );
    control.formatInstruction = instruction(format);
    return;
  }
  control.config.responseMimeType = "application/json";
  if (format.type === "json") return;
  // The answer follows the schema in any case here; the name is only a label.
  if (format.description)
    report.dropped("response_format.json_schema.description", "The target protocol has no place for it.");
  if (capabilities.jsonSchema) control.config.responseJsonSchema = format.schema;
  else control.config.responseSchema = toGeminiSchema(format.schema, "response_format", report);
}

function instruction(format: Exclude<OutputFormat, { type: "text" }>): string {
  const words = "When you answer in text, answer with one JSON object and nothing else.";
  return format.type === "json" ? words : `${words} It must match this JSON Schema: ${JSON.stringify(format.schema)}`;
}
