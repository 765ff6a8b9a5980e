import {
  type CanonicalRequest,
  type JsonObject,
  type OutputFormat,
  refuse,
  type Sampling,
} from "../canonical/index.ts";
import { fromOpenApiSchema, isStrictSchema } from "../shared/json-schema.ts";
import {
  missing,
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
import { type ChatCapabilities, type OptionalField, takes } from "./capabilities.ts";

/** A caller may name this many stop sequences. */
const maximumStops = 4;

export function decodeSampling(body: JsonObject): Sampling {
  const sampling: Sampling = {};
  const temperature = readNumber(body, "temperature", { min: 0, max: 2 });
  if (temperature !== undefined) sampling.temperature = temperature;
  const topP = readNumber(body, "top_p", { min: 0, max: 1 });
  if (topP !== undefined && topP !== 1) sampling.topP = topP;
  const seed = readNumber(body, "seed", { integer: true });
  if (seed !== undefined) sampling.seed = seed;
  const frequencyPenalty = readNumber(body, "frequency_penalty", { min: -2, max: 2 });
  if (frequencyPenalty) sampling.frequencyPenalty = frequencyPenalty;
  const presencePenalty = readNumber(body, "presence_penalty", { min: -2, max: 2 });
  if (presencePenalty) sampling.presencePenalty = presencePenalty;
  const logitBias = decodeLogitBias(body);
  if (logitBias) sampling.logitBias = logitBias;
  const wanted = readBoolean(body, "logprobs") ?? false;
  const top = readNumber(body, "top_logprobs", { min: 0, max: 20, integer: true });
  if (top !== undefined && top > 0 && !wanted) refuse("top_logprobs", "'top_logprobs' needs 'logprobs' to be true.");
  if (wanted) sampling.logprobs = { top: top ?? 0 };
  return sampling;
}

function decodeLogitBias(body: JsonObject): Record<string, number> | undefined {
  const given = readObject(body, "logit_bias");
  if (!given || Object.keys(given).length === 0) return undefined;
  const entries = Object.keys(given).map((token) => {
    const bias = readNumber(given, token, { min: -100, max: 100 }, "logit_bias") ?? missing(path("logit_bias", token));
    return [token, bias] as const;
  });
  return Object.fromEntries(entries);
}

export function decodeStop(body: JsonObject): string[] {
  const { stop } = body;
  if (stop === undefined || stop === null) return [];
  const list = typeof stop === "string" ? [stop] : readArray(body, "stop");
  if (!list) return [];
  if (list.length > maximumStops) refuse("stop", `'stop' takes at most ${maximumStops} sequences, got ${list.length}.`);
  return list.map((entry, index) => {
    const at = typeof stop === "string" ? "stop" : path("stop", index);
    if (typeof entry !== "string") refuse(at, `'${at}' must be a string.`, "invalid_type");
    if (entry === "") refuse(at, `'${at}' must not be empty.`);
    return entry;
  });
}

/** The newer name wins where both are given. */
export function decodeLimit(body: JsonObject): number | undefined {
  const range = { min: 1, integer: true };
  const old = readNumber(body, "max_tokens", range);
  return readNumber(body, "max_completion_tokens", range) ?? old;
}

export function decodeFormat(body: JsonObject): { format?: OutputFormat; extra?: JsonObject } {
  const at = "response_format";
  const given = readObject(body, at);
  if (!given) return {};
  const type = requireString(given, "type", at);
  if (type === "text") return {};
  if (type === "json_object") return { format: { type: "json" } };
  // Compatible servers have forms of their own, such as grammars.
  if (type !== "json_schema") return { extra: given };
  const field = path(at, "json_schema");
  const holder = readObject(given, "json_schema", at) ?? missing(field);
  const format: OutputFormat = { type: "schema", schema: readObject(holder, "schema", field) ?? {} };
  const name = readString(holder, "name", field);
  if (name !== undefined) format.name = name;
  const description = readString(holder, "description", field);
  if (description !== undefined) format.description = description;
  const strict = readBoolean(holder, "strict", field);
  if (strict !== undefined) format.strict = strict;
  return { format };
}

export function encodeSampling(sampling: Sampling, capabilities: ChatCapabilities, report: Report): JsonObject {
  const fields: JsonObject = {};
  const put = (field: OptionalField, value: JsonObject[string], isDefault = false): void => {
    if (value === undefined) return;
    if (takes(capabilities, field)) fields[field] = value;
    else if (!isDefault) report.dropped(field, `The upstream does not take '${field}' for this model.`);
  };
  put("temperature", sampling.temperature, sampling.temperature === 1);
  put("top_p", sampling.topP, sampling.topP === 1);
  put("frequency_penalty", sampling.frequencyPenalty);
  put("presence_penalty", sampling.presencePenalty);
  put("logit_bias", sampling.logitBias && { ...sampling.logitBias });
  if (sampling.seed !== undefined) {
    if (takes(capabilities, "seed")) fields[capabilities.seedField] = sampling.seed;
    else report.dropped("seed", "The upstream takes no seed.");
  }
  if (sampling.topK !== undefined) {
    if (capabilities.topK) fields.top_k = sampling.topK;
    else report.dropped("top_k", "The upstream has no top_k.");
  }
  if (sampling.logprobs) {
    // The caller computes with them (P14).
    if (!takes(capabilities, "logprobs")) {
      refuse("logprobs", "The upstream cannot return log probabilities.", "unsupported_parameter");
    }
    fields.logprobs = true;
    if (sampling.logprobs.top > 0) fields.top_logprobs = Math.min(20, sampling.logprobs.top);
    if (sampling.logprobs.top > 20) report.approximated("top_logprobs", "At most 20 alternatives a token are told.");
  }
  return fields;
}

export function encodeLimit(limit: number | undefined, capabilities: ChatCapabilities): JsonObject {
  return limit === undefined ? {} : { [capabilities.limitField]: limit };
}

/** The sequences that the upstream takes, and those that the gateway has to watch for (P10, P11). */
export function encodeStop(
  { stopSequences: stops, extras }: Pick<CanonicalRequest, "stopSequences" | "extras">,
  capabilities: ChatCapabilities,
  report: Report,
): { fields: JsonObject; watched: string[] } {
  if (stops.length === 0) return { fields: {}, watched: [] };
  const sent = stops.slice(0, capabilities.stopSequences);
  const emulated = stops.slice(sent.length);
  if (emulated.length > 0) {
    report.emulated(
      "stop",
      `The upstream takes ${sent.length} of ${stops.length} stop sequences; the gateway watches for the others.`,
    );
  }
  // vLLM's own switch to have it there.
  const isWanted = extras?.["chat-completions"]?.include_stop_str_in_output === true;
  const watched = capabilities.stopsInText && !isWanted ? [...stops] : emulated;
  return { fields: sent.length > 0 ? { stop: [...sent] } : {}, watched };
}

/** How the form of the answer is reached. */
interface EncodedFormat {
  fields: JsonObject;
  /** What the model is told in words. */
  instruction?: string;
  /** The answer may come in a Markdown fence. */
  unfence?: boolean;
}

const jsonOnly = "Answer with one JSON object and nothing else.";

/** The answer's form by what the upstream takes: a schema is told in words where it cannot be sent (J1, J2). */
export function encodeFormat(
  format: OutputFormat | undefined,
  capabilities: ChatCapabilities,
  report: Report,
): EncodedFormat {
  if (!format || format.type === "text") return { fields: {} };
  const jsonMode = { response_format: { type: "json_object" } };
  if (capabilities.format === "schema") {
    return { fields: format.type === "json" ? jsonMode : encodeSchema(format, report) };
  }
  const hasMode = capabilities.format === "json";
  if (format.type === "json" && hasMode) return { fields: jsonMode };
  const lacks = hasMode ? "The upstream takes no schema" : "The upstream has no JSON mode";
  report.emulated("response_format", `${lacks}; the model was told in words.`);
  const told =
    format.type === "json" ? jsonOnly : `${jsonOnly} It must match this JSON Schema: ${JSON.stringify(format.schema)}`;
  return { fields: hasMode ? jsonMode : {}, instruction: told, unfence: true };
}

function encodeSchema(format: Extract<OutputFormat, { type: "schema" }>, report: Report): JsonObject {
  const schema = fromOpenApiSchema(format.schema);
  const body: JsonObject = { name: formatName(format.name) };
  if (format.description !== undefined) body.description = format.description;
  body.schema = schema;
  if (format.strict !== undefined) {
    const strict = format.strict && isStrictSchema(schema);
    if (format.strict && !strict) {
      report.approximated(
        "response_format.json_schema.strict",
        "The schema does not meet the strict rules, so it is sent without strict.",
      );
    }
    body.strict = strict;
  }
  return { response_format: { type: "json_schema", json_schema: body } };
}

/** The name is required here and bound to a charset. */
function formatName(name: string | undefined): string {
  if (name === undefined) return "response";
  const legal = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  return legal === "" ? "response" : legal;
}

export function encodeVerbosity(
  verbosity: CanonicalRequest["verbosity"],
  capabilities: ChatCapabilities,
  report: Report,
): JsonObject {
  if (verbosity === undefined) return {};
  if (takes(capabilities, "verbosity")) return { verbosity };
  if (verbosity !== "medium") report.dropped("verbosity", "The model does not take a verbosity.");
  return {};
}

export function decodeVerbosity(body: JsonObject): CanonicalRequest["verbosity"] {
  return readEnum(body, "verbosity", ["low", "medium", "high"]);
}
