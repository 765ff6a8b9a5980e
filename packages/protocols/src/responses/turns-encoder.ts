import {
  type JsonObject,
  type JsonValue,
  type Part,
  refuse,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";
import { resultText, withErrorPrefix } from "../shared/tool-results.ts";
import type { ResponsesCapabilities } from "./capabilities.ts";
import { encodeAnnotation } from "./citations.ts";
import { writeExtras } from "./extras.ts";
import { encodeAudio, encodeDocument, encodeImage, refuseVideo } from "./media.ts";
import { encodeReasoningInput, summaryItems } from "./reasoning.ts";
import { namespaceOf } from "./tools.ts";
import { typedWire } from "./typed-tools.ts";

/** `call_id`: any characters, at most 64 (conversion.md 2.4). */
export const callIdRule = { pattern: /^[\s\S]{1,64}$/, maxLength: 64, prefix: "call_" };

/** What the encoding of a conversation needs to know. */
export interface TurnsContext {
  wireName: (name: string) => string;
  capabilities: ResponsesCapabilities;
  report: Report;
  /** Reasoning of other families was left out; told once. */
  droppedReasoning?: string;
  /** Provider-run tools whose traffic was left out; each is told once. */
  droppedTools: Set<string>;
  /** Ids of the thoughts so far: the vendor refuses one that comes again. */
  thoughts: Set<string>;
}

/** Turns -> input items, in order. Item ids are left out: they point at a store that is not asked to keep anything. */
export function encodeInput(turns: readonly Turn[], context: TurnsContext): JsonObject[] {
  const items: JsonObject[] = [];
  turns.forEach((turn, index) => {
    encodeTurn(turn, isSpokenAgain(turns, index + 1), items, context);
  });
  if (context.droppedReasoning !== undefined) {
    context.report.dropped(context.droppedReasoning, "Reasoning of another family means nothing to this model.");
  }
  return items;
}

/** Whether the model says more from this turn on, before anybody else speaks. */
function isSpokenAgain(turns: readonly Turn[], from: number): boolean {
  for (let index = from; turns[index]?.role === "assistant"; index++) {
    if (turns[index]?.parts.some((part) => part.type !== "reasoning")) return true;
  }
  return false;
}

function encodeTurn(whole: Turn, goesOn: boolean, items: JsonObject[], context: TurnsContext): void {
  const turn = withoutEmptyTexts(whole);
  let message: JsonObject[] = [];
  const flush = () => {
    if (message.length > 0) items.push(messageItem(turn, message, items.length));
    message = [];
  };
  const before = items.length;
  turn.parts.forEach((part, index) => {
    const content = encodeContentPart(part, turn.role, context);
    if (content) {
      message.push(content);
      return;
    }
    const item = encodeItemPart(part, isFollowed(turn, index, goesOn), context);
    if (!item) return;
    flush();
    items.push(item);
  });
  flush();
  if (turn.parts.length === 0 && items.length === before && turn.role === "user")
    items.push(messageItem(turn, [], items.length));
}

/** H13: an empty text beside anything else says nothing and would be a message of its own. Alone it is what was said. */
function withoutEmptyTexts(turn: Turn): Turn {
  const isEmpty = (part: Part) => part.type === "text" && part.text === "" && !part.cache && !part.extras;
  if (!turn.parts.some(isEmpty) || turn.parts.every((part) => isEmpty(part) || part.type === "reasoning")) return turn;
  return { ...turn, parts: turn.parts.filter((part) => !isEmpty(part)) };
}

/** A reasoning item must stand before an item of the model that came out of it. */
function isFollowed(turn: Turn, index: number, goesOn: boolean): boolean {
  return goesOn || turn.parts.slice(index + 1).some((part) => part.type !== "reasoning");
}

/**
 * A message. One bare text is written as a string, the form that every compatible server reads. An assistant's message in
 * parts has the vendor's full form, which demands an id: one made from its place, so that a longer history keeps it.
 */
function messageItem(turn: Turn, content: JsonObject[], index: number): JsonObject {
  const [only] = content;
  const text = only === undefined ? "" : content.length === 1 && isBareText(only) ? only.text : undefined;
  const item: JsonObject = { type: "message", role: turn.role, content: text ?? content };
  if (turn.role === "assistant") {
    if (text === undefined)
      Object.assign(item, { id: `msg_${index}`, status: "completed", content: content.map(withAnnotations) });
    if (turn.phase) item.phase = turn.phase;
  }
  return writeExtras(item, turn.extras);
}

function isBareText(part: JsonObject): boolean {
  return typeof part.text === "string" && Object.keys(part).length === 2;
}

function withAnnotations(part: JsonObject): JsonObject {
  return part.type === "output_text" && part.annotations === undefined ? { ...part, annotations: [] } : part;
}

/** A part of a message, or undefined for a part that is an item of its own (or nothing here). */
function encodeContentPart(part: Part, role: Turn["role"], context: TurnsContext): JsonObject | undefined {
  const wire = contentPart(part, role, context);
  if (!wire) return undefined;
  if (part.cache && wire.type === "input_text" && context.capabilities.cacheBreakpoints) {
    wire.prompt_cache_breakpoint = { mode: "explicit", ...(part.cache.ttl === "30m" ? { ttl: "30m" } : {}) };
  }
  return writeExtras(wire, part.extras);
}

function contentPart(part: Part, role: Turn["role"], context: TurnsContext): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return role === "assistant" ? assistantText(part, context) : { type: "input_text", text: part.text };
    case "refusal":
      return role === "assistant" ? { type: "refusal", refusal: part.text } : { type: "input_text", text: part.text };
    case "image":
      return encodeImage(part);
    case "document":
      return encodeDocument(part, context.report);
    case "audio":
      return encodeAudio(part, context.capabilities.audio);
    case "video":
      return refuseVideo(part);
    case "opaque":
      return opaqueContent(part, role, context.report);
    case "tool-call":
    case "tool-result":
    case "reasoning":
    case "server-tool":
      return undefined;
  }
}

function assistantText(part: Extract<Part, { type: "text" }>, context: TurnsContext): JsonObject {
  const wire: JsonObject = { type: "output_text", text: part.text };
  const annotations = (part.citations ?? [])
    .map((citation) => encodeAnnotation(citation, part.text, (notice) => context.report.notices.push(notice)))
    .filter((annotation) => annotation !== undefined);
  if (annotations.length > 0) wire.annotations = annotations;
  return wire;
}

function opaqueContent(
  part: Extract<Part, { type: "opaque" }>,
  role: Turn["role"],
  report: Report,
): JsonObject | undefined {
  if (part.protocol === "responses") {
    return part.nativeType.startsWith("content.") && isObject(part.payload) ? { ...part.payload } : undefined;
  }
  if (part.text === undefined) return undefined;
  report.approximated(part.at ?? part.nativeType, `'${part.nativeType}' was sent as the text inside it.`);
  return { type: role === "assistant" ? "output_text" : "input_text", text: part.text };
}

function encodeItemPart(part: Part, followed: boolean, context: TurnsContext): JsonObject | undefined {
  switch (part.type) {
    case "tool-call":
      return encodeCall(part, context);
    case "tool-result":
      return encodeResult(part, context);
    case "reasoning": {
      const item = followed ? encodeReasoningInput(part) : undefined;
      // Without a text there is only a proof, which means nothing outside its own family.
      if (!item && summaryItems(part).length > 0) context.droppedReasoning ??= part.at ?? "input";
      if (typeof item?.id !== "string") return item;
      if (context.thoughts.has(item.id)) {
        context.report.dropped(part.at ?? "input", "The same reasoning stands twice in the conversation.");
        return undefined;
      }
      context.thoughts.add(item.id);
      return item;
    }
    case "server-tool":
      if (part.protocol === "responses") return part.payload;
      if (context.droppedTools.has(part.tool)) return undefined;
      context.droppedTools.add(part.tool);
      context.report.dropped(
        part.at ?? part.tool,
        `What '${part.tool}' did at another provider cannot be shown to this model.`,
      );
      return undefined;
    case "opaque":
      if (part.protocol === "responses" && isObject(part.payload)) return part.payload;
      context.report.dropped(part.at ?? part.nativeType, `'${part.nativeType}' means nothing to this model.`);
      return undefined;
    case "text":
    case "refusal":
    case "image":
    case "document":
    case "audio":
    case "video":
      return undefined;
  }
}

function encodeCall(part: ToolCallPart, context: TurnsContext): JsonObject {
  const callId = wireCallId(part.callId, callIdRule);
  const typed = typedWire(part.extras);
  if (typed) return { ...typed, call_id: callId };
  const item: JsonObject = { type: part.toolKind === "custom" ? "custom_tool_call" : "function_call", call_id: callId };
  const own = namespaceOf(part);
  item.name = own ? own.local : context.wireName(part.name);
  if (own) item.namespace = own.namespace;
  item[part.toolKind === "custom" ? "input" : "arguments"] = part.arguments;
  return writeExtras(item, part.extras);
}

function encodeResult(part: ToolResultPart, context: TurnsContext): JsonObject {
  const callId = wireCallId(part.callId, callIdRule);
  const typed = typedWire(part.extras);
  if (typed) return typed.call_id === undefined ? typed : { ...typed, call_id: callId };
  const type = part.toolKind === "custom" ? "custom_tool_call_output" : "function_call_output";
  return writeExtras({ type, call_id: callId, output: resultOutput(part, context) }, part.extras);
}

/** A string where the result is plain text, else a list of parts (T15, T16). */
function resultOutput(part: ToolResultPart, context: TurnsContext): JsonValue {
  const [first] = part.content;
  const plain = part.content.length <= 1 && (first === undefined || (first.type === "text" && !first.extras));
  if (plain) return withErrorPrefix(resultText(part), part.isError);
  const wires = part.content.map((inner) => resultPart(inner, context));
  if (!part.isError) return wires;
  const [head] = wires;
  if (head?.type !== "input_text" || typeof head.text !== "string") {
    return [{ type: "input_text", text: withErrorPrefix("", true) }, ...wires];
  }
  return [{ ...head, text: withErrorPrefix(head.text, true) }, ...wires.slice(1)];
}

function resultPart(part: Part, context: TurnsContext): JsonObject {
  const wire = encodeContentPart(part, "user", context);
  if (wire && wire.type !== "input_audio") return wire;
  if (part.type === "audio") refuse(part.at, "A tool result for this model holds no audio.", "unsupported_media");
  context.report.dropped(part.at ?? part.type, "This content has no place in a tool result of this model.");
  return { type: "input_text", text: `[${part.type}]` };
}
