import {
  type CanonicalRequest,
  type JsonObject,
  type Part,
  refuse,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../canonical/index.ts";
import { repairHistory } from "../shared/history.ts";
import { isObject } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { argumentsObject } from "../shared/tool-arguments.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";
import { encodeCacheMark } from "./cache-marks.ts";
import type { MessagesCapabilities } from "./capabilities.ts";
import { historyCitations } from "./citations.ts";
import { encodeDocument, encodeImage } from "./media.ts";
import { encodeProof, encodeThinking, reasoningText } from "./reasoning.ts";
import { callIdRule } from "./tools.ts";
import { attributionKey } from "./wire.ts";

/** What the writing of a conversation needs. One per request. */
interface Writer {
  wire: (name: string) => string;
  report: Report;
  /** Losses of which one notice a request is enough, by what is told of them. */
  told: Set<string>;
}

export interface EncodedTurns {
  system: JsonObject[];
  messages: JsonObject[];
}

/** The conversation in the vendor's legal order (H1 to H17). `wire` gives the legal form of a tool name. */
export function encodeTurns(
  request: CanonicalRequest,
  capabilities: MessagesCapabilities,
  wire: (name: string) => string,
  report: Report,
): EncodedTurns {
  const last = request.turns.at(-1);
  // An answer that paused inside a server tool is sent back as it is, for the provider to go on.
  const isPaused = last?.role === "assistant" && last.parts.at(-1)?.type === "server-tool";
  const repaired = repairHistory(
    request.turns,
    {
      midSystem: capabilities.midSystem ? "where-lawful" : "user-text",
      consecutiveSameRole: false,
      userFirst: true,
      prefill: capabilities.prefill || isPaused ? "keep" : "refuse",
      emptyTextAllowed: false,
      assistantMedia: false,
      toolResultMedia: "keep",
      participantNames: false,
      phases: false,
    },
    report,
  );
  const writer: Writer = { wire, report, told: new Set() };
  const system = repaired.system.flatMap((turn) => turn.parts.map((part) => encodeSystemPart(part, turn, writer)));
  const attribution = request.extras?.messages?.[attributionKey];
  if (isObject(attribution)) system.unshift(attribution);
  const messages = repaired.turns.map((turn) => encodeTurn(turn, writer)).filter(hasContent);
  if (messages.length === 0) refuse("messages", "Nothing in this conversation can be sent to this model.");
  return { system, messages };
}

/** A turn whose only content had to be dropped (a notice told so) must not go out empty (H13). */
function hasContent(message: JsonObject): boolean {
  return !Array.isArray(message.content) || message.content.length > 0;
}

function encodeTurn(turn: Turn, writer: Writer): JsonObject {
  const role = turn.role === "developer" ? "system" : turn.role;
  const content =
    role === "system"
      ? turn.parts.map((part) => encodeSystemPart(part, turn, writer))
      : role === "assistant"
        ? callsLast(encodeAssistantParts(turn.parts, writer), turn, writer)
        : encodeBlocks(turn.parts, writer);
  return { role, content, ...turn.extras?.messages };
}

function encodeSystemPart(part: Part, turn: Turn, writer: Writer): JsonObject {
  const block = part.type === "text" || part.type === "opaque" ? encodeBlock(part, writer) : undefined;
  if (block) return block;
  const field = part.at ?? turn.at ?? "system";
  return refuse(field, `'${field}' must be text: the model's instructions hold nothing else.`, "unsupported_parameter");
}

/** An assistant turn: reasoning goes back only with the vendor's own proof. */
function encodeAssistantParts(parts: readonly Part[], writer: Writer): JsonObject[] {
  const blocks: JsonObject[] = [];
  let unsigned: { text: string; index: number; at: string } | undefined;
  for (const part of parts) {
    if (part.type === "reasoning") {
      const block = encodeThinking(part);
      if (block) {
        blocks.push(block);
        continue;
      }
      unsigned ??= { text: "", index: blocks.length, at: part.at ?? "messages" };
      unsigned.text += reasoningText(part);
      continue;
    }
    // Some clients bring the proof of a thought back on the part that followed it.
    const carried = part.proof && encodeProof(part.proof, unsigned?.text ?? "");
    if (carried) {
      blocks.splice(unsigned?.index ?? blocks.length, 0, carried);
      unsigned = undefined;
    }
    const block = encodeBlock(part, writer);
    if (block) blocks.push(block);
  }
  if (unsigned && unsigned.text !== "") {
    tellOnce(writer, unsigned.at, "Earlier reasoning that this provider did not sign cannot be sent back to it.");
  }
  return blocks;
}

/** The vendor takes no text behind the calls of a turn (H12). */
function callsLast(blocks: JsonObject[], turn: Turn, { report }: Writer): JsonObject[] {
  const first = blocks.findIndex((block) => block.type === "tool_use");
  if (first === -1) return blocks;
  const after = blocks.slice(first);
  // Calls that a server tool made stand before its result, and that order is the vendor's own.
  if (!after.every((block) => block.type === "tool_use" || block.type === "text")) return blocks;
  const isCall = (block: JsonObject): boolean => block.type === "tool_use";
  if (after.every(isCall)) return blocks;
  report.approximated(turn.at ?? "messages", "Text behind a tool call is sent in front of it: calls come last here.");
  return [...blocks.slice(0, first), ...after.filter((block) => !isCall(block)), ...after.filter(isCall)];
}

function encodeBlocks(parts: readonly Part[], writer: Writer): JsonObject[] {
  return parts.map((part) => encodeBlock(part, writer)).filter((block) => block !== undefined);
}

/** One block, or undefined for what this provider cannot be sent, which is told. */
function encodeBlock(part: Part, writer: Writer): JsonObject | undefined {
  const block = encodeContent(part, writer);
  if (!block) return undefined;
  if (part.cache && part.type !== "reasoning") block.cache_control = encodeCacheMark(part.cache);
  const { source: _source, ...rest } = part.extras?.messages ?? {};
  return Object.assign(block, rest);
}

function encodeContent(part: Part, writer: Writer): JsonObject | undefined {
  switch (part.type) {
    case "text": {
      if (part.text === "") return undefined;
      const citations = historyCitations(part.citations);
      if (part.citations && citations.length < part.citations.length) {
        tellOnce(writer, "annotations", "Sources of another provider cannot be sent back to this one.");
      }
      return citations.length > 0 ? { type: "text", text: part.text, citations } : { type: "text", text: part.text };
    }
    case "refusal":
      return part.text === "" ? undefined : { type: "text", text: part.text };
    case "image":
      return encodeImage(part);
    case "document":
      return encodeDocument(part);
    case "audio":
    case "video": {
      const field = part.at ?? part.type;
      return refuse(field, `'${field}' is ${part.type}, which this model cannot take.`, "unsupported_media_type");
    }
    case "tool-call":
      return encodeCall(part, writer);
    case "tool-result":
      return encodeResult(part, writer);
    case "reasoning":
      return encodeThinking(part);
    case "server-tool":
      if (part.protocol === "messages") return { ...part.payload };
      writer.report.dropped(
        part.at ?? "input",
        `What the tool '${part.tool}' of another provider did cannot be sent to this one.`,
      );
      return undefined;
    case "opaque":
      if (part.protocol === "messages" && isObject(part.payload)) return { ...part.payload };
      if (part.text) {
        writer.report.approximated(part.at ?? "input", `Content of type '${part.nativeType}' was sent as its text.`);
        return { type: "text", text: part.text };
      }
      writer.report.dropped(
        part.at ?? "input",
        `Content of type '${part.nativeType}' has no form that this model reads.`,
      );
      return undefined;
  }
}

function encodeCall(part: ToolCallPart, writer: Writer): JsonObject {
  const input =
    part.toolKind === "custom"
      ? { input: part.arguments }
      : argumentsObject(part.arguments, part.at ?? "arguments", writer.report);
  return { type: "tool_use", id: wireCallId(part.callId, callIdRule), name: writer.wire(part.name), input };
}

function encodeResult(part: ToolResultPart, writer: Writer): JsonObject {
  const block: JsonObject = { type: "tool_result", tool_use_id: wireCallId(part.callId, callIdRule) };
  const content = encodeBlocks(part.content, writer);
  if (content.length > 0) block.content = content;
  if (part.isError) block.is_error = true;
  return block;
}

function tellOnce(writer: Writer, field: string, detail: string): void {
  if (writer.told.has(detail)) return;
  writer.told.add(detail);
  writer.report.dropped(field, detail);
}
