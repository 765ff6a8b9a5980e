import type {
  JsonObject,
  JsonValue,
  OpaquePart,
  Part,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "../canonical/index.ts";
import { isMedia } from "../shared/media-kind.ts";
import { isObject } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { argumentsObject } from "../shared/tool-arguments.ts";
import { type CallIdRule, wireCallId } from "../shared/tool-call-ids.ts";
import type { ToolNames } from "../shared/tool-names.ts";
import { resultText } from "../shared/tool-results.ts";
import type { GenerateContentCapabilities } from "./capabilities.ts";
import { setField } from "./fields.ts";
import { withInertCalls } from "./inert-calls.ts";
import { encodeMedia, withExtras } from "./media.ts";
import { reasoningText } from "./reasoning.ts";
import { placeSignatures } from "./signatures.ts";

/** What the encoder of a conversation needs besides the turns. */
export interface TurnsContext {
  capabilities: GenerateContentCapabilities;
  names: ToolNames;
  report: Report;
}

/** Ids are free text here; the length is what hosts are known to take. */
export const callIdRule: CallIdRule = { pattern: /^[a-zA-Z0-9_.:-]+$/, maxLength: 64, prefix: "call_" };

/** Leading system turns as one `systemInstruction`; undefined where there is nothing to say. */
export function encodeSystem(
  turns: readonly Turn[],
  instruction: string | undefined,
  context: TurnsContext,
): JsonObject | undefined {
  const parts = turns.flatMap((turn) => turn.parts.flatMap((part) => encodePart(part, undefined, context)));
  if (instruction !== undefined) parts.push({ text: instruction });
  if (parts.length === 0) return undefined;
  return Object.assign({}, ...turns.map((turn) => turn.extras?.["generate-content"]), { parts });
}

/** Repaired turns as `contents`: results always in a content of their own, in the order of their calls (H4, H5). */
export function encodeContents(turns: readonly Turn[], context: TurnsContext): JsonObject[] {
  const contents: JsonObject[] = [];
  const names = new Map<string, string>();
  const { signedCalls, signatureStandIn } = context.capabilities;
  const sayable = signedCalls && !signatureStandIn ? withInertCalls(turns, context.report) : turns;
  for (const turn of sayable) {
    const role = turn.role === "assistant" ? "model" : "user";
    const parts =
      role === "model" ? encodeModelParts(turn, names, context) : encodeUserParts(turn, names, contents, context);
    // Recorded servers take a user's empty text, and a content must have a part.
    if (parts.length === 0 && role === "user" && !turn.parts.some(isResult)) parts.push({ text: "" });
    if (parts.length > 0) contents.push({ role, parts, ...turn.extras?.["generate-content"] });
  }
  return contents;
}

function isResult(part: Part): boolean {
  return part.type === "tool-result";
}

function encodeModelParts(turn: Turn, names: Map<string, string>, context: TurnsContext): JsonObject[] {
  const signatures = placeSignatures(turn.parts, context.capabilities.signedCalls);
  const parts: JsonObject[] = [];
  turn.parts.forEach((part, index) => {
    if (part.type === "tool-call") names.set(part.callId, part.name);
    for (const wire of encodePart(part, signatures.get(index), context)) parts.push(wire);
  });
  return parts;
}

function encodeUserParts(
  turn: Turn,
  names: ReadonlyMap<string, string>,
  contents: JsonObject[],
  context: TurnsContext,
): JsonObject[] {
  const results: JsonObject[] = [];
  const rest: JsonObject[] = [];
  for (const part of turn.parts) {
    if (part.type === "tool-result") results.push(encodeResult(part, names, context));
    else for (const wire of encodePart(part, undefined, context)) rest.push(wire);
  }
  if (results.length > 0) contents.push({ role: "user", parts: results });
  return rest;
}

/** One part, with the signature that belongs on it. Empty where nothing is left of it. */
function encodePart(part: Part, signature: string | undefined, context: TurnsContext): JsonObject[] {
  const wire = encodeData(part, signature, context);
  if (!wire) return [];
  if (signature !== undefined) wire.thoughtSignature = signature;
  return [withExtras(wire, part.extras?.["generate-content"])];
}

function encodeData(part: Part, signature: string | undefined, context: TurnsContext): JsonObject | undefined {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" && signature === undefined ? undefined : { text: part.text };
    case "reasoning": {
      const text = reasoningText(part);
      if (text !== "") return { text, thought: true };
      return signature === undefined ? undefined : { text: "" };
    }
    case "tool-call":
      return { functionCall: encodeCall(part, context) };
    case "image":
    case "audio":
    case "video":
    case "document":
      return encodeMedia(part, context.report);
    case "server-tool":
      if (part.protocol === "generate-content") return { ...part.payload };
      context.report.dropped(
        part.at ?? part.tool,
        `The earlier use of the provider-run tool '${part.tool}' cannot be shown to this model.`,
      );
      return undefined;
    case "opaque":
      if (part.protocol === "generate-content" && isObject(part.payload)) return { ...part.payload };
      reportForeign(part, context.report);
      return part.text === undefined ? undefined : { text: part.text };
    case "tool-result":
      // History repair puts results into user turns only; one elsewhere is shown as text.
      return { text: resultText(part) };
  }
}

/** Tells what becomes of content that only another protocol has. */
function reportForeign(part: OpaquePart, report: Report): void {
  const field = part.at ?? part.nativeType;
  const kind = `Content of the kind '${part.nativeType}'`;
  if (part.text === undefined) report.dropped(field, `${kind} cannot be sent to this model.`);
  else report.approximated(field, `${kind} was sent as its text.`);
}

function encodeCall(part: ToolCallPart, context: TurnsContext): JsonObject {
  const { capabilities, names, report } = context;
  const args =
    part.toolKind === "custom"
      ? { input: part.arguments }
      : argumentsObject(part.arguments, part.at ?? "arguments", report);
  const call: JsonObject = {};
  if (capabilities.callIds) call.id = wireCallId(part.callId, callIdRule);
  call.name = names.wire(part.name);
  call.args = args;
  return call;
}

function encodeResult(part: ToolResultPart, known: ReadonlyMap<string, string>, context: TurnsContext): JsonObject {
  const { capabilities, names, report } = context;
  const response: JsonObject = {};
  if (capabilities.callIds) response.id = wireCallId(part.callId, callIdRule);
  response.name = names.wire(known.get(part.callId) ?? part.name ?? "function");
  response.response = responseOf(part);
  for (const inner of part.content) if (inner.type === "opaque") reportForeign(inner, report);
  const media = part.content.filter(isMedia).filter((inner) => inner.source.type !== "text");
  if (media.length > 0) response.parts = media.map((inner) => encodeMedia(inner, report));
  const { functionResponse, ...extras } = part.extras?.["generate-content"] ?? {};
  const data = isObject(functionResponse) ? { ...functionResponse, ...response } : response;
  return withExtras({ functionResponse: data }, extras);
}

/** An object passes as it is, anything else under the key that the convention gives (T16, T17). */
function responseOf(part: ToolResultPart): JsonObject {
  const text = resultText(part);
  const object = objectOf(text);
  if (part.isError) return object && Object.hasOwn(object, "error") ? object : { error: text };
  return object ?? { output: text };
}

/** The object that a text spells, unless reading and writing it would change its numbers. */
function objectOf(text: string): JsonObject | undefined {
  if (!text.startsWith("{") || /\d{16}/.test(text)) return undefined;
  try {
    const value: JsonValue = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON: the result is plain text.
    return undefined;
  }
}

/** Puts values back at the paths under which the decoder of this protocol kept them (`generationConfig.speechConfig`). */
export function restoreExtras(body: JsonObject, extras: JsonObject | undefined): void {
  for (const [place, value] of Object.entries(extras ?? {})) {
    const steps = /^(generationConfig|toolConfig)\./.test(place) ? place.split(".") : [place];
    const last = steps.pop() ?? place;
    let target = body;
    for (const step of steps) {
      const next = target[step];
      if (isObject(next)) target = next;
      else {
        const fresh: JsonObject = {};
        target[step] = fresh;
        target = fresh;
      }
    }
    if (target[last] === undefined) setField(target, last, value);
  }
}
