import { type CanonicalRequest, type JsonObject, refuse, type Turn } from "../canonical/index.ts";
import type { EncodedRequest, EncodeRequestContext } from "../codec.ts";
import { cacheKeyOf } from "../shared/cache-key.ts";
import { repairHistory } from "../shared/history.ts";
import { isObject } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { refuseStoredState } from "../shared/state.ts";
import { mapToolNames } from "../shared/tool-names.ts";
import { shortUserId } from "../shared/user-id.ts";
import { readingOf } from "./answer-reading.ts";
import { legalCallId, shortCallId } from "./call-ids.ts";
import { type ChatCapabilities, capabilitiesOf, type OptionalField, takes } from "./capabilities.ts";
import { encodeFormat, encodeLimit, encodeSampling, encodeStop, encodeVerbosity } from "./output-control.ts";
import { encodeReasoningControl, reasoningOffForTools, refusesTools } from "./reasoning.ts";
import { encodeTools } from "./tools.ts";
import { encodeTurns, mentionsJson } from "./turns-encoder.ts";

const toolNameRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 };

/** Canonical -> upstream. Pure: the same request always gives the same body. */
export function encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const { model, stream } = context;
  const capabilities = capabilitiesOf(context);
  const report = new Report();
  refuseStoredState({ ...request, state: { ...request.state, store: false } }, report);
  const names = mapToolNames(request, toolNameRule);
  const history = repairHistory(
    request.turns,
    {
      midSystem: "keep",
      consecutiveSameRole: true,
      userFirst: false,
      prefill: "refuse",
      emptyTextAllowed: true,
      assistantMedia: false,
      toolResultMedia: "following-user-turn",
      participantNames: true,
      phases: false,
    },
    report,
  );
  const turns = [...history.system, ...history.turns];
  const tools = encodeTools(request, capabilities, names.wire, report);
  const stop = encodeStop(request, capabilities, report);
  const format = encodeFormat(request.format, capabilities, report);
  const extras = knownExtras(request, capabilities, report);
  const body: JsonObject = {
    model,
    messages: encodeTurns(withFormatWords(turns, format.instruction, request, capabilities, report), {
      capabilities,
      report,
      wire: names.wire,
      callId: capabilities.callIds === "nine" ? shortCallId : legalCallId,
    }),
    ...tools.fields,
    ...(tools.fields.tools === undefined ? {} : encodeParallel(request, capabilities, report)),
    ...encodeLimit(request.maxOutputTokens, capabilities),
    ...encodeSampling(request.sampling, capabilities, report),
    ...stop.fields,
    ...format.fields,
    ...encodeVerbosity(request.verbosity, capabilities, report),
    ...(refusesTools(request, capabilities)
      ? reasoningOffForTools(request, report)
      : encodeReasoningControl(request.reasoning, capabilities, report)),
    ...encodeCandidates(request.candidates, capabilities),
    ...encodeModalities(request),
    ...encodeBookkeeping(request, capabilities, report),
    ...extras,
    ...encodeStream(stream, extras, capabilities),
  };
  if (request.maxToolCalls !== undefined) {
    report.dropped("max_tool_calls", "Chat completions cannot limit the number of tool calls.");
  }
  return {
    body,
    notices: report.notices,
    plan: {
      toolNames: names.toClient,
      customTools: tools.customTools,
      stopSequences: stop.watched,
      ...(format.unfence ? { unfenceJson: true } : {}),
    },
    reading: readingOf(request, body, capabilities, names.wire),
  };
}

/** Fields that have no meaning of their own here. Servers that refuse what they do not know get none. */
function knownExtras(request: CanonicalRequest, capabilities: ChatCapabilities, report: Report): JsonObject {
  const extras = request.extras?.["chat-completions"] ?? {};
  if (!capabilities.strictFields) return extras;
  const known: JsonObject = {};
  for (const [field, value] of Object.entries(extras)) {
    if (capabilities.ownFields.some((own) => own === field)) known[field] = value;
    else report.dropped(field, `The upstream does not know '${field}'.`);
  }
  return known;
}

/** One answer silently in place of several would be another answer (P13). */
function encodeCandidates(candidates: number | undefined, capabilities: ChatCapabilities): JsonObject {
  if (candidates === undefined) return {};
  if (takes(capabilities, "n")) return { n: candidates };
  if (candidates > 1) refuse("n", "The upstream gives one answer a call; 'n' must be 1.", "unsupported_parameter");
  return {};
}

/** Usage is always asked for: without it nobody knows what the stream cost. Who takes no such wish tells it anyway. */
function encodeStream(stream: boolean, extras: JsonObject, capabilities: ChatCapabilities): JsonObject {
  if (!stream) return {};
  if (!takes(capabilities, "stream_options")) return { stream: true };
  const options = isObject(extras.stream_options) ? extras.stream_options : {};
  return { stream: true, stream_options: { ...options, include_usage: true } };
}

function encodeParallel(request: CanonicalRequest, capabilities: ChatCapabilities, report: Report): JsonObject {
  if (request.parallelToolCalls !== false) return {};
  if (takes(capabilities, "parallel_tool_calls")) return { parallel_tool_calls: false };
  report.dropped("parallel_tool_calls", "The model refuses 'parallel_tool_calls'.");
  return {};
}

/**
 * What is told of the answer's form in words. The vendor refuses JSON mode where no message says JSON; that is judged by
 * the first turns, so that a longer history agrees.
 */
function withFormatWords(
  turns: Turn[],
  instruction: string | undefined,
  request: CanonicalRequest,
  capabilities: ChatCapabilities,
  report: Report,
): Turn[] {
  if (instruction !== undefined) return [{ role: "system", parts: [{ type: "text", text: instruction }] }, ...turns];
  if (request.format?.type !== "json" || !capabilities.jsonWord || mentionsJson(turns)) return turns;
  report.emulated(
    "response_format",
    "A system message asks for JSON, because the upstream wants the word in the messages.",
  );
  return [{ role: "system", parts: [{ type: "text", text: "Answer with one JSON object." }] }, ...turns];
}

function encodeModalities(request: CanonicalRequest): JsonObject {
  const { modalities, audioOutput } = request;
  const fields: JsonObject = {};
  if (modalities?.some((modality) => modality !== "text")) {
    if (modalities.includes("video"))
      refuse("modalities", "Chat completions cannot answer with video.", "unsupported_modality");
    if (modalities.includes("audio") && !audioOutput) {
      refuse("modalities", "Chat completions needs a voice and a format to answer with audio.", "unsupported_modality");
    }
    fields.modalities = [...modalities];
  }
  if (audioOutput) fields.audio = audioOutput;
  return fields;
}

const knownTiers: Record<string, string> = {
  default: "default",
  standard_only: "default",
  standard: "default",
  flex: "flex",
  scale: "scale",
  priority: "priority",
  fast: "fast",
  on_demand: "on_demand",
  performance: "performance",
};

/** Fields that do not change the answer. Compatible servers refuse or ignore most of them. */
function encodeBookkeeping(request: CanonicalRequest, capabilities: ChatCapabilities, report: Report): JsonObject {
  const fields: JsonObject = {};
  const { cache, caller, serviceTier, state } = request;
  const put = (field: OptionalField, value: JsonObject[string]): void => {
    if (value === undefined) return;
    if (takes(capabilities, field)) fields[field] = value;
    else report.dropped(field, `The upstream does not know '${field}'.`);
  };
  if (state?.store === true) put("store", true);
  const mayAddKey = takes(capabilities, "prompt_cache_key");
  put("prompt_cache_key", mayAddKey ? cacheKeyOf(request) : cache?.key);
  put("prompt_cache_retention", cache?.retention);
  put("prompt_cache_options", cache?.options);
  if (cache?.contentHandle !== undefined) {
    refuse("cachedContent", "'cachedContent' names content that only Gemini can read.", "unsupported_parameter");
  }
  if (caller?.userId !== undefined) put(capabilities.userField, shortUserId(caller.userId, report));
  if (caller?.metadata && state?.store === true) put("metadata", { ...caller.metadata });
  else if (caller?.metadata) report.dropped("metadata", "Chat completions takes metadata only together with 'store'.");
  if (serviceTier !== undefined && serviceTier !== "auto") {
    const tier = Object.hasOwn(knownTiers, serviceTier) ? knownTiers[serviceTier] : undefined;
    if (tier === undefined) report.dropped("service_tier", `Chat completions has no service tier '${serviceTier}'.`);
    else put("service_tier", tier);
  }
  return fields;
}
