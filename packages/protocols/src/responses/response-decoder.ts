import {
  badUpstream,
  type CanonicalResponse,
  type Citation,
  canonicalError,
  type JsonObject,
  type JsonValue,
  type Part,
  ProtocolError,
  settleFinish,
  type ToolCallPart,
} from "../canonical/index.ts";
import { isObject, readCount, unknownFields } from "../shared/read.ts";
import { decodeAnnotation } from "./citations.ts";
import { echoedFields } from "./envelope.ts";
import { decodeErrorObject } from "./error.ts";
import { withExtra } from "./extras.ts";
import { decodeFinish } from "./finish.ts";
import { decodeLogprobs } from "./logprobs.ts";
import { textPart } from "./parts-decoder.ts";
import { decodeReasoningOutput } from "./reasoning.ts";
import { flatName } from "./tools.ts";
import { decodeTypedCall } from "./typed-tools.ts";
import { decodeUsage } from "./usage.ts";
import { itemClassOf, serverToolName } from "./wire.ts";

/**
 * A whole answer of an upstream -> canonical. An answer that failed, or an error body where an answer was expected, is
 * thrown as the error it tells; what is no answer at all as `upstream_bad`.
 */
export function decodeResponse(body: JsonValue): CanonicalResponse {
  if (!isObject(body)) return badUpstream("The upstream's answer is not a JSON object.");
  const failure = failureOf(body);
  if (failure) throw failure;
  if (!Array.isArray(body.output)) return badUpstream("The upstream's answer has no 'output'.");
  const model = typeof body.model === "string" ? body.model : undefined;
  const parts = body.output.flatMap((item) => decodeOutputItem(item, model));
  const refused = parts.some((part) => part.type === "refusal");
  const hasCall = parts.some((part) => part.type === "tool-call");
  const finish = settleFinish(decodeFinish(body, refused), hasCall);
  const usage = decodeUsage(body.usage);
  const rest = unknownFields(body, echoedFields);
  return {
    ...decodeHead(body),
    candidates: [{ index: 0, parts, finish }],
    ...(usage ? { usage } : {}),
    ...(rest ? { extras: { responses: rest } } : {}),
  };
}

/** What an answer or a stream's first event tells about itself. */
export function decodeHead(body: JsonObject): Pick<CanonicalResponse, "id" | "model" | "createdAt" | "serviceTier"> {
  const createdAt = readCount(body.created_at);
  return {
    ...(typeof body.id === "string" ? { id: body.id } : {}),
    ...(typeof body.model === "string" && body.model !== "" ? { model: body.model } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(typeof body.service_tier === "string" ? { serviceTier: body.service_tier } : {}),
  };
}

/** The error that an answer tells, if it is one. */
export function failureOf(body: JsonObject): ProtocolError | undefined {
  if (body.status === "cancelled") {
    return new ProtocolError(canonicalError("cancelled", "The answer was cancelled at the upstream."));
  }
  const failed = body.status === "failed" || !Array.isArray(body.output);
  if (isObject(body.error) && failed) return new ProtocolError(decodeErrorObject(body.error, 0));
  if (body.status === "failed") return new ProtocolError(decodeErrorObject(undefined, 0));
  return undefined;
}

/** One output item -> parts. An item that says nothing gives none. */
export function decodeOutputItem(value: JsonValue, model: string | undefined): Part[] {
  if (!isObject(value) || typeof value.type !== "string") return badUpstream("An output item has no type.");
  const { type } = value;
  switch (itemClassOf(type)) {
    case "message":
      return decodeMessage(value);
    case "call":
      return [decodeCall(value, type)];
    case "reasoning": {
      const part = decodeReasoningOutput(value, model);
      return part ? [part] : [];
    }
    case "server-call":
      return [decodeTypedCall(value, undefined) ?? decodeImage(value) ?? serverTool(value, type, "call")];
    case "server-result":
    case "client-output":
      return [serverTool(value, type, "result")];
    case "result":
    case "tools":
    case "opaque":
    case undefined:
      return [{ type: "opaque", protocol: "responses", nativeType: type, payload: value }];
  }
}

/** The parts of a message. The first one bears the mark `$message`, so that the message can be told from its neighbour. */
function decodeMessage(item: JsonObject): Part[] {
  const content = Array.isArray(item.content) ? item.content : [];
  const phase = phaseOf(item);
  const parts = content.map((part) => decodeContentPart(part, phase)).filter((part) => part !== undefined);
  const [first, ...rest] = parts;
  if (!first) return [];
  const mark: JsonObject = {};
  if (typeof item.id === "string") mark.id = item.id;
  return [{ ...first, extras: withExtra(first.extras, "$message", mark) }, ...rest];
}

/** What a message is for, where the item tells it. */
function phaseOf(item: JsonObject): { phase?: string } {
  return typeof item.phase === "string" ? { phase: item.phase } : {};
}

/** A content part of an answer; undefined for an empty text, which says nothing. */
function decodeContentPart(value: JsonValue, phase: { phase?: string }): Part | undefined {
  if (!isObject(value)) return undefined;
  if (value.type === "refusal") {
    const text = value.refusal;
    return typeof text === "string" && text !== "" ? { type: "refusal", text, ...phase } : undefined;
  }
  const { text } = value;
  if (typeof text !== "string" || text === "") return undefined;
  const citations = (Array.isArray(value.annotations) ? value.annotations : [])
    .map(decodeAnnotation)
    .filter((citation): citation is Citation => citation !== undefined);
  return { ...textPart(text, citations, decodeLogprobs(value.logprobs)), ...phase };
}

/** A call's head and text. Some compatible servers give the item's `id` only. */
function decodeCall(item: JsonObject, type: string): ToolCallPart {
  const head = callHead(item, type);
  if (!head) return badUpstream("A tool call of the upstream has no name or no id.");
  const raw = type === "custom_tool_call" ? item.input : item.arguments;
  const text = typeof raw === "string" ? raw : isObject(raw) ? JSON.stringify(raw) : "";
  return { ...head, arguments: head.toolKind === "function" && text === "" ? "{}" : text };
}

/** What is known of a call before its arguments; undefined while its name or id is missing. */
export function callHead(item: JsonObject, type: string): Omit<ToolCallPart, "arguments"> | undefined {
  const callId = typeof item.call_id === "string" && item.call_id !== "" ? item.call_id : item.id;
  if (typeof callId !== "string" || callId === "" || typeof item.name !== "string" || item.name === "")
    return undefined;
  const namespace = typeof item.namespace === "string" ? item.namespace : undefined;
  return {
    type: "tool-call",
    callId,
    name: flatName(namespace, item.name),
    toolKind: type === "custom_tool_call" ? "custom" : "function",
  };
}

/** A generated image is an image for every family that can show one; the mark keeps the item for this protocol. */
function decodeImage(item: JsonObject): Part | undefined {
  if (item.type !== "image_generation_call" || typeof item.result !== "string" || item.result === "") return undefined;
  const format = typeof item.output_format === "string" ? item.output_format : "png";
  return {
    type: "image",
    source: { type: "base64", mediaType: `image/${format}`, data: item.result },
    extras: { responses: { $item: item } },
  };
}

function serverTool(item: JsonObject, type: string, role: "call" | "result"): Part {
  return { type: "server-tool", role, tool: serverToolName(type), protocol: "responses", payload: item };
}
