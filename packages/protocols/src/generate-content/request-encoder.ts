import type { CanonicalRequest, JsonObject } from "../canonical/index.ts";
import type { AnswerPlan, EncodedRequest, EncodeRequestContext } from "../codec.ts";
import { type HistoryRules, repairHistory } from "../shared/history.ts";
import { Report } from "../shared/report.ts";
import { refuseStoredState } from "../shared/state.ts";
import { mapToolNames } from "../shared/tool-names.ts";
import { capabilitiesOf, type GenerateContentCapabilities } from "./capabilities.ts";
import { encodeGenerationConfig } from "./output-control.ts";
import { encodeThinking } from "./reasoning.ts";
import { encodeTools } from "./tools.ts";
import { encodeContents, encodeSystem, restoreExtras, type TurnsContext } from "./turns-encoder.ts";
import { openFilterKey } from "./wire.ts";

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/;

/** A canonical request as the upstream's body. The model and the method stand in the path. */
export function encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  return encodeRequestWith(request, context, "refuse");
}

/** `prefill`: what becomes of a conversation that ends with the model's turn (H14). */
export function encodeRequestWith(
  request: CanonicalRequest,
  context: EncodeRequestContext,
  prefill: HistoryRules["prefill"],
): EncodedRequest {
  const report = new Report();
  const capabilities = capabilitiesOf(context);
  refuseStoredState(request, report);
  reportUnsaid(request, report);
  const names = mapToolNames(request, { pattern: namePattern, maxLength: capabilities.nameLength });
  const turns: TurnsContext = { capabilities, names, report };
  const tools = encodeTools(request, capabilities, names, report);
  const hasFunctions = tools.tools?.some((entry) => entry.functionDeclarations !== undefined) ?? false;
  const control = encodeGenerationConfig(request, capabilities, hasFunctions, report);
  const thinking = encodeThinking(request, capabilities, report);
  if (thinking) control.config.thinkingConfig = thinking;

  const history = repairHistory(request.turns, historyRules(capabilities, prefill), report);
  const body: JsonObject = {};
  const system = encodeSystem(history.system, control.formatInstruction, turns);
  if (system) body.systemInstruction = system;
  body.contents = encodeContents(history.turns, turns);
  if (tools.tools) body.tools = tools.tools;
  if (tools.functionCallingConfig) body.toolConfig = { functionCallingConfig: tools.functionCallingConfig };
  if (Object.keys(control.config).length > 0) body.generationConfig = control.config;
  if (request.cache?.contentHandle !== undefined) body.cachedContent = request.cache.contentHandle;
  const tier = tierOf(request.serviceTier, report);
  if (tier !== undefined) body.serviceTier = tier;
  const { [openFilterKey]: openFilter, ...extras } = request.extras?.["generate-content"] ?? {};
  if (openFilter !== undefined) body.safetySettings = openFilter;
  restoreExtras(body, extras);

  const plan: AnswerPlan = {
    toolNames: names.toClient,
    customTools: tools.customTools,
    stopSequences: control.stopSequences,
    ...(control.formatInstruction === undefined ? {} : { unfenceJson: true }),
  };
  return { body, notices: report.notices, plan };
}

/** What this protocol demands of a conversation. */
function historyRules(capabilities: GenerateContentCapabilities, prefill: HistoryRules["prefill"]): HistoryRules {
  return {
    midSystem: "user-text",
    consecutiveSameRole: false,
    userFirst: true,
    prefill,
    // The encoder drops empty texts itself; an empty user turn is lawful here.
    emptyTextAllowed: true,
    assistantMedia: true,
    toolResultMedia: capabilities.resultMedia ? "keep" : "following-user-turn",
    participantNames: false,
    phases: false,
  };
}

/** Wishes that this protocol has no words for (conversion.md 2.6, pair 3). */
function reportUnsaid(request: CanonicalRequest, report: Report): void {
  if (request.parallelToolCalls === false) {
    report.dropped("parallel_tool_calls", "This model cannot be kept to one call at a time.");
  }
  if (request.maxToolCalls !== undefined) report.dropped("max_tool_calls", "The target protocol has no such limit.");
  if (request.cache?.key !== undefined) {
    report.dropped("prompt_cache_key", "The target caches prompts by itself and takes no key.");
  }
  if (request.cache?.retention !== undefined)
    report.dropped("prompt_cache_retention", "The target has no such setting.");
  if (request.cache?.options !== undefined) report.dropped("prompt_cache_options", "The target has no such setting.");
  if (request.caller?.userId !== undefined)
    report.dropped("user", "The target protocol has no field for the end user.");
  if (request.caller?.metadata !== undefined) report.dropped("metadata", "The target protocol has no metadata.");
}

/** P15. The default tier needs no word. */
function tierOf(tier: string | undefined, report: Report): string | undefined {
  switch (tier) {
    case undefined:
    case "auto":
    case "default":
    case "standard":
    case "standard_only":
      return undefined;
    case "flex":
    case "priority":
      return tier;
    default:
      report.dropped("service_tier", `The target has no service tier '${tier}'.`);
      return undefined;
  }
}
