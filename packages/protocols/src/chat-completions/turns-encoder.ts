import type {
  JsonObject,
  Part,
  Proof,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "../canonical/index.ts";
import { wrapCustomInput } from "../shared/custom-tools.ts";
import { isObject, path } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { withErrorPrefix } from "../shared/tool-results.ts";
import { encodeCacheMark } from "./cache-mark.ts";
import type { ChatCapabilities } from "./capabilities.ts";
import { encodeAudio, encodeDocument, encodeImage, encodeVideo } from "./media.ts";
import { encodeDetails, reasoningText, thoughtSignature } from "./reasoning.ts";

/** What the encoding of one request's turns needs. */
export interface TurnsContext {
  capabilities: ChatCapabilities;
  report: Report;
  /** Client tool name -> wire name. */
  wire(name: string): string;
  /** Any call id -> one that the upstream takes. */
  callId(id: string): string;
}

/** Messages of turns whose history is already repaired: results stand right behind their calls. */
export function encodeTurns(turns: readonly Turn[], context: TurnsContext): JsonObject[] {
  const messages: JsonObject[] = [];
  let lostReasoning: string | undefined;
  for (const turn of turns) {
    switch (turn.role) {
      case "system":
      case "developer":
        messages.push(encodeSystem(turn, context));
        break;
      case "user":
        encodeUser(turn, messages, context);
        break;
      case "assistant":
        lostReasoning = encodeAssistant(turn, messages, context) ?? lostReasoning;
        break;
    }
  }
  if (lostReasoning !== undefined) {
    context.report.dropped(lostReasoning, "The upstream takes no reasoning of earlier turns back.");
  }
  return messages;
}

function encodeSystem(turn: Turn, context: TurnsContext): JsonObject {
  const role = turn.role === "developer" && !context.capabilities.developerRole ? "system" : turn.role;
  const parts = turn.parts.flatMap((part) => encodePart(part, context));
  return { role, content: contentOf(parts, context.capabilities, "\n\n"), ...nameOf(turn, context), ...extrasOf(turn) };
}

function nameOf(turn: Turn, { capabilities, report }: TurnsContext): JsonObject {
  if (turn.name === undefined) return {};
  if (capabilities.names) return { name: turn.name };
  report.dropped(path(turn.at ?? "messages", "name"), "The upstream takes no names in messages.");
  return {};
}

function extrasOf(holder: { extras?: Turn["extras"] }): JsonObject {
  return holder.extras?.["chat-completions"] ?? {};
}

/** One string where there is one plain text; a list of parts otherwise, where the upstream takes lists of text. */
function contentOf(
  parts: readonly JsonObject[],
  capabilities: ChatCapabilities,
  between: string,
): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return "";
  if (parts.length === 1 && isPlainText(only)) return String(only.text);
  if (capabilities.textParts || !parts.every(isPlainText)) return [...parts];
  return parts.map((part) => part.text).join(between);
}

function isPlainText(part: JsonObject): boolean {
  return part.type === "text" && Object.keys(part).length === 2;
}

/** H13: an empty text beside anything else says nothing, and strict servers refuse it. Alone it is what was said. */
function withoutEmptyTexts(parts: JsonObject[], isBesideOthers: boolean): JsonObject[] {
  const full = parts.filter((part) => part.text !== "" || !isPlainText(part));
  return full.length > 0 || isBesideOthers ? full : parts;
}

/** Results first, each its own message, then what the user says. */
function encodeUser(turn: Turn, messages: JsonObject[], context: TurnsContext): void {
  const said: JsonObject[] = [];
  for (const part of turn.parts) {
    if (part.type === "tool-result") messages.push(encodeResult(part, context));
    else if (part.type === "opaque" && part.protocol === "chat-completions" && isWholeMessage(part)) {
      if (isObject(part.payload)) messages.push(part.payload);
    } else said.push(...encodePart(part, context));
  }
  const parts = withoutEmptyTexts(
    said,
    turn.parts.some((part) => part.type === "tool-result"),
  );
  const onlyResults =
    turn.parts.length > 0 && turn.parts.every((part) => part.type === "tool-result" || isWholeMessage(part));
  if (parts.length === 0 && (onlyResults || turn.parts.length > 0)) return;
  const [only] = parts;
  const content = parts.length <= 1 && (only === undefined || isPlainText(only)) ? String(only?.text ?? "") : parts;
  messages.push({ role: "user", content, ...nameOf(turn, context), ...extrasOf(turn) });
}

function isWholeMessage(part: Part): boolean {
  return part.type === "opaque" && part.nativeType.startsWith("message:");
}

function encodeResult(part: ToolResultPart, context: TurnsContext): JsonObject {
  const parts = part.content.flatMap((inner) => encodePart(inner, context));
  const [first] = parts;
  if (part.isError && first && typeof first.text === "string")
    parts[0] = { ...first, text: withErrorPrefix(first.text, true) };
  const content = part.isError && !first ? withErrorPrefix("", true) : contentOf(parts, context.capabilities, "\n");
  const message: JsonObject = { role: "tool", tool_call_id: context.callId(part.callId), content };
  // A name is lawful nowhere but on servers whose clients sent it.
  if (part.extras?.["chat-completions"]) Object.assign(message, part.extras["chat-completions"]);
  return message;
}

/** Parts of system, user and tool messages. The service refuses cache marks on anything but text (P20). */
function encodePart(part: Part, context: TurnsContext): JsonObject[] {
  const encoded = encodeContentPart(part, context);
  if (encoded === undefined) return [];
  const mark = encoded.type === "text" ? encodeCacheMark(part.cache, context.capabilities) : {};
  return [{ ...encoded, ...extrasOf(part), ...mark }];
}

function encodeContentPart(part: Part, context: TurnsContext): JsonObject | undefined {
  switch (part.type) {
    case "text":
    case "refusal":
      return { type: "text", text: part.text };
    case "image":
      return encodeImage(part, context.capabilities);
    case "audio":
      return encodeAudio(part);
    case "video":
      return encodeVideo(part, context.capabilities);
    case "document":
      return encodeDocument(part, context.capabilities, context.report);
    case "opaque":
      return encodeOpaque(part, context);
    case "server-tool":
      context.report.dropped(
        part.at ?? "messages",
        `The upstream cannot be shown what the provider's tool '${part.tool}' did.`,
      );
      return undefined;
    case "tool-call":
    case "tool-result":
    case "reasoning":
      context.report.dropped(part.at ?? "messages", "This part has no place in a message of its role.");
      return undefined;
  }
}

function encodeOpaque(part: Extract<Part, { type: "opaque" }>, context: TurnsContext): JsonObject | undefined {
  if (part.protocol === "chat-completions" && isObject(part.payload)) return part.payload;
  const field = part.at ?? "messages";
  if (part.text === undefined) {
    context.report.dropped(field, `The upstream does not understand parts of type '${part.nativeType}'.`);
    return undefined;
  }
  context.report.approximated(field, `The part of type '${part.nativeType}' is sent as its text.`);
  return { type: "text", text: part.text };
}

interface AssistantParts {
  content: JsonObject[];
  refusals: RefusalPart[];
  calls: JsonObject[];
  details: JsonObject[];
  reasoning: string[];
  lost: string | undefined;
}

/** Gives the place of reasoning that could not be sent back. */
function encodeAssistant(turn: Turn, messages: JsonObject[], context: TurnsContext): string | undefined {
  const { capabilities } = context;
  const sorted = sortAssistant(turn, context);
  const { refusals, calls, details, reasoning } = sorted;
  const content = withoutEmptyTexts(sorted.content, calls.length + refusals.length > 0);
  const message: JsonObject = { role: "assistant" };
  const silent =
    content.length === 0 && (calls.length > 0 || refusals.length > 0 || extrasOf(turn).audio !== undefined);
  message.content = silent ? null : contentOf(content, capabilities, "");
  if (refusals.length > 0) message.refusal = refusals.map((part) => part.text).join("\n");
  const mustReason = capabilities.reasoningOnCalls && calls.length > 0;
  if (capabilities.reasoningHistory !== "none" && (reasoning.length > 0 || mustReason)) {
    message[capabilities.reasoningHistory] = reasoning.join("\n\n");
  }
  if (details.length > 0) message.reasoning_details = details;
  if (calls.length > 0) message.tool_calls = calls;
  if (turn.parts.length > 0 && content.length + refusals.length + calls.length === 0 && !hasOwnState(message, turn)) {
    return sorted.lost;
  }
  messages.push({ ...message, ...nameOf(turn, context), ...extrasOf(turn) });
  return sorted.lost;
}

/** A turn that lost every part is left out, but not one that still says something. */
function hasOwnState(message: JsonObject, turn: Turn): boolean {
  return (
    message.reasoning_content !== undefined ||
    message.reasoning !== undefined ||
    message.reasoning_details !== undefined ||
    turn.extras !== undefined
  );
}

function sortAssistant(turn: Turn, context: TurnsContext): AssistantParts {
  const { capabilities } = context;
  const sorted: AssistantParts = { content: [], refusals: [], calls: [], details: [], reasoning: [], lost: undefined };
  let parked: Proof | undefined;
  let late = false;
  for (const part of turn.parts) {
    switch (part.type) {
      case "reasoning": {
        const details = capabilities.reasoningDetails ? encodeDetails(part, 0, () => undefined) : [];
        const text = reasoningText(part);
        if (part.proof?.family === "gemini") parked = part.proof;
        sorted.details.push(...details);
        if (details.length > 0 || text === "") break;
        if (capabilities.reasoningHistory !== "none") sorted.reasoning.push(text);
        else sorted.lost ??= part.at ?? turn.at ?? "messages";
        break;
      }
      case "tool-call":
        sorted.calls.push(encodeCall(part, part.proof ?? parked, context));
        parked = undefined;
        break;
      case "refusal":
        if (capabilities.refusals) sorted.refusals.push(part);
        else sorted.content.push({ type: "text", text: part.text });
        break;
      default:
        if (part.type === "text" && sorted.calls.length > 0) late = true;
        sorted.content.push(...encodePart(part, context));
    }
  }
  if (late)
    context.report.approximated(
      turn.at ?? "messages",
      "Text behind a tool call is sent in front of it: the protocol has one place for each.",
    );
  return sorted;
}

/** Only Gemini's own proof goes back, and only to Gemini behind this protocol. */
function encodeCall(part: ToolCallPart, proof: Proof | undefined, context: TurnsContext): JsonObject {
  const id = context.callId(part.callId);
  const name = context.wire(part.name);
  const extras = extrasOf(part);
  const call: JsonObject =
    part.toolKind === "custom" && context.capabilities.customTools
      ? { id, type: "custom", custom: { name, input: part.arguments } }
      : {
          id,
          type: "function",
          function: { name, arguments: part.toolKind === "custom" ? wrapCustomInput(part.arguments) : part.arguments },
        };
  const signed = proof?.family === "gemini" && context.capabilities.thoughtSignatures;
  const extra = {
    ...(signed ? thoughtSignature(proof.value) : {}),
    ...(isObject(extras.extra_content) ? extras.extra_content : {}),
  };
  // The vendor's own mark is for texts alone (P20).
  const mark =
    context.capabilities.cacheMark === "cache_control" ? encodeCacheMark(part.cache, context.capabilities) : {};
  return { ...call, ...mark, ...extras, ...(Object.keys(extra).length > 0 ? { extra_content: extra } : {}) };
}

/** Whether any text of the first turns mentions JSON, which the vendor wants beside `json_object`. */
export function mentionsJson(turns: readonly Turn[]): boolean {
  const first = turns.findIndex((turn) => turn.role === "user");
  return turns
    .slice(0, first + 1)
    .some((turn) => turn.parts.some((part): part is TextPart => part.type === "text" && /json/i.test(part.text)));
}
