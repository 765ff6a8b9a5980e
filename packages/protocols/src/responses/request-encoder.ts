import { type CanonicalRequest, type JsonObject, refuse, type Turn } from "../canonical/index.ts";
import type { EncodedRequest, EncodeRequestContext } from "../codec.ts";
import { cacheKeyOf } from "../shared/cache-key.ts";
import { repairHistory } from "../shared/history.ts";
import { Report } from "../shared/report.ts";
import { mapToolNames } from "../shared/tool-names.ts";
import { shortUserId } from "../shared/user-id.ts";
import { capabilitiesOf, type ResponsesCapabilities } from "./capabilities.ts";
import { writeRequestExtras } from "./extras.ts";
import { encodeKnobs, encodeText, encryptedInclude, logprobsInclude } from "./output-control.ts";
import { encodeReasoningControl } from "./reasoning.ts";
import { encodeToolChoice } from "./tool-choice.ts";
import { encodeTools, toolNameRule } from "./tools.ts";
import { encodeInput } from "./turns-encoder.ts";

const mostTools = 512;
const tiers = new Set(["default", "flex", "scale", "priority", "fast", "ultrafast"]);

/**
 * Canonical -> upstream body (conversion.md 2.1). Always asks for encrypted reasoning, so that the client can bring it
 * back, and never lets the provider store what the caller did not ask it to store.
 */
export function encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const report = new Report();
  const capabilities = capabilitiesOf(context);
  const names = mapToolNames(request, toolNameRule);
  const body: JsonObject = { model: context.model };
  const turns = repaired(request, report);
  const [first] = turns;
  const instructions = first ? instructionsOf(first) : undefined;
  if (instructions !== undefined) body.instructions = instructions;
  const input = instructions === undefined ? turns : turns.slice(1);
  body.input = encodeInput(input, {
    wireName: names.wire,
    capabilities,
    report,
    droppedTools: new Set(),
    thoughts: new Set(),
  });
  addJsonWord(body, request, report);
  encodeToolFields(body, request, names.wire, report);
  encodeKnobs(body, request, capabilities, report);
  const text = encodeText(request, capabilities, report);
  if (text) body.text = text;
  const reasoning = encodeReasoningControl(request.reasoning, capabilities, report);
  if (reasoning) body.reasoning = reasoning;
  encodeInclude(body, request, capabilities);
  encodeState(body, request);
  encodeCaller(body, request, report);
  if (context.stream) body.stream = true;
  writeRequestExtras(body, request.extras);
  return {
    body,
    notices: report.notices,
    plan: { toolNames: names.toClient, customTools: new Set(), stopSequences: request.stopSequences },
  };
}

/** With stored state only the provider knows the whole history, so there is nothing to judge or repair. */
function repaired(request: CanonicalRequest, report: Report): readonly Turn[] {
  const { state } = request;
  const stored = state?.previousResponseId !== undefined || state?.conversation !== undefined;
  if (stored || request.extras?.responses?.prompt !== undefined) return request.turns;
  const last = request.turns.at(-1)?.parts.at(-1);
  const { system, turns } = repairHistory(
    request.turns,
    {
      midSystem: "keep",
      consecutiveSameRole: true,
      userFirst: false,
      prefill: last?.type === "text" || last?.type === "refusal" ? "refuse" : "keep",
      emptyTextAllowed: true,
      assistantMedia: false,
      toolResultMedia: "keep",
      participantNames: false,
      restated: "keep",
      phases: true,
    },
    report,
  );
  return [...system, ...turns];
}

/** The text that came as `instructions`. System turns of other protocols stay items: that keeps order and cached prefix. */
function instructionsOf(turn: Turn): string | undefined {
  const [part] = turn.parts;
  if (turn.at !== "instructions" || turn.parts.length !== 1 || part?.type !== "text") return undefined;
  return part.text;
}

/** The service refuses `json_object` unless the input holds the word JSON. */
function addJsonWord(body: JsonObject, request: CanonicalRequest, report: Report): void {
  if (request.format?.type !== "json" || !Array.isArray(body.input)) return;
  const said = request.turns.some(
    (turn) => turn.at !== "instructions" && turn.parts.some((part) => part.type === "text" && /json/i.test(part.text)),
  );
  if (said) return;
  body.input = [{ type: "message", role: "developer", content: "Answer with JSON." }, ...body.input];
  report.emulated("response_format", "This model wants the word JSON in its input, so one sentence was added.");
}

function encodeToolFields(
  body: JsonObject,
  request: CanonicalRequest,
  wireName: (name: string) => string,
  report: Report,
): void {
  const tools = encodeTools(request, wireName, report);
  if (tools.length > mostTools) refuse("tools", `This model takes at most ${mostTools} tools, got ${tools.length}.`);
  const choice = encodeToolChoice(request, wireName, report);
  if (tools.length > 0) body.tools = tools;
  if (tools.length > 0 || request.tools.length > 0) {
    if (choice !== undefined) body.tool_choice = choice;
    if (request.parallelToolCalls === false) body.parallel_tool_calls = false;
  }
}

function encodeInclude(body: JsonObject, request: CanonicalRequest, capabilities: ResponsesCapabilities): void {
  const include: string[] = [];
  if (capabilities.reasoning || request.includeEncryptedReasoning) include.push(encryptedInclude);
  if (request.sampling.logprobs) include.push(logprobsInclude);
  const more = request.extras?.responses?.include;
  if (Array.isArray(more)) for (const value of more) if (typeof value === "string") include.push(value);
  if (include.length > 0) body.include = include;
}

function encodeState(body: JsonObject, request: CanonicalRequest): void {
  const { state, cache } = request;
  body.store = state?.store ?? false;
  if (state?.previousResponseId !== undefined) body.previous_response_id = state.previousResponseId;
  if (state?.conversation !== undefined) body.conversation = state.conversation;
  if (state?.background) body.background = true;
  if (state?.truncation === "auto") body.truncation = "auto";
  const key = cacheKeyOf(request);
  if (key !== undefined) body.prompt_cache_key = key;
  if (cache?.retention !== undefined) body.prompt_cache_retention = cache.retention;
  if (cache?.options) body.prompt_cache_options = cache.options;
}

function encodeCaller(body: JsonObject, request: CanonicalRequest, report: Report): void {
  const userId = request.caller?.userId;
  if (userId !== undefined && userId !== "") body.safety_identifier = shortUserId(userId, report);
  if (request.caller?.metadata) body.metadata = request.caller.metadata;
  const tier = request.serviceTier;
  if (tier === undefined || tier === "auto") return;
  if (tier === "standard_only") body.service_tier = "default";
  else if (tiers.has(tier)) body.service_tier = tier;
  else report.dropped("service_tier", `This provider has no service tier '${tier}'.`);
}
