import {
  type JsonObject,
  type Part,
  type PartBase,
  type Proof,
  refuse,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import {
  isObject,
  missing,
  path,
  readBoolean,
  readObject,
  readString,
  requireString,
  unknownFields,
} from "../shared/read.ts";
import { argumentsText } from "../shared/tool-arguments.ts";
import { positionalCallId } from "../shared/tool-call-ids.ts";
import { camelFields, readFields, readObjects } from "./fields.ts";
import { decodeMedia } from "./media.ts";
import { openSignature } from "./reasoning.ts";
import { serverPart } from "./server-tools.ts";
import { contentFields, partFields } from "./wire.ts";

/** `systemInstruction` and `contents` as turns. Neighbouring contents of one role are one turn (generate-content.md 12). */
export function decodeTurns(body: JsonObject, vault: ProofVault): Turn[] {
  const contents = readObjects(body, "contents") ?? missing("contents");
  if (contents.length === 0) refuse("contents", "'contents' must not be empty.");
  return [...decodeSystem(body, vault), ...new Conversation(vault).read(contents)];
}

function decodeSystem(body: JsonObject, vault: ProofVault): Turn[] {
  const at = "systemInstruction";
  // Some clients send plain text, which means one text part.
  const text = body[at];
  if (typeof text === "string") return text === "" ? [] : [{ role: "system", at, parts: [{ type: "text", text, at }] }];
  const content = readFields(body, at);
  if (!content) return [];
  const parts = new Conversation(vault).parts(content, at, 0);
  const rest = unknownFields(content, contentFields);
  if (parts.length === 0 && !rest) return [];
  return [{ role: "system", at, parts, ...(rest ? { extras: { "generate-content": rest } } : {}) }];
}

/** Reads contents in their order, because a result finds its call by the calls before it. One per request. */
class Conversation {
  readonly #vault: ProofVault;
  readonly #turns: Turn[] = [];
  /** Calls of the last model turn that wait for their result. */
  #waiting: ToolCallPart[] = [];

  constructor(vault: ProofVault) {
    this.#vault = vault;
  }

  read(contents: JsonObject[]): Turn[] {
    contents.forEach((raw, index) => {
      const at = path("contents", index);
      const content = camelFields(raw);
      const { role, extras } = roleOf(content, at);
      const last = this.#turns.at(-1);
      const joins = last !== undefined && last.role === role && !last.extras && !extras;
      if (role === "assistant" && !joins) this.#waiting = [];
      const turn: Turn = joins
        ? last
        : { role, at, parts: [], ...(extras ? { extras: { "generate-content": extras } } : {}) };
      const parts = this.parts(content, at, turn.parts.length, joins ? this.#turns.length - 1 : this.#turns.length);
      if (parts.length === 0) {
        // A model content without parts is what some clients keep of an answer without content; it says nothing.
        if (role === "assistant") return;
        refuse(path(at, "parts"), `'${path(at, "parts")}' must not be empty.`);
      }
      append(turn.parts, parts, joins && role === "assistant");
      if (!joins) this.#turns.push(turn);
    });
    if (this.#turns.length === 0) refuse("contents", "'contents' holds no content with parts.");
    return this.#turns;
  }

  /** `offset` and `turn` tell the place of the first part, from which calls without an id get theirs. */
  parts(content: JsonObject, at: string, offset: number, turn = 0): Part[] {
    const parts: Part[] = [];
    (readObjects(content, "parts", at) ?? []).forEach((raw, index) => {
      const field = path(path(at, "parts"), index);
      this.#part(camelFields(raw), field, parts, { turn, part: offset + index });
    });
    return parts;
  }

  #part(part: JsonObject, at: string, parts: Part[], place: { turn: number; part: number }): void {
    const base: PartBase = { at };
    const rest = unknownFields(part, partFields);
    if (rest) base.extras = { "generate-content": rest };
    const proof = openSignature(part, at, this.#vault);
    if (proof?.family === "gemini") base.proof = proof;
    else if (proof) giveToReasoning(parts, proof, at, part.thought === true);
    const decoded = this.#data(part, at, base, place);
    // A foreign proof on an empty text is all there was.
    if (decoded.type === "text" && decoded.text === "" && proof && !base.proof) return;
    if (decoded.type === "reasoning" && proof && !base.proof) decoded.proof = proof;
    parts.push(decoded);
  }

  #data(part: JsonObject, at: string, base: PartBase, place: { turn: number; part: number }): Part {
    const media = decodeMedia(part, at, base);
    if (media) return media;
    const call = readFields(part, "functionCall", at);
    if (call) return this.#call(call, path(at, "functionCall"), base, place);
    const response = readFields(part, "functionResponse", at);
    if (response) return this.#result(response, path(at, "functionResponse"), base);
    const server = serverPart(part, base);
    if (server) return server;
    const text = readString(part, "text", at);
    if (readBoolean(part, "thought", at)) return { type: "reasoning", ...(text ? { summary: [text] } : {}), ...base };
    if (text !== undefined) return { type: "text", text, ...base };
    if (base.proof || part.thoughtSignature) return { type: "text", text: "", ...base };
    return unknownPart(part, at);
  }

  #call(call: JsonObject, at: string, base: PartBase, place: { turn: number; part: number }): ToolCallPart {
    const name = requireString(call, "name", at);
    const id = readString(call, "id", at) || positionalCallId(place.turn, place.part, name);
    const args = argumentsText(readObject(call, "args", at));
    const part: ToolCallPart = { type: "tool-call", callId: id, name, toolKind: "function", arguments: args, ...base };
    this.#waiting.push(part);
    return part;
  }

  /** A result without an id answers the first waiting call of its name; left open, history repair looks further. */
  #result(response: JsonObject, at: string, base: PartBase): ToolResultPart {
    const name = requireString(response, "name", at);
    const id = readString(response, "id", at) || undefined;
    const found = this.#waiting.findIndex((call) => (id === undefined ? call.name === name : call.callId === id));
    const call = found === -1 ? undefined : this.#waiting.splice(found, 1)[0];
    const { text, isError } = resultOf(readObject(response, "response", at) ?? {});
    const content: Part[] = text === "" ? [] : [{ type: "text", text }];
    (readObjects(response, "parts", at) ?? []).forEach((raw, index) => {
      const field = path(path(at, "parts"), index);
      content.push(decodeMedia(camelFields(raw), field, { at: field }) ?? unknownPart(raw, field));
    });
    const part: ToolResultPart = {
      type: "tool-result",
      callId: id ?? call?.callId ?? "",
      name,
      toolKind: "function",
      content,
      ...base,
    };
    if (isError) part.isError = true;
    const rest = unknownFields(response, responseFields);
    if (rest) part.extras = { "generate-content": { ...base.extras?.["generate-content"], functionResponse: rest } };
    return part;
  }
}

const responseFields: ReadonlySet<string> = new Set(["id", "name", "response", "parts"]);

/** `output` and `error` alone are the convention for a text; any other object is the text of its JSON (T16, T17). */
function resultOf(response: JsonObject): { text: string; isError: boolean } {
  const keys = Object.keys(response);
  const [key] = keys;
  if (keys.length === 0) return { text: "{}", isError: false };
  const lone = keys.length === 1 && key !== undefined ? response[key] : undefined;
  if (key === "output" && typeof lone === "string") return { text: lone, isError: false };
  if (key === "error" && lone !== undefined) {
    return { text: typeof lone === "string" ? lone : JSON.stringify(response), isError: true };
  }
  return { text: JSON.stringify(response), isError: false };
}

/** A proof of another family signs what stood before this part: the reasoning of that family's model. */
function giveToReasoning(parts: Part[], proof: Proof, at: string, onThought: boolean): void {
  if (onThought) return;
  const last = parts.at(-1);
  if (last?.type === "reasoning" && !last.proof) last.proof = proof;
  else parts.push({ type: "reasoning", proof, at });
}

function unknownPart(part: JsonObject, at: string): Part {
  const nativeType = Object.keys(part).find((key) => part[key] !== null && !sideFields.has(key));
  if (nativeType === undefined) refuse(at, `'${at}' must hold content, for example 'text'.`);
  const value = part[nativeType];
  const text = isObject(value) && typeof value.text === "string" ? value.text : undefined;
  return {
    type: "opaque",
    protocol: "generate-content",
    nativeType,
    payload: part,
    at,
    ...(text === undefined ? {} : { text }),
  };
}

/** Fields that say something about a part's data and are none themselves. */
const sideFields: ReadonlySet<string> = new Set([
  "thought",
  "videoMetadata",
  "mediaResolution",
  "partMetadata",
  "mediaProcessing",
  "speechMetadata",
]);

/** The role, and what to keep of one that the protocol does not know. */
function roleOf(content: JsonObject, at: string): { role: Turn["role"]; extras?: JsonObject } {
  const word = readString(content, "role", at);
  const rest = unknownFields(content, contentFields);
  const extras = rest ? { extras: rest } : {};
  switch (word) {
    case "model":
    case "assistant":
      return { role: "assistant", ...extras };
    case "system":
      return { role: "system", ...extras };
    case undefined:
    case "":
    case "user":
    case "function":
    case "tool":
      return { role: "user", ...extras };
    default:
      return { role: "user", extras: { ...rest, role: word } };
  }
}

/**
 * Chunks of one streamed text come back as a content each: where two meet, their texts are one text again, and a proof
 * that came alone goes to the reasoning before it.
 */
function append(parts: Part[], more: Part[], chunks: boolean): void {
  const last = parts.at(-1);
  const first = more[0];
  const joined = chunks && last !== undefined && first !== undefined && join(last, first);
  for (const part of joined ? more.slice(1) : more) parts.push(part);
}

/** Puts the later part into the earlier one where both are pieces of one part. */
function join(earlier: Part, later: Part): boolean {
  if (earlier.proof || earlier.extras || later.extras) return false;
  if (earlier.type === "text" && later.type === "text" && !later.proof) {
    earlier.text += later.text;
    return true;
  }
  if (earlier.type !== "reasoning" || later.type !== "reasoning") return false;
  if (later.proof && later.summary) return false;
  if (later.summary) earlier.summary = [(earlier.summary ?? []).join("\n\n") + later.summary.join("\n\n")];
  if (later.proof) earlier.proof = later.proof;
  return true;
}
