import {
  type JsonObject,
  type JsonValue,
  type OpaquePart,
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
  readBoolean,
  readEnum,
  readObject,
  requireObject,
  requireString,
  unknownFields,
} from "../shared/read.ts";
import { argumentsText } from "../shared/tool-arguments.ts";
import { decodeCacheMark } from "./cache-marks.ts";
import { decodeCitations } from "./citations.ts";
import { decodeDocument, decodeImage, readableText } from "./media.ts";
import { decodeRedactedThinking, decodeThinking } from "./reasoning.ts";
import { serverToolName } from "./tools.ts";
import { attributionHeader, blockKind } from "./wire.ts";

const turnKeys = new Set(["role", "content"]);
const textKeys = new Set(["type", "text", "citations", "cache_control"]);
const imageKeys = new Set(["type", "source", "cache_control"]);
const documentKeys = new Set(["type", "source", "title", "context", "citations", "cache_control"]);
const thinkingKeys = new Set(["type", "thinking", "signature", "cache_control"]);
const redactedKeys = new Set(["type", "data", "cache_control"]);
const callKeys = new Set(["type", "id", "name", "input", "cache_control"]);
const resultKeys = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);

export interface DecodedSystem {
  turns: Turn[];
  /** The block that says who calls; kept apart because only the vendor may get it. */
  attribution?: JsonObject;
}

/** The top-level `system`: one turn with a part for each block. */
export function decodeSystem(body: JsonObject, vault: ProofVault): DecodedSystem {
  const system = body.system;
  if (system === undefined || system === null) return { turns: [] };
  const blocks: JsonValue[] =
    typeof system === "string"
      ? system === ""
        ? []
        : [{ type: "text", text: system }]
      : (readSystemArray(system) ?? []);
  const first = blocks[0];
  const attribution = isObject(first) && isAttribution(first) ? first : undefined;
  const parts: Part[] = [];
  blocks.forEach((block, index) => {
    if (index === 0 && attribution) return;
    parts.push(decodeBlock(block, typeof system === "string" ? "system" : path("system", index), vault));
  });
  const turns: Turn[] = parts.length > 0 ? [{ role: "system", parts, at: "system" }] : [];
  return attribution ? { turns, attribution } : { turns };
}

function readSystemArray(system: JsonValue): JsonValue[] | undefined {
  if (Array.isArray(system)) return system;
  return refuse("system", "'system' must be a string or an array of text blocks.", "invalid_type");
}

function isAttribution(block: JsonObject): boolean {
  const text = block.text;
  return typeof text === "string" && text.startsWith(`${attributionHeader}:`) && !text.trimEnd().includes("\n");
}

/** `messages`. */
export function decodeTurns(body: JsonObject, vault: ProofVault): Turn[] {
  const messages = readArray(body, "messages") ?? missing("messages");
  if (messages.length === 0) refuse("messages", "'messages' must hold at least one message.");
  return messages.map((message, index) => decodeTurn(message, path("messages", index), vault));
}

function decodeTurn(value: JsonValue, at: string, vault: ProofVault): Turn {
  const message = requireObject(value, at);
  const role = readEnum(message, "role", ["user", "assistant", "system"], at) ?? missing(path(at, "role"));
  const turn: Turn = { role, parts: decodeContent(message.content, path(at, "content"), vault), at };
  const rest = unknownFields(message, turnKeys);
  if (rest) turn.extras = { messages: rest };
  return turn;
}

/** Content as a string (one text block) or a list of blocks. */
function decodeContent(content: JsonValue | undefined, at: string, vault: ProofVault): Part[] {
  if (content === undefined || content === null) missing(at);
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content, at }];
  if (!Array.isArray(content)) refuse(at, `'${at}' must be a string or an array of content blocks.`, "invalid_type");
  return content.map((block, index) => decodeBlock(block, path(at, index), vault));
}

/** One content block of a request. A block that is not known is kept whole, with its text where it has some. */
function decodeBlock(value: JsonValue, at: string, vault: ProofVault): Part {
  const block = requireObject(value, at);
  const type = requireString(block, "type", at);
  const kind = blockKind(type);
  switch (kind) {
    case "text":
      return finish(decodeText(block, at), block, textKeys, at);
    case "image":
      return finish(decodeImage(block, at), block, imageKeys, at);
    case "document": {
      const part = decodeDocument(block, at);
      return part.type === "opaque" ? { ...part, at } : finish(part, block, documentKeys, at);
    }
    case "thinking":
      return finish(decodeThinking(block, at, vault), block, thinkingKeys, at);
    case "redacted-thinking":
      return finish(decodeRedactedThinking(block, at, vault), block, redactedKeys, at);
    case "tool-call":
      return finish(decodeCall(block, at), block, callKeys, at);
    case "tool-result":
      return finish(decodeResult(block, at, vault), block, resultKeys, at);
    case "server-call":
    case "server-result":
      return {
        type: "server-tool",
        role: kind === "server-call" ? "call" : "result",
        tool: serverToolName(block, type),
        protocol: "messages",
        payload: block,
        at,
      };
    case "opaque":
      return { ...decodeOpaque(block, type), at };
  }
}

/** Adds what every block may have: its place, a cache mark, fields that nobody knows. */
function finish<P extends Part>(part: P, block: JsonObject, known: ReadonlySet<string>, at: string): P {
  part.at = at;
  const cache = decodeCacheMark(block, at);
  if (cache) part.cache = cache;
  const rest = unknownFields(block, known);
  // "The model called it directly" is the default and says nothing.
  if (rest && isObject(rest.caller) && rest.caller.type === "direct") delete rest.caller;
  if (rest && Object.keys(rest).length > 0) part.extras = { messages: { ...part.extras?.messages, ...rest } };
  return part;
}

function decodeText(block: JsonObject, at: string): TextPart {
  const part: TextPart = { type: "text", text: requireString(block, "text", at) };
  const citations = decodeCitations(block.citations);
  if (citations) part.citations = citations;
  return part;
}

function decodeCall(block: JsonObject, at: string): ToolCallPart {
  const callId = requireString(block, "id", at);
  const name = requireString(block, "name", at);
  if (callId === "") refuse(path(at, "id"), `'${path(at, "id")}' must not be empty.`);
  if (name === "") refuse(path(at, "name"), `'${path(at, "name")}' must not be empty.`);
  const input = readObject(block, "input", at);
  return { type: "tool-call", callId, name, toolKind: "function", arguments: argumentsText(input) };
}

function decodeResult(block: JsonObject, at: string, vault: ProofVault): ToolResultPart {
  const content = block.content;
  const part: ToolResultPart = {
    type: "tool-result",
    callId: requireString(block, "tool_use_id", at),
    toolKind: "function",
    content: content === undefined || content === null ? [] : decodeContent(content, path(at, "content"), vault),
  };
  if (readBoolean(block, "is_error", at)) part.isError = true;
  return part;
}

function decodeOpaque(block: JsonObject, type: string): OpaquePart {
  const part: OpaquePart = { type: "opaque", protocol: "messages", nativeType: type, payload: block };
  const text = opaqueText(block, type);
  if (text !== undefined) part.text = text;
  return part;
}

/** What a reader of another family can be shown of a block that only this protocol has. */
export function opaqueText(block: JsonObject, type: string): string | undefined {
  if (typeof block.text === "string" && block.text !== "") return block.text;
  // What a search of tools gave back: the definition stands in the request's tools, where the caller put it.
  if (type === "tool_reference" && typeof block.tool_name === "string") {
    return `The tool '${block.tool_name}' was found and can be called now.`;
  }
  const body = readableText(block.content);
  if (type !== "search_result") return body;
  const head = [block.title, block.source].filter((line) => typeof line === "string");
  return [...head, ...(body === undefined ? [] : [body])].join("\n");
}
