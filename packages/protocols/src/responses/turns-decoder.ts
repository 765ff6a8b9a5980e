import type {
  JsonObject,
  JsonValue,
  OpaquePart,
  Part,
  Tool,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "../canonical/index.ts";
import type { DecodeRequestContext, ProofVault } from "../codec.ts";
import { isObject, path, readEnum, readString, requireObject, requireString } from "../shared/read.ts";
import { withoutErrorPrefix } from "../shared/tool-results.ts";
import { keepUnknown, withExtra } from "./extras.ts";
import { decodeContent } from "./parts-decoder.ts";
import { decodeReasoningInput } from "./reasoning.ts";
import { type ClientTool, decodeTools, flatName, withNamespace } from "./tools.ts";
import { decodeTypedCall, decodeTypedResult, typedWire } from "./typed-tools.ts";
import { itemClassOf, serverToolName } from "./wire.ts";

const messageKeys = new Set(["type", "id", "role", "content", "status", "phase"]);
const callKeys = new Set(["type", "id", "call_id", "name", "arguments", "input", "status", "namespace"]);
const resultKeys = new Set(["type", "id", "call_id", "output", "status", "name", "namespace"]);
const roles = ["user", "assistant", "system", "developer"] as const;

/** A conversation out of `input`, and the tools that items of it bring along (T6). */
export interface DecodedInput {
  turns: Turn[];
  tools: Tool[];
  /** What searches have found, and the results that tell the model of it, by `tellFound`, once its names are known. */
  found: { tools: Tool[]; result: ToolResultPart }[];
}

/** What is known while the items are read one after another. */
interface Reading extends DecodedInput {
  vault: ProofVault;
}

/**
 * `input` -> turns. A message is a turn; the items that one model answer consists of are one assistant turn; the results
 * behind them are one user turn. Item ids and statuses are bookkeeping of the provider's store and not kept, except the
 * id that a reasoning item needs.
 */
export function decodeInput(input: JsonValue, { vault, inputPlaces }: DecodeRequestContext): DecodedInput {
  const reading: Reading = { turns: [], tools: [], found: [], vault };
  if (typeof input === "string") {
    reading.turns.push({ role: "user", parts: [{ type: "text", text: input, at: "input" }], at: "input" });
    return reading;
  }
  if (!Array.isArray(input)) {
    requireObject(undefined, "input");
    return reading;
  }
  for (const [index, entry] of input.entries()) {
    const at = inputPlaces?.[index] ?? path("input", index);
    decodeItem(requireObject(entry, at), at, reading);
  }
  return reading;
}

function decodeItem(item: JsonObject, at: string, reading: Reading): void {
  const type = readString(item, "type", at);
  if (type === undefined) {
    const isReference = item.role === undefined && typeof item.id === "string";
    if (isReference) keepOpaque("item_reference", item, at, reading);
    else decodeMessage(item, at, reading);
    return;
  }
  switch (itemClassOf(type)) {
    case "message":
      decodeMessage(item, at, reading);
      return;
    case "call":
      addAssistant(reading, decodeCall(item, type, at), at);
      return;
    case "result":
      addUser(reading, decodeResult(item, type, at), at);
      return;
    case "reasoning":
      addAssistant(reading, decodeReasoningInput(item, at, reading.vault), at);
      return;
    case "server-call":
      addAssistant(reading, decodeTypedCall(item, at) ?? serverTool(item, type, "call", at), at);
      return;
    case "server-result":
      decodeServerResult(item, type, at, reading);
      return;
    case "client-output":
      decodeClientOutput(item, type, at, reading);
      return;
    case "opaque":
    case undefined:
      keepOpaque(type, item, at, reading);
      return;
    case "tools":
      takeTools(item, at, reading);
      reading.turns.push({ role: "developer", parts: [{ ...opaque(type, item, at), restated: true }], at });
      return;
  }
}

function decodeMessage(item: JsonObject, at: string, reading: Reading): void {
  const role = roles.find((known) => known === item.role);
  if (!role) {
    requireString(item, "role", at);
    keepOpaque("message", item, at, reading);
    return;
  }
  const parts = decodeContent(item, "content", at);
  const phase = readEnum(item, "phase", ["commentary", "final_answer"], at);
  const more: Pick<Turn, "phase" | "extras"> = { ...(phase ? { phase } : {}), ...keepUnknown(item, messageKeys) };
  if (role !== "assistant") {
    reading.turns.push({ role, parts, at, ...more });
    return;
  }
  const open = openAssistant(reading);
  // One answer may hold several messages; a second one with another phase cannot share the turn.
  const joins = open && !more.extras && !open.extras && (!hasMessage(open) || open.phase === phase);
  if (!joins) {
    reading.turns.push({ role, parts, at, ...more });
    return;
  }
  open.parts.push(...parts);
  if (phase) open.phase = phase;
}

function hasMessage(turn: Turn): boolean {
  return turn.parts.some((part) => part.type === "text" || part.type === "refusal");
}

function decodeCall(item: JsonObject, type: string, at: string): ToolCallPart {
  const namespace = readString(item, "namespace", at);
  const custom = type === "custom_tool_call";
  const raw = custom ? requireString(item, "input", at) : requireString(item, "arguments", at);
  const name = requireString(item, "name", at);
  const extras = withNamespace(keepUnknown(item, callKeys).extras, namespace, name);
  return {
    type: "tool-call",
    callId: requireString(item, "call_id", at),
    name: flatName(namespace, name),
    toolKind: custom ? "custom" : "function",
    arguments: !custom && raw === "" ? "{}" : raw,
    at,
    ...(extras ? { extras } : {}),
  };
}

function decodeResult(item: JsonObject, type: string, at: string): ToolResultPart {
  const { content, isError } = unfoldError(decodeContent(item, "output", at));
  const name = readString(item, "name", at);
  const namespace = readString(item, "namespace", at);
  const unknown = keepUnknown(item, resultKeys).extras;
  const extras = name === undefined ? unknown : withNamespace(unknown, namespace, name);
  return {
    type: "tool-result",
    callId: readString(item, "call_id", at) ?? "",
    ...(name === undefined ? {} : { name: flatName(namespace, name) }),
    toolKind: type === "custom_tool_call_output" ? "custom" : "function",
    content,
    ...(isError ? { isError } : {}),
    at,
    ...(extras ? { extras } : {}),
  };
}

/** An error's text begins with a fixed prefix, because the protocol has no flag for it (T16). */
function unfoldError(content: Part[]): { content: Part[]; isError: boolean } {
  const [first, ...rest] = content;
  if (first?.type !== "text") return { content, isError: false };
  const { text, isError } = withoutErrorPrefix(first.text);
  if (!isError) return { content, isError };
  return { content: text === "" && rest.length > 0 ? rest : [{ ...first, text }, ...rest], isError };
}

function decodeClientOutput(item: JsonObject, type: string, at: string, reading: Reading): void {
  if (isServerShell(item, reading)) {
    addAssistant(reading, serverTool(item, type, "result", at), at);
    return;
  }
  addUser(reading, decodeTypedResult(item, at, (id) => callOf(id, reading)) ?? opaque(type, item, at), at);
}

/** The call id of the typed item with this id; the id itself where no item has it. */
function callOf(itemId: string, reading: Reading): string {
  for (const { parts } of reading.turns) {
    for (const part of parts)
      if (part.type === "tool-call" && typedWire(part.extras)?.id === itemId) return part.callId;
  }
  return itemId;
}

/** What a search that the client ran has found is a result of its call; any other result is the provider's own. */
function decodeServerResult(item: JsonObject, type: string, at: string, reading: Reading): void {
  const tools = takeTools(item, at, reading);
  const result = decodeTypedResult(item, at, (id) => callOf(id, reading));
  if (result) {
    reading.found.push({ tools, result });
    addUser(reading, result, at);
  } else addAssistant(reading, serverTool(item, type, "result", at), at);
}

/** Writes into the results of searches what they found. `nameOf`: the canonical name of a tool. */
export function tellFound({ found }: DecodedInput, nameOf: (tool: ClientTool) => string): void {
  for (const { tools, result } of found) {
    const lines = tools.flatMap((tool) => {
      if (tool.type === "server") return [];
      return [tool.description ? `- ${nameOf(tool)}: ${tool.description}` : `- ${nameOf(tool)}`];
    });
    const text = lines.length === 0 ? "No tools were found." : ["These tools can be called now:", ...lines].join("\n");
    result.content = [{ type: "text", text }];
  }
}

/** The output of a shell that ran at the provider belongs to the model's side. */
function isServerShell(item: JsonObject, reading: Reading): boolean {
  if (item.type !== "shell_call_output") return false;
  return reading.turns.some((turn) =>
    turn.parts.some((part) => part.type === "server-tool" && part.payload.call_id === item.call_id),
  );
}

/** Tools that an item brings count as offered; the mark keeps them from being written twice. */
function takeTools(item: JsonObject, at: string, reading: Reading): Tool[] {
  const tools = decodeTools(item, at);
  for (const tool of tools) reading.tools.push({ ...tool, extras: withExtra(tool.extras, "$item", true) });
  return tools;
}

function keepOpaque(type: string, item: JsonObject, at: string, reading: Reading): void {
  const part = opaque(type, item, at);
  const role = roles.find((known) => known === item.role);
  const begins = reading.turns.every((turn) => turn.role === "system" || turn.role === "developer");
  if (role && role !== "assistant") reading.turns.push({ role, parts: [part], at });
  else if (begins || type === "item_reference" || type === "compaction_trigger" || part.text !== undefined)
    addUser(reading, part, at);
  else addAssistant(reading, part, at);
}

function opaque(type: string, item: JsonObject, at: string): OpaquePart {
  const text = readableText(item);
  return {
    type: "opaque",
    protocol: "responses",
    nativeType: type,
    payload: item,
    ...(text === undefined ? {} : { text }),
    at,
  };
}

/** Text inside an item of an unknown kind, so that another family can be shown it (R7). */
function readableText(item: JsonObject): string | undefined {
  for (const value of [item.text, item.content, item.output]) {
    if (typeof value === "string") return value;
    if (!Array.isArray(value)) continue;
    const texts = value.map((entry) => (isObject(entry) && typeof entry.text === "string" ? entry.text : ""));
    if (texts.some((text) => text !== "")) return texts.join("\n");
  }
  return undefined;
}

function serverTool(item: JsonObject, type: string, role: "call" | "result", at: string): Part {
  return { type: "server-tool", role, tool: serverToolName(type), protocol: "responses", payload: item, at };
}

function openAssistant(reading: Reading): Turn | undefined {
  const last = reading.turns.at(-1);
  return last?.role === "assistant" ? last : undefined;
}

function addAssistant(reading: Reading, part: Part, at: string): void {
  const open = openAssistant(reading);
  if (open) open.parts.push(part);
  else reading.turns.push({ role: "assistant", parts: [part], at });
}

/** Results of one batch are one user turn; a message of the user is another. */
function addUser(reading: Reading, part: Part, at: string): void {
  const last = reading.turns.at(-1);
  const joins = last?.role === "user" && last.parts.every((other) => other.type === part.type);
  if (joins && part.type === "tool-result") last.parts.push(part);
  else reading.turns.push({ role: "user", parts: [part], at });
}
