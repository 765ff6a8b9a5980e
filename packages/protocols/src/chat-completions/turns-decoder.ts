import {
  type JsonObject,
  type JsonValue,
  type Part,
  refuse,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import {
  isObject,
  missing,
  path,
  readArray,
  readString,
  requireObject,
  requireString,
  unknownFields,
} from "../shared/read.ts";
import { argumentsText } from "../shared/tool-arguments.ts";
import { positionalCallId } from "../shared/tool-call-ids.ts";
import { withoutErrorPrefix } from "../shared/tool-results.ts";
import { decodeCacheMark } from "./cache-mark.ts";
import { decodeAnnotations } from "./citations.ts";
import { decodeContent } from "./content-decoder.ts";
import { decodeReasoning, decodeThoughtSignature } from "./reasoning.ts";

const plainKeys = new Set(["role", "content", "name", "cache_control"]);
const assistantKeys = new Set([
  ...plainKeys,
  "refusal",
  "tool_calls",
  "function_call",
  "annotations",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
]);
const toolKeys = new Set([...plainKeys, "tool_call_id"]);
const callKeys = new Set(["id", "type", "function", "custom", "index", "extra_content", "cache_control"]);
/** Ids of old-style calls that still wait for their `function` message, by name. */
type OldCalls = Map<string, string[]>;

/** The conversation. Messages of role `tool` in a row are the results of one batch: one user turn. */
export function decodeTurns(body: JsonObject, vault: ProofVault): Turn[] {
  const messages = readArray(body, "messages") ?? missing("messages");
  if (messages.length === 0) refuse("messages", "'messages' must hold at least one message.", "empty_array");
  const turns: Turn[] = [];
  const oldCalls: OldCalls = new Map();
  const customCalls = new Set<string>();
  let batch: Turn | undefined;
  for (const [index, value] of messages.entries()) {
    const at = path("messages", index);
    const message = requireObject(value, at);
    const role = requireString(message, "role", at);
    if (role === "tool" || role === "function") {
      const result = role === "tool" ? decodeToolMessage(message, at) : decodeFunctionMessage(message, at, oldCalls);
      if (!batch) {
        batch = { role: "user", parts: [], at };
        turns.push(batch);
      }
      // A result does not say what kind of call it answers.
      batch.parts.push(customCalls.has(result.callId) ? { ...result, toolKind: "custom" } : result);
      continue;
    }
    batch = undefined;
    const turn = decodeMessage(message, role, at, index, oldCalls, vault);
    for (const part of turn.parts) {
      if (part.type === "tool-call" && part.toolKind === "custom") customCalls.add(part.callId);
    }
    turns.push(turn);
  }
  return turns;
}

function decodeMessage(
  message: JsonObject,
  role: string,
  at: string,
  index: number,
  oldCalls: OldCalls,
  vault: ProofVault,
): Turn {
  switch (role) {
    case "system":
    case "developer":
    case "user": {
      if (message.content === undefined || message.content === null) missing(path(at, "content"));
      const turn: Turn = {
        role,
        parts: withMessageMark(decodeContent(message.content, path(at, "content")), message, at),
        at,
      };
      return finished(turn, message, plainKeys, at);
    }
    case "assistant": {
      const turn: Turn = { role, parts: decodeAssistant(message, at, index, oldCalls, vault), at };
      return finished(turn, message, assistantKeys, at);
    }
    default:
      return unknownTurn(message, role, at);
  }
}

function finished(turn: Turn, message: JsonObject, known: ReadonlySet<string>, at: string): Turn {
  const name = readString(message, "name", at);
  if (name !== undefined && name !== "") turn.name = name;
  const extras = unknownFields(message, known);
  if (extras) turn.extras = { "chat-completions": extras };
  return turn;
}

/** A role that only this protocol's servers understand: kept whole, readable where it bears text. */
function unknownTurn(message: JsonObject, role: string, at: string): Turn {
  const texts = typeof message.content === "string" ? [message.content] : textsOf(message.content);
  const part: Part = {
    type: "opaque",
    protocol: "chat-completions",
    nativeType: `message:${role}`,
    payload: message,
    at,
  };
  if (texts.length > 0) part.text = texts.join("\n");
  return { role: "user", parts: [part], at };
}

function textsOf(content: JsonValue | undefined): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : []));
}

/** Some clients mark the whole message; the mark stands behind its last part. */
function withMessageMark(parts: Part[], message: JsonObject, at: string): Part[] {
  const { cache } = decodeCacheMark(message, at);
  const last = parts.at(-1);
  if (cache && last && !last.cache) last.cache = cache;
  return parts;
}

function decodeAssistant(
  message: JsonObject,
  at: string,
  index: number,
  oldCalls: OldCalls,
  vault: ProofVault,
): Part[] {
  const parts: Part[] = decodeReasoning(message, at, vault);
  const content = decodeContent(message.content, path(at, "content"));
  const calls = readArray(message, "tool_calls", at) ?? [];
  const refusal = readString(message, "refusal", at);
  // An empty text beside a call or a refusal is a habit of writers, not content.
  const bare = typeof message.content === "string" && message.content === "" && (calls.length > 0 || Boolean(refusal));
  if (!bare) parts.push(...withMessageMark(content, message, at));
  const citations = decodeAnnotations(message.annotations);
  const text = parts.findLast((part): part is TextPart => part.type === "text");
  if (text && citations.length > 0) text.citations = citations;
  if (refusal) parts.push({ type: "refusal", text: refusal, at: path(at, "refusal") });
  for (const [order, call] of calls.entries()) {
    parts.push(decodeCall(call, path(path(at, "tool_calls"), order), index, order, vault));
  }
  if (calls.length === 0) parts.push(...decodeOldCall(message, at, index, oldCalls));
  if (parts.length === 0 && message.content === undefined && message.audio === undefined && calls.length === 0) {
    return missing(path(at, "content"));
  }
  return parts;
}

function decodeCall(value: JsonValue, at: string, turn: number, order: number, vault: ProofVault): ToolCallPart {
  const call = requireObject(value, at);
  const type = readString(call, "type", at) ?? (isObject(call.function) ? "function" : "custom");
  if (type !== "function" && type !== "custom")
    refuse(path(at, "type"), `'${path(at, "type")}' must be 'function' or 'custom'.`);
  const field = path(at, type);
  const holder = call[type] === undefined ? missing(field) : requireObject(call[type], field);
  const name = requireString(holder, "name", field);
  const callId = readString(call, "id", at) || positionalCallId(turn, order, name);
  const written = type === "function" ? holder.arguments : requireString(holder, "input", field);
  const part: ToolCallPart = {
    type: "tool-call",
    callId,
    name,
    toolKind: type,
    arguments: type === "function" ? decodeArguments(written) : String(written),
    at,
    ...decodeCacheMark(call, at),
  };
  const proof = decodeThoughtSignature(call.extra_content, vault);
  if (proof) part.proof = proof;
  const extras = unknownFields(call, callKeys);
  const { google, ...otherContent } = isObject(call.extra_content) ? call.extra_content : {};
  const content = proof ? otherContent : { ...(google === undefined ? {} : { google }), ...otherContent };
  const extraContent = Object.keys(content).length > 0 ? { extra_content: content } : {};
  if (extras || Object.keys(extraContent).length > 0)
    part.extras = { "chat-completions": { ...extras, ...extraContent } };
  return part;
}

/** Argument text as written; a call without arguments is `{}`; some clients replay the parsed object. */
export function decodeArguments(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "{}";
  if (typeof value !== "string") return argumentsText(value);
  return value.trim() === "" ? "{}" : value;
}

function decodeOldCall(message: JsonObject, at: string, index: number, oldCalls: OldCalls): Part[] {
  const { function_call: value } = message;
  if (value === undefined || value === null) return [];
  const field = path(at, "function_call");
  const call = requireObject(value, field);
  const name = requireString(call, "name", field);
  const callId = positionalCallId(index, 0, name);
  oldCalls.set(name, [...(oldCalls.get(name) ?? []), callId]);
  return [
    { type: "tool-call", callId, name, toolKind: "function", arguments: decodeArguments(call.arguments), at: field },
  ];
}

function decodeToolMessage(message: JsonObject, at: string): ToolResultPart {
  const callId = readString(message, "tool_call_id", at) ?? "";
  const name = readString(message, "name", at);
  const part: ToolResultPart = {
    type: "tool-result",
    callId,
    toolKind: "function",
    ...decodeResult(message, at),
    at,
    ...decodeCacheMark(message, at),
  };
  if (name !== undefined && name !== "") part.name = name;
  const extras = unknownFields(message, toolKeys);
  if (extras) part.extras = { "chat-completions": extras };
  return part;
}

/** Results of the old form bear a name only: the earliest call of that name that has none yet. */
function decodeFunctionMessage(message: JsonObject, at: string, oldCalls: OldCalls): ToolResultPart {
  const name = requireString(message, "name", at);
  return {
    type: "tool-result",
    callId: oldCalls.get(name)?.shift() ?? "",
    name,
    toolKind: "function",
    ...decodeResult(message, at),
    at,
  };
}

/** This protocol has no error flag; a text that says so stands for it (T16). */
function decodeResult(message: JsonObject, at: string): Pick<ToolResultPart, "content" | "isError"> {
  const content = decodeContent(message.content, path(at, "content"));
  const [first] = content;
  if (first?.type !== "text") return { content };
  const { text, isError } = withoutErrorPrefix(first.text);
  if (!isError) return { content };
  first.text = text;
  return { content, isError };
}
