import {
  badUpstream,
  type Candidate,
  type CanonicalResponse,
  type Finish,
  type JsonObject,
  type JsonValue,
  type Part,
  ProtocolError,
  settleFinish,
  type TextPart,
  type ToolCallPart,
} from "../canonical/index.ts";
import type { AnswerReading } from "../codec.ts";
import { isObject, readCount, unknownFields } from "../shared/read.ts";
import { sha256Hex } from "../shared/sha256.ts";
import { decodeAnnotations, decodeSearchResults } from "./citations.ts";
import { decodeErrorBody } from "./error.ts";
import { decodeFinish } from "./finish.ts";
import { decodeLogprobs } from "./logprobs.ts";
import { sniffAudio } from "./media.ts";
import { decodeReasoning, decodeThoughtSignature } from "./reasoning.ts";
import { type ContentPiece, ThoughtReader } from "./thought-reader.ts";
import { decodeArguments } from "./turns-decoder.ts";
import { decodeUsage, usageExtras } from "./usage.ts";
import { type DialectMessage, textOf } from "./wire.ts";

const answerKeys = new Set(["id", "object", "created", "model", "choices", "usage", "service_tier"]);
const choiceKeys = new Set(["index", "message", "delta", "finish_reason", "logprobs"]);
const messageKeys = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "audio",
  "annotations",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "images",
]);

/** Upstream -> canonical, a whole answer. Throws `upstream_bad` for what is none. */
export function decodeResponse(body: JsonValue, reading?: AnswerReading): CanonicalResponse {
  if (!isObject(body)) badUpstream("The upstream's answer is not a JSON object.");
  if (isObject(body.error) || textOf(body.error) !== undefined) throw new ProtocolError(decodeErrorBody(body));
  if (!Array.isArray(body.choices) || body.choices.length === 0) badUpstream("The upstream's answer holds no choices.");
  const seed = textOf(body.id) ?? String(readCount(body.created) ?? "");
  const candidates = body.choices.map((choice, order) => decodeChoice(choice, order, seed, reading));
  citeSearch(candidates, body);
  const response: CanonicalResponse = { candidates };
  const id = textOf(body.id);
  if (id !== undefined) response.id = id;
  const model = textOf(body.model);
  if (model !== undefined) response.model = model;
  const createdAt = readCount(body.created);
  if (createdAt) response.createdAt = createdAt;
  const usage = decodeUsage(body.usage) ?? (isObject(body.x_groq) ? decodeUsage(body.x_groq.usage) : undefined);
  if (usage) response.usage = usage;
  const tier = textOf(body.service_tier);
  if (tier !== undefined) response.serviceTier = tier;
  const usageRest = usageExtras(body.usage);
  const extras = { ...unknownFields(body, answerKeys), ...(usageRest ? { usage: usageRest } : {}) };
  if (Object.keys(extras).length > 0) response.extras = { "chat-completions": extras };
  return response;
}

function decodeChoice(choice: JsonValue, index: number, seed: string, reading: AnswerReading | undefined): Candidate {
  if (!isObject(choice)) return badUpstream(`choices[${index}] of the upstream's answer is not an object.`);
  // A filtered choice may come without any message.
  const blocked = textOf(choice.finish_reason) === undefined ? undefined : {};
  const message = isObject(choice.message) ? choice.message : isObject(choice.delta) ? choice.delta : blocked;
  if (!message) return badUpstream(`choices[${index}] of the upstream's answer holds no message.`);
  const thoughts = reading?.thoughts && new ThoughtReader(reading.thoughts);
  const parts = decodeMessage(message, callIds(seed, index), thoughts);
  const told = decodeLogprobs(choice.logprobs);
  const logprobs = thoughts ? thoughts.tokensBehind(told) : told;
  const text = parts.find((part): part is TextPart => part.type === "text");
  if (text && logprobs.length > 0) text.logprobs = logprobs;
  const candidate: Candidate = { index, parts, finish: finishOf(choice, parts) };
  const extras = { ...unknownFields(choice, choiceKeys), ...messageExtras(message) };
  if (Object.keys(extras).length > 0) candidate.extras = { "chat-completions": extras };
  return candidate;
}

function messageExtras(message: JsonObject): JsonObject {
  const extras = unknownFields(message, messageKeys);
  return extras ? { message: extras } : {};
}

/** The finish of a choice; a server that failed on the way says so in place of a reason. */
function finishOf(choice: JsonObject, parts: readonly Part[]): Finish {
  const native = textOf(choice.finish_reason);
  const hasRefusal = parts.some((part) => part.type === "refusal");
  const finish = decodeFinish(native ?? "stop", hasRefusal, choice.stop_reason);
  if (finish.reason === "error") badUpstream(`The upstream ended its answer with '${native}'.`);
  return settleFinish(
    finish,
    parts.some((part) => part.type === "tool-call"),
  );
}

/** Ids for calls that came without: unique between answers, and the same whenever this answer is read. */
export function callIds(seed: string, candidate: number): (order: number, name: string) => string {
  return (order, name) => `call_${sha256Hex(`${seed} ${candidate} ${order} ${name}`).slice(0, 22)}`;
}

function decodeMessage(
  message: DialectMessage,
  mintId: (order: number, name: string) => string,
  thoughts: ThoughtReader | undefined,
): Part[] {
  const parts: Part[] = decodeReasoning(message, "message").map(({ at: _at, ...part }) => part);
  parts.push(...decodeAnswerContent(message.content, thoughts));
  const citations = decodeAnnotations(message.annotations);
  const text = parts.findLast((part): part is TextPart => part.type === "text");
  if (text && citations.length > 0) text.citations = citations;
  const refusal = textOf(message.refusal);
  if (refusal !== undefined) parts.push({ type: "refusal", text: refusal });
  parts.push(...decodeImages(message.images), ...decodeAudio(message.audio));
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  const seen = new Set<string>();
  for (const [order, call] of calls.entries()) {
    const part = decodeCall(call, order, mintId, seen);
    if (part) parts.push(part);
  }
  if (calls.length === 0 && isObject(message.function_call) && textOf(message.function_call.name) !== undefined) {
    const part = decodeCall({ function: message.function_call }, 0, mintId, seen);
    if (part) parts.push(part);
  }
  return parts;
}

/** Text, or the list of `thinking` and `text` parts that some servers send. */
function decodeAnswerContent(content: JsonValue | undefined, thoughts: ThoughtReader | undefined): Part[] {
  if (typeof content === "string" && thoughts) return joined([...thoughts.push(content), ...thoughts.end()]);
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part): Part[] => {
    if (!isObject(part)) return [];
    if (part.type === "thinking") {
      const text = thinkingText(part.thinking);
      return text === "" ? [] : [{ type: "reasoning", text }];
    }
    const text = textOf(part.text);
    return text === undefined ? [] : [{ type: "text", text }];
  });
}

/** Pieces of one kind in a row are one part. */
function joined(pieces: readonly ContentPiece[]): Part[] {
  const parts: ContentPiece[] = [];
  for (const { type, text } of pieces) {
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
  }
  return parts;
}

/** The text of a `thinking` part, which nests a list of text parts. */
export function thinkingText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.map((part) => (isObject(part) ? (textOf(part.text) ?? "") : "")).join("");
}

function decodeCall(
  call: JsonObject,
  order: number,
  mintId: (order: number, name: string) => string,
  seen: Set<string>,
): ToolCallPart | undefined {
  const custom = call.type === "custom" || !isObject(call.function);
  const holder = custom ? call.custom : call.function;
  const name = isObject(holder) ? textOf(holder.name) : undefined;
  if (!isObject(holder) || name === undefined) badUpstream("The upstream's answer holds a tool call without a name.");
  const given = textOf(call.id);
  const callId = given === undefined || seen.has(given) ? mintId(order, name) : given;
  seen.add(callId);
  const part: ToolCallPart = {
    type: "tool-call",
    callId,
    name,
    toolKind: custom ? "custom" : "function",
    arguments: custom ? (textOf(holder.input) ?? "") : decodeArguments(holder.arguments),
  };
  const proof = decodeThoughtSignature(call.extra_content);
  if (proof) part.proof = proof;
  return part;
}

/** Pictures beside the text, as some servers send them. */
export function decodeImages(value: JsonValue | undefined): Part[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((image): Part[] => {
    const holder = isObject(image) && isObject(image.image_url) ? image.image_url : undefined;
    const url = holder ? textOf(holder.url) : undefined;
    if (url === undefined) return [];
    const inline = /^data:([^;,]+);base64,(.*)$/s.exec(url);
    const [, mediaType, data] = inline ?? [];
    if (mediaType !== undefined && data !== undefined) {
      return [{ type: "image", source: { type: "base64", mediaType: mediaType.toLowerCase(), data } }];
    }
    return [{ type: "image", source: { type: "url", url } }];
  });
}

/** Spoken output. Its id and end of life go along, because the next request may name it by id. */
export function decodeAudio(value: JsonValue | undefined): Part[] {
  if (!isObject(value)) return [];
  const data = textOf(value.data);
  if (data === undefined) return [];
  const part: Part = { type: "audio", source: { type: "base64", mediaType: sniffAudio(data), data } };
  const transcript = textOf(value.transcript);
  if (transcript !== undefined) part.transcript = transcript;
  const extras = unknownFields(value, new Set(["data", "transcript"]));
  if (extras) part.extras = { "chat-completions": extras };
  return [part];
}

/** Sources that a search server lists beside the answer belong to the answer's text, unless it cites by itself. */
function citeSearch(candidates: Candidate[], body: JsonObject): void {
  const citations = decodeSearchResults(body);
  if (citations.length === 0) return;
  for (const { parts } of candidates) {
    const text = parts.findLast((part): part is TextPart => part.type === "text");
    if (text && !text.citations) text.citations = citations;
  }
}
