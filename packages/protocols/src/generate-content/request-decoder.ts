import { type CanonicalRequest, type JsonObject, type JsonValue, refuse } from "../canonical/index.ts";
import type { DecodeRequestContext, RequestEnvelope } from "../codec.ts";
import { isObject, missing, readBoolean, readString, unknownFields } from "../shared/read.ts";
import { camelFields, readConstant, readObjects } from "./fields.ts";
import { decodeGenerationConfig } from "./output-control.ts";
import { decodeToolConfig, decodeTools } from "./tools.ts";
import { decodeTurns } from "./turns-decoder.ts";
import { openFilterKey } from "./wire.ts";

const knownFields: ReadonlySet<string> = new Set([
  "model",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "cachedContent",
  "serviceTier",
  "store",
]);

/** A client's generateContent body. The model stands in the path, the stream switch in the method's name. */
export function decodeRequest(
  raw: JsonObject,
  envelope: RequestEnvelope,
  context: DecodeRequestContext,
): CanonicalRequest {
  const body = camelFields(raw);
  const extras: JsonObject = unknownFields(body, knownFields) ?? {};
  checkKept(body);
  if (filtersNothing(body.safetySettings)) {
    extras[openFilterKey] = extras.safetySettings;
    delete extras.safetySettings;
  }
  const request: CanonicalRequest = {
    model: modelOf(body, envelope),
    stream: envelope.stream ?? false,
    turns: decodeTurns(body, context.vault),
    tools: decodeTools(body),
    sampling: {},
    stopSequences: [],
  };
  decodeGenerationConfig(body, request, extras);
  decodeChoice(body, request, extras);
  const contentHandle = readString(body, "cachedContent");
  if (contentHandle) request.cache = { contentHandle };
  const tier = readConstant(body, "serviceTier")?.toLowerCase();
  // The standard tier is the default.
  if (tier !== undefined && tier !== "standard") request.serviceTier = tier;
  if (readBoolean(body, "store")) extras.store = true;
  if (Object.keys(extras).length > 0) request.extras = { "generate-content": extras };
  return request;
}

function modelOf(body: JsonObject, envelope: RequestEnvelope): string {
  const model = (envelope.model ?? readString(body, "model") ?? missing("model")).replace(/^models\//, "");
  if (model === "") missing("model");
  return model;
}

function decodeChoice(body: JsonObject, request: CanonicalRequest, extras: JsonObject): void {
  const { choice, strict, extras: rest } = decodeToolConfig(body);
  Object.assign(extras, rest);
  if (choice) request.toolChoice = choice;
  if (!strict) return;
  for (const tool of request.tools) if (tool.type === "function") tool.strict = true;
}

/** Whether all of the safety filter's settings turn it off. */
function filtersNothing(settings: JsonValue | undefined): boolean {
  if (!Array.isArray(settings) || settings.length === 0) return false;
  return settings.every((setting) => isObject(setting) && /^(BLOCK_NONE|OFF)$/i.test(String(setting.threshold)));
}

/** Types of what is kept as it is, so that a wrong one is told here and not by the upstream. */
function checkKept(body: JsonObject): void {
  for (const [index, setting] of (readObjects(body, "safetySettings") ?? []).entries()) {
    const at = `safetySettings[${index}]`;
    readString(setting, "category", at);
    readString(setting, "threshold", at);
  }
  const labels = body.labels;
  if (labels === undefined || labels === null) return;
  if (!isObject(labels)) refuse("labels", "'labels' must be an object.", "invalid_type");
  for (const key of Object.keys(labels)) readString(labels, key, "labels");
}
