import {
  badUpstream,
  type Candidate,
  type CanonicalResponse,
  type JsonObject,
  type JsonValue,
  type OpaquePart,
  type Part,
  ProtocolError,
  settleFinish,
} from "../canonical/index.ts";
import { isObject, unknownFields } from "../shared/read.ts";
import { argumentsText } from "../shared/tool-arguments.ts";
import { decodeCitations } from "./citations.ts";
import { decodeErrorBody } from "./error.ts";
import { decodeFinish } from "./finish.ts";
import { serverToolName } from "./tools.ts";
import { opaqueText } from "./turns-decoder.ts";
import { decodeUsage } from "./usage.ts";
import { blockKind } from "./wire.ts";

const answerKeys = new Set(["id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage"]);
const usageKeys = new Set([
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
  "output_tokens",
  "output_tokens_details",
  "server_tool_use",
  "service_tier",
]);
const callKeys = new Set(["type", "id", "name", "input"]);
const textKeys = new Set(["type", "text", "citations"]);
const thinkingKeys = new Set(["type", "thinking", "signature"]);

/** A whole answer. Throws `upstream_bad` for what is none, and the upstream's own error where the body is one. */
export function decodeResponse(body: JsonValue): CanonicalResponse {
  if (!isObject(body)) badUpstream("The upstream's answer is not a JSON object.");
  if (body.type === "error") throw new ProtocolError(decodeErrorBody(body));
  const content = body.content;
  if (!Array.isArray(content)) badUpstream("The upstream's answer has no content.");
  const parts: Part[] = [];
  for (const block of content) {
    if (!isObject(block) || typeof block.type !== "string")
      badUpstream("The upstream's answer holds content that is no block.");
    const part = decodeAnswerBlock(block, block.type);
    if (part) parts.push(part);
  }
  const hasToolCall = parts.some((part) => part.type === "tool-call");
  const finish = settleFinish(decodeFinish(body, hasToolCall) ?? { reason: "other" }, hasToolCall);
  const candidate: Candidate = { index: 0, parts, finish };
  const response: CanonicalResponse = { candidates: [candidate] };
  if (typeof body.id === "string" && body.id !== "") response.id = body.id;
  if (typeof body.model === "string" && body.model !== "") response.model = body.model;
  const rest: JsonObject = { ...unknownFields(body, answerKeys) };
  const usage = body.usage;
  if (isObject(usage)) {
    response.usage = decodeUsage(usage);
    if (typeof usage.service_tier === "string") response.serviceTier = usage.service_tier;
    const usageRest = unknownFields(usage, usageKeys);
    if (usageRest) rest.usage = usageRest;
  }
  if (Object.keys(rest).length > 0) response.extras = { messages: rest };
  return response;
}

/** One block of an answer; undefined for one that holds nothing. Its proofs are the vendor's own. */
export function decodeAnswerBlock(block: JsonObject, type: string): Part | undefined {
  const kind = blockKind(type);
  switch (kind) {
    case "text": {
      const text = stringOf(block.text);
      if (text === "") return undefined;
      const citations = decodeCitations(block.citations);
      return withRest({ type: "text", text, ...(citations ? { citations } : {}) }, block, textKeys);
    }
    case "thinking": {
      const text = stringOf(block.thinking);
      const signature = stringOf(block.signature);
      const part: Part = {
        type: "reasoning",
        ...(text === "" ? {} : { text }),
        ...(signature === "" ? {} : { proof: { family: "anthropic", kind: "signature", value: signature } }),
      };
      return withRest(part, block, thinkingKeys);
    }
    case "redacted-thinking": {
      const data = stringOf(block.data);
      return data === ""
        ? undefined
        : { type: "reasoning", proof: { family: "anthropic", kind: "redacted", value: data } };
    }
    case "tool-call": {
      const callId = stringOf(block.id);
      const name = stringOf(block.name);
      if (callId === "" || name === "") badUpstream("The upstream's answer holds a tool call without an id or a name.");
      const text = argumentsText(block.input);
      return withRest({ type: "tool-call", callId, name, toolKind: "function", arguments: text }, block, callKeys);
    }
    case "server-call":
    case "server-result":
      return {
        type: "server-tool",
        role: kind === "server-call" ? "call" : "result",
        tool: serverToolName(block, type),
        protocol: "messages",
        payload: block,
      };
    case "image":
    case "document":
    case "tool-result":
    case "opaque": {
      const part: OpaquePart = { type: "opaque", protocol: "messages", nativeType: type, payload: block };
      // What the provider wrote down of the conversation for itself is no part of its answer.
      const text = type === "compaction" ? undefined : opaqueText(block, type);
      return text === undefined ? part : { ...part, text };
    }
  }
}

/** Fields that are not known go back where they came from; "the model called it directly" is the default and says nothing. */
function withRest(part: Part, block: JsonObject, known: ReadonlySet<string>): Part {
  const rest = unknownFields(block, known);
  if (rest && isObject(rest.caller) && rest.caller.type === "direct") delete rest.caller;
  return rest && Object.keys(rest).length > 0 ? { ...part, extras: { messages: rest } } : part;
}

function stringOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
