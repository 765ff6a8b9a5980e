import {
  type CanonicalRequest,
  type JsonObject,
  type OutputFormat,
  refuse,
  type Sampling,
} from "../canonical/index.ts";
import { isStrictSchema } from "../shared/json-schema.ts";
import {
  path,
  readArray,
  readBoolean,
  readEnum,
  readNumber,
  readObject,
  readString,
  requireString,
} from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import type { ResponsesCapabilities } from "./capabilities.ts";
import { keepUnknown } from "./extras.ts";

export const logprobsInclude = "message.output_text.logprobs";
export const encryptedInclude = "reasoning.encrypted_content";

const textKeys = new Set(["format", "verbosity"]);
const formatKeys = new Set(["type", "name", "description", "schema", "strict"]);

/** `text` -> format and verbosity, and the keys of it that have no canonical meaning. */
export function decodeText(body: JsonObject): {
  format?: OutputFormat;
  verbosity?: "low" | "high";
  rest?: JsonObject;
} {
  const wire = readObject(body, "text");
  if (!wire) return {};
  const formatWire = readObject(wire, "format", "text");
  const format = formatWire ? decodeFormat(formatWire, "text.format") : undefined;
  const verbosity = readEnum(wire, "verbosity", ["low", "medium", "high"], "text");
  const formatRest = formatWire ? keepUnknown(formatWire, formatKeys).extras?.responses : undefined;
  const rest: JsonObject = {
    ...keepUnknown(wire, textKeys).extras?.responses,
    ...(formatRest ? { format: formatRest } : {}),
  };
  return {
    ...(format && format.type !== "text" ? { format } : {}),
    ...(verbosity && verbosity !== "medium" ? { verbosity } : {}),
    ...(Object.keys(rest).length > 0 ? { rest } : {}),
  };
}

function decodeFormat(wire: JsonObject, at: string): OutputFormat {
  const type = requireString(wire, "type", at);
  if (type === "text") return { type: "text" };
  if (type === "json_object") return { type: "json" };
  if (type !== "json_schema") {
    refuse(
      path(at, "type"),
      `'${path(at, "type")}' must be one of 'text', 'json_object', 'json_schema', got '${type}'.`,
    );
  }
  const schema = readObject(wire, "schema", at);
  if (!schema)
    refuse(path(at, "schema"), `Missing required parameter: '${path(at, "schema")}'.`, "missing_required_parameter");
  const description = readString(wire, "description", at);
  const strict = readBoolean(wire, "strict", at);
  return {
    type: "schema",
    schema,
    name: requireString(wire, "name", at),
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
  };
}

/** `include` -> what it asks for; values without a canonical meaning come out as `rest`. */
export function decodeInclude(body: JsonObject): { logprobs: boolean; encrypted: boolean; rest?: string[] } {
  const rest: string[] = [];
  let logprobs = false;
  let encrypted = false;
  for (const [index, value] of (readArray(body, "include") ?? []).entries()) {
    if (typeof value !== "string")
      refuse(path("include", index), `'${path("include", index)}' must be a string.`, "invalid_type");
    if (value === logprobsInclude) logprobs = true;
    else if (value === encryptedInclude) encrypted = true;
    else rest.push(value);
  }
  return { logprobs, encrypted, ...(rest.length > 0 ? { rest } : {}) };
}

/** Sampling knobs. `top_logprobs` without the include shows nothing, so it is no wish. */
export function decodeSampling(body: JsonObject, logprobs: boolean): Sampling {
  const temperature = readNumber(body, "temperature", { min: 0, max: 2 });
  const topP = readNumber(body, "top_p", { min: 0, max: 1 });
  const top = readNumber(body, "top_logprobs", { min: 0, max: 20, integer: true }) ?? 0;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(logprobs ? { logprobs: { top } } : {}),
  };
}

/** `text`, or undefined where it would say nothing. */
export function encodeText(
  request: CanonicalRequest,
  capabilities: ResponsesCapabilities,
  report: Report,
): JsonObject | undefined {
  const wire: JsonObject = {};
  const format = encodeFormat(request.format, report);
  if (format) wire.format = format;
  if (request.verbosity && request.verbosity !== "medium") {
    if (capabilities.verbosity) wire.verbosity = request.verbosity;
    else report.dropped("verbosity", "This model knows one verbosity only.");
  }
  return Object.keys(wire).length > 0 ? wire : undefined;
}

function encodeFormat(format: OutputFormat | undefined, report: Report): JsonObject | undefined {
  if (!format || format.type === "text") return undefined;
  if (format.type === "json") return { type: "json_object" };
  let strict = format.strict ?? false;
  if (strict && !isStrictSchema(format.schema)) {
    report.approximated("strict", "The schema is outside the strict subset, so the format is sent as not strict.");
    strict = false;
  }
  const wire: JsonObject = { type: "json_schema", name: format.name ?? "response" };
  if (format.description !== undefined) wire.description = format.description;
  wire.schema = format.schema;
  wire.strict = strict;
  return wire;
}

/** Smallest output limit that this protocol takes (P2). */
const smallestLimit = 16;

/** Sampling and limits, with a notice for each knob that this protocol or model has not (P2, P6, P8 to P10, P13, P17). */
export function encodeKnobs(
  body: JsonObject,
  request: CanonicalRequest,
  capabilities: ResponsesCapabilities,
  report: Report,
): void {
  refuseImpossible(request);
  const limit = request.maxOutputTokens;
  if (limit !== undefined) {
    if (limit < smallestLimit)
      report.approximated("max_tokens", `The smallest limit of this model is ${smallestLimit} tokens.`);
    body.max_output_tokens = Math.max(smallestLimit, limit);
  }
  if (request.maxToolCalls !== undefined) body.max_tool_calls = request.maxToolCalls;
  encodeSampling(body, request, capabilities, report);
  if (request.stopSequences.length > 0) {
    report.emulated("stop", "This protocol has no stop sequences; the gateway cuts the text at the first match.");
  }
}

function encodeSampling(
  body: JsonObject,
  request: CanonicalRequest,
  capabilities: ResponsesCapabilities,
  report: Report,
): void {
  const { sampling } = request;
  const taken =
    capabilities.sampling === "always" || request.reasoning?.effort === "none" || request.reasoning?.budgetTokens === 0;
  for (const [key, value] of [
    ["temperature", sampling.temperature],
    ["top_p", sampling.topP],
  ] as const) {
    if (value === undefined) continue;
    if (taken) body[key] = value;
    else if (value !== 1) report.dropped(key, "This model reasons and takes no sampling knobs.");
  }
  if (sampling.logprobs && sampling.logprobs.top > 0) body.top_logprobs = sampling.logprobs.top;
  const missing: [string, unknown][] = [
    ["top_k", sampling.topK],
    ["seed", sampling.seed],
    ["frequency_penalty", sampling.frequencyPenalty || undefined],
    ["presence_penalty", sampling.presencePenalty || undefined],
    ["logit_bias", sampling.logitBias],
  ];
  for (const [key, value] of missing)
    if (value !== undefined) report.dropped(key, "The responses protocol has no such knob.");
}

function refuseImpossible(request: CanonicalRequest): void {
  if (request.candidates !== undefined && request.candidates > 1) {
    refuse("n", "This model gives one answer a call; 'n' must be 1.", "unsupported_parameter");
  }
  if (request.modalities?.some((modality) => modality !== "text")) {
    refuse("modalities", "This model answers in text only.", "unsupported_parameter");
  }
  if (request.audioOutput) refuse("audio", "This model gives no audio.", "unsupported_parameter");
  if (request.cache?.contentHandle !== undefined) {
    refuse(
      "cachedContent",
      "Content that another provider caches cannot be read by this model.",
      "unsupported_parameter",
    );
  }
}
