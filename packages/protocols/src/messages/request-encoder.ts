import type { CanonicalRequest, JsonObject, JsonValue } from "../canonical/index.ts";
import type { AnswerPlan, EncodedRequest, EncodeRequestContext } from "../codec.ts";
import { reasoningField } from "../shared/effort.ts";
import { isObject } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { refuseStoredState } from "../shared/state.ts";
import { mapToolNames } from "../shared/tool-names.ts";
import { limitCacheMarks } from "./cache-marks.ts";
import { capabilitiesOf, type MessagesCapabilities } from "./capabilities.ts";
import {
  checkUnsupported,
  encodeFormat,
  encodeMaxTokens,
  encodeSampling,
  encodeServiceTier,
  encodeStopSequences,
  encodeUserId,
} from "./output-control.ts";
import { type EncodedReasoning, encodeReasoning, thinkingOff } from "./reasoning.ts";
import { type EncodedTools, encodeTools, ownToolNames, toolNameRule } from "./tools.ts";
import { encodeTurns } from "./turns-encoder.ts";
import { attributionKey } from "./wire.ts";

const structuredOutputTool = "structured_output";

/** A request for an upstream of this protocol. Pure (L6). */
export function encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const report = new Report();
  checkUnsupported(request, report);
  refuseStoredState(request, report);
  const capabilities = capabilitiesOf(context);
  const names = mapToolNames(request, toolNameRule, ownToolNames(request.tools));
  const maxTokens = encodeMaxTokens(request, capabilities, report);
  const { system, messages } = encodeTurns(request, capabilities, names.wire, report);
  const tools = encodeTools(request, capabilities, names.wire, report);
  const reasoning = settleThinking(
    request,
    encodeReasoning(request.reasoning, capabilities, maxTokens, report),
    tools,
    messages,
    capabilities,
    report,
  );
  const isThinking = isOn(reasoning);
  const format = encodeFormat(request.format, capabilities, tools.tools.length === 0 && !isThinking, report);
  if (format.instruction) system.push({ type: "text", text: format.instruction });
  if (format.toolSchema) {
    tools.tools.push({
      name: structuredOutputTool,
      description: "Gives the answer in the form that was asked for.",
      input_schema: format.toolSchema,
    });
    tools.choice = { type: "tool", name: structuredOutputTool, disable_parallel_tool_use: true };
  }
  const stops = encodeStopSequences(request.stopSequences, report);
  const { [attributionKey]: _attribution, ...extras } = request.extras?.messages ?? {};

  const body: JsonObject = { model: context.model, max_tokens: maxTokens };
  if (system.length > 0) body.system = system;
  body.messages = messages;
  if (tools.tools.length > 0) body.tools = tools.tools;
  if (tools.choice) body.tool_choice = tools.choice;
  Object.assign(body, encodeSampling(request.sampling, capabilities, isThinking, report));
  if (stops.sent.length > 0) body.stop_sequences = stops.sent;
  if (reasoning.thinking) body.thinking = { ...reasoning.thinking, ...objectOf(extras.thinking) };
  const config: JsonObject = { ...objectOf(extras.output_config) };
  if (reasoning.effort) config.effort = reasoning.effort;
  if (format.format) config.format = format.format;
  if (Object.keys(config).length > 0) body.output_config = config;
  const userId = request.caller?.userId;
  const metadata: JsonObject = { ...objectOf(extras.metadata) };
  if (userId !== undefined && userId !== "") metadata.user_id = encodeUserId(userId, report);
  if (Object.keys(metadata).length > 0) body.metadata = metadata;
  Object.assign(body, encodeServiceTier(request.serviceTier, report));
  if (context.stream) body.stream = true;
  for (const [key, value] of Object.entries(extras)) if (body[key] === undefined && !isMerged(key)) body[key] = value;
  limitCacheMarks(body, report);

  const plan: AnswerPlan = {
    toolNames: names.toClient,
    customTools: tools.customTools,
    stopSequences: stops.watched,
    ...(format.toolSchema ? { structuredOutputTool } : {}),
    ...(format.unfence ? { unfenceJson: true } : {}),
  };
  return { body, notices: report.notices, plan };
}

function isMerged(key: string): boolean {
  return key === "thinking" || key === "output_config" || key === "metadata";
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isOn(reasoning: EncodedReasoning): boolean {
  const type = reasoning.thinking?.type;
  return type === "enabled" || type === "adaptive";
}

/**
 * Thinking beside a forced tool call, and beside a tool loop that another provider began (T11, messages.md 14): the
 * force is kept and thinking goes off, except in the middle of a loop whose thinking is signed.
 */
function settleThinking(
  request: CanonicalRequest,
  reasoning: EncodedReasoning,
  tools: EncodedTools,
  messages: readonly JsonObject[],
  capabilities: MessagesCapabilities,
  report: Report,
): EncodedReasoning {
  if (!isOn(reasoning)) return reasoning;
  const field = reasoningField(request.reasoning ?? {});
  const off = (): EncodedReasoning => ({
    ...thinkingOff(capabilities, field, report),
    ...(reasoning.effort ? { effort: reasoning.effort } : {}),
  });
  const loop = openToolLoop(messages);
  const choice = tools.choice;
  if (choice?.type === "any" || choice?.type === "tool") {
    if (loop === "signed" || capabilities.thinkingOff === "low-effort") {
      report.approximated("tool_choice", "A thinking model cannot be made to call a tool; it decides by itself.");
      const { disable_parallel_tool_use: serial } = choice;
      tools.choice = serial ? { type: "auto", disable_parallel_tool_use: true } : undefined;
      return reasoning;
    }
    report.dropped(field, "Thinking was turned off for this call, because a tool call is demanded.");
    return off();
  }
  if (loop === "unsigned" && reasoning.thinking?.type === "enabled") {
    report.dropped(
      field,
      "Thinking was turned off for this call: the tool calls it answers came without this provider's thinking.",
    );
    return off();
  }
  return reasoning;
}

/** Whether the conversation ends in results of calls, and if so whether the calling turn begins with signed thinking. */
export function openToolLoop(messages: readonly JsonObject[]): "none" | "signed" | "unsigned" {
  const last = messages.findLast((message) => message.role !== "system");
  if (last?.role !== "user" || !firstIs(last, ["tool_result"])) return "none";
  const calling = messages.findLast((message) => message.role === "assistant");
  return calling && firstIs(calling, ["thinking", "redacted_thinking"]) ? "signed" : "unsigned";
}

function firstIs(message: JsonObject, types: readonly string[]): boolean {
  const content = message.content;
  const first = Array.isArray(content) ? content[0] : undefined;
  return isObject(first) && typeof first.type === "string" && types.includes(first.type);
}
