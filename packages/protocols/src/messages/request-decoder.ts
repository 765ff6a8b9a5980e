import { type CanonicalRequest, type JsonObject, refuse } from "../canonical/index.ts";
import type { DecodeRequestContext, RequestEnvelope } from "../codec.ts";
import {
  missing,
  readBoolean,
  readEnum,
  readNumber,
  readObject,
  requireString,
  unknownFields,
} from "../shared/read.ts";
import { decodeCacheMark, markLastPart } from "./cache-marks.ts";
import { decodeFormat, decodeSampling, decodeStopSequences, decodeUserId } from "./output-control.ts";
import { decodeReasoning } from "./reasoning.ts";
import { decodeToolChoice, decodeTools } from "./tools.ts";
import { decodeSystem, decodeTurns } from "./turns-decoder.ts";
import { attributionKey } from "./wire.ts";

const requestKeys = new Set([
  "model",
  "max_tokens",
  "messages",
  "system",
  "stream",
  "stop_sequences",
  "temperature",
  "top_p",
  "top_k",
  "metadata",
  "service_tier",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "output_format",
  "cache_control",
  "betas",
]);
const configKeys = new Set(["effort", "format"]);
const metadataKeys = new Set(["user_id"]);

/** A client's request. Refuses with the field's path what is missing, malformed or out of range (messages.md 3 to 7). */
export function decodeRequest(
  body: JsonObject,
  _envelope: RequestEnvelope,
  context: DecodeRequestContext,
): CanonicalRequest {
  const maxTokens = readNumber(body, "max_tokens", { min: 0, integer: true }) ?? missing("max_tokens");
  return { ...decodePrompt(body, context), maxOutputTokens: maxTokens };
}

/** All of a request but the output limit, which a request to count tokens does not have. */
export function decodePrompt(body: JsonObject, { vault }: DecodeRequestContext): CanonicalRequest {
  const model = requireString(body, "model");
  if (model === "") refuse("model", "'model' must not be empty.");
  const system = decodeSystem(body, vault);
  const tools = decodeTools(body);
  const toolChoice = decodeToolChoice(body, tools);
  const reasoning = decodeReasoning(body);
  const request: CanonicalRequest = {
    model,
    stream: readBoolean(body, "stream") ?? false,
    turns: [...system.turns, ...decodeTurns(body, vault)],
    tools,
    sampling: decodeSampling(body),
    stopSequences: decodeStopSequences(body),
  };
  const mark = decodeCacheMark(body, "");
  if (mark) markLastPart(request.turns, mark);
  if (toolChoice.choice) request.toolChoice = toolChoice.choice;
  if (toolChoice.parallel !== undefined) request.parallelToolCalls = toolChoice.parallel;
  const format = decodeFormat(body);
  if (format) request.format = format;
  if (reasoning.reasoning) request.reasoning = reasoning.reasoning;
  const userId = decodeUserId(body);
  if (userId !== undefined) request.caller = { userId };
  const tier = readEnum(body, "service_tier", ["auto", "standard_only"]);
  if (tier === "standard_only") request.serviceTier = tier;

  const rest: JsonObject = { ...unknownFields(body, requestKeys) };
  if (system.attribution) rest[attributionKey] = system.attribution;
  if (reasoning.thinkingRest) rest.thinking = reasoning.thinkingRest;
  const config = readObject(body, "output_config");
  const configRest = { ...(config && unknownFields(config, configKeys)), ...reasoning.configRest };
  if (Object.keys(configRest).length > 0) rest.output_config = configRest;
  const metadata = readObject(body, "metadata");
  const metadataRest = metadata && unknownFields(metadata, metadataKeys);
  if (metadataRest) rest.metadata = metadataRest;
  if (Object.keys(rest).length > 0) request.extras = { messages: rest };
  return request;
}
