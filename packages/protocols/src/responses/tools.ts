import {
  type CanonicalRequest,
  type CustomTool,
  type Extras,
  type FunctionTool,
  type JsonObject,
  type JsonValue,
  refuse,
  type ServerTool,
  type Tool,
} from "../canonical/index.ts";
import { isStrictSchema } from "../shared/json-schema.ts";
import {
  isObject,
  missing,
  path,
  readArray,
  readBoolean,
  readEnum,
  readObject,
  readString,
  requireObject,
  requireString,
} from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { keepUnknown, ownExtra, withExtra, writeExtras } from "./extras.ts";
import { decodeTypedTool, typedWire } from "./typed-tools.ts";
import { serverToolName } from "./wire.ts";

/** A tool that the client runs. */
export type ClientTool = FunctionTool | CustomTool;

const functionKeys = new Set(["type", "name", "description", "parameters", "strict"]);
const customKeys = new Set(["type", "name", "description", "format"]);
const namespaceKeys = new Set(["type", "name", "description", "tools"]);

/** The rule for tool names on this wire (conversion.md 1.5.3). */
export const toolNameRule = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };

/** A list of tools, wherever it stands (`tools`, `additional_tools`, `tool_search_output`). Namespaces come out flat (T6). */
export function decodeTools(holder: JsonObject, at: string): Tool[] {
  const list = readArray(holder, "tools", at) ?? [];
  return list.flatMap((entry, index) => decodeTool(entry, path(path(at, "tools"), index)));
}

function decodeTool(entry: JsonValue, at: string): Tool[] {
  const wire = requireObject(entry, at);
  const type = requireString(wire, "type", at);
  if (type === "function") return [decodeFunction(wire, at)];
  if (type === "custom") return [decodeCustom(wire, at)];
  if (type === "namespace") return decodeNamespace(wire, at);
  const typed = decodeTypedTool(wire, at);
  if (typed) return [typed];
  return [{ type: "server", tool: serverToolName(type), protocol: "responses", payload: wire, at }];
}

function decodeFunction(wire: JsonObject, at: string): FunctionTool {
  const description = readString(wire, "description", at);
  const parameters = readObject(wire, "parameters", at);
  const strict = readBoolean(wire, "strict", at);
  return {
    type: "function",
    name: toolName(wire, at),
    ...(description === undefined ? {} : { description }),
    ...(parameters ? { parameters } : {}),
    ...(strict === undefined ? {} : { strict }),
    at,
    ...keepUnknown(wire, functionKeys),
  };
}

function decodeCustom(wire: JsonObject, at: string): CustomTool {
  const description = readString(wire, "description", at);
  const format = readObject(wire, "format", at);
  const formatAt = path(at, "format");
  const kind = format ? readEnum(format, "type", ["text", "grammar"], formatAt) : undefined;
  const syntax = format ? readEnum(format, "syntax", ["lark", "regex"], formatAt) : undefined;
  const grammar =
    format && kind === "grammar"
      ? {
          syntax: syntax ?? missing(path(formatAt, "syntax")),
          definition: requireString(format, "definition", formatAt),
        }
      : undefined;
  return {
    type: "custom",
    name: toolName(wire, at),
    ...(description === undefined ? {} : { description }),
    ...(grammar ? { grammar } : {}),
    at,
    ...keepUnknown(wire, customKeys),
  };
}

/**
 * Each tool of a namespace under the name `namespace__tool`; the mark `$namespace` leads back. Other families know no
 * groups, so what is said of the group stands in front of its first tool's description.
 */
function decodeNamespace(wire: JsonObject, at: string): Tool[] {
  const name = toolName(wire, at);
  const description = readString(wire, "description", at);
  const rest = keepUnknown(wire, namespaceKeys).extras?.responses;
  return decodeTools(wire, at).map((tool, index) => {
    const local = tool.type === "server" ? tool.tool : tool.name;
    const mark: JsonObject = {
      name,
      local,
      ...(description === undefined ? {} : { description }),
      ...(rest ? { rest } : {}),
    };
    if (tool.type === "server") return { ...tool, extras: withExtra(tool.extras, "$namespace", mark) };
    const named = { ...tool, name: flatName(name, local) };
    if (index > 0 || !description) return { ...named, extras: withExtra(tool.extras, "$namespace", mark) };
    const first: JsonObject = tool.description === undefined ? {} : { description: tool.description };
    const said = [`[${name}: ${description}]`, tool.description].filter(Boolean).join("\n\n");
    return { ...named, description: said, extras: withExtra(tool.extras, "$namespace", { ...mark, first }) };
  });
}

function toolName(wire: JsonObject, at: string): string {
  const name = requireString(wire, "name", at);
  if (name === "") refuse(path(at, "name"), `'${path(at, "name")}' must not be empty.`);
  return name;
}

/** A namespaced tool's canonical name. Tool search names a deferred plain tool as its own namespace: that one stays plain. */
export function flatName(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === name ? name : `${namespace}__${name}`;
}

/** `extras` of a call or a result, with the mark of the namespace that it names. */
export function withNamespace(extras: Extras | undefined, namespace: string | undefined, local: string) {
  return namespace === undefined ? extras : withExtra(extras, "$namespace", { name: namespace, local });
}

/** The namespace and the local name behind the canonical name of a tool, a call or a result, where it has them. */
export function namespaceOf({ extras }: { extras?: Extras }): { namespace: string; local: string } | undefined {
  const mark = ownExtra(extras, "$namespace");
  if (!isObject(mark) || typeof mark.name !== "string" || typeof mark.local !== "string") return undefined;
  return { namespace: mark.name, local: mark.local };
}

/** Tools -> wire, in the caller's order (T20). Tools that an input item carries are written by that item. */
export function encodeTools(
  request: CanonicalRequest,
  wireName: (name: string) => string,
  report: Report,
): JsonObject[] {
  const wires: JsonObject[] = [];
  let group: { name: string; tools: JsonObject[] } | undefined;
  for (const tool of request.tools) {
    if (ownExtra(tool.extras, "$item") === true) continue;
    const mark = namespaceOf(tool);
    const wire = encodeTool(tool, mark ? mark.local : wireName, request, report);
    if (!wire) continue;
    if (!mark) {
      wires.push(wire);
      group = undefined;
      continue;
    }
    if (group?.name !== mark.namespace) {
      group = { name: mark.namespace, tools: [] };
      wires.push(namespaceWire(tool, group.tools));
    }
    group.tools.push(wire);
  }
  return wires;
}

function namespaceWire(tool: Tool, tools: JsonObject[]): JsonObject {
  const mark = ownExtra(tool.extras, "$namespace");
  if (!isObject(mark)) return { type: "namespace", tools };
  return {
    type: "namespace",
    name: mark.name,
    ...(mark.description === undefined ? {} : { description: mark.description }),
    ...(isObject(mark.rest) ? mark.rest : {}),
    tools,
  };
}

function encodeTool(
  tool: Tool,
  name: string | ((name: string) => string),
  request: CanonicalRequest,
  report: Report,
): JsonObject | undefined {
  switch (tool.type) {
    case "function":
      return typedWire(tool.extras) ?? encodeFunction(tool, typeof name === "string" ? name : name(tool.name), report);
    case "custom":
      return encodeCustom(tool, typeof name === "string" ? name : name(tool.name));
    case "server":
      return encodeServerTool(tool, request, report);
  }
}

/** The description without what is said of the tool's group. */
function ownDescription(tool: FunctionTool | CustomTool): JsonObject {
  const mark = ownExtra(tool.extras, "$namespace");
  if (isObject(mark) && isObject(mark.first)) return mark.first;
  return tool.description === undefined ? {} : { description: tool.description };
}

/** `strict` is always written: left out, this protocol tries strict by itself and may refuse a loose schema (T13, J5). */
function encodeFunction(tool: FunctionTool, name: string, report: Report): JsonObject {
  const parameters = tool.parameters ?? { type: "object", properties: {} };
  let strict = tool.strict ?? false;
  if (strict && tool.parameters && !isStrictSchema(tool.parameters)) {
    report.approximated(
      at(tool, "strict"),
      "The schema is outside the strict subset, so the tool is sent as not strict.",
    );
    strict = false;
  }
  const wire: JsonObject = { type: "function", name, ...ownDescription(tool) };
  wire.parameters = parameters;
  wire.strict = strict;
  return writeExtras(wire, tool.extras);
}

function encodeCustom(tool: CustomTool, name: string): JsonObject {
  const wire: JsonObject = { type: "custom", name, ...ownDescription(tool) };
  if (tool.grammar) wire.format = { type: "grammar", syntax: tool.grammar.syntax, definition: tool.grammar.definition };
  return writeExtras(wire, tool.extras);
}

/** Another family's web search maps by meaning; any other provider-run tool is left out, or refused when it is forced (T7). */
function encodeServerTool(tool: ServerTool, request: CanonicalRequest, report: Report): JsonObject | undefined {
  if (tool.protocol === "responses") return tool.payload;
  const field = tool.at ?? "tools";
  if (tool.tool === "web_search") {
    report.emulated(field, "Web search is run by this model's own provider.");
    return webSearch(tool.payload);
  }
  const forced = request.toolChoice?.mode === "server" || request.toolChoice?.mode === "required";
  const functions = request.tools.some((other) => other.type !== "server");
  if (forced && !(functions && request.toolChoice?.mode === "required")) {
    refuse(field, `The tool '${tool.tool}' is run by another provider and cannot be forced on this model.`);
  }
  report.dropped(field, `The tool '${tool.tool}' is run by another provider.`);
  return undefined;
}

function webSearch(payload: JsonObject): JsonObject {
  const wire: JsonObject = { type: "web_search" };
  if (Array.isArray(payload.allowed_domains)) wire.filters = { allowed_domains: payload.allowed_domains };
  if (isObject(payload.user_location)) wire.user_location = payload.user_location;
  if (typeof payload.search_context_size === "string") wire.search_context_size = payload.search_context_size;
  return wire;
}

function at(tool: Tool, key: string): string {
  return tool.at ? path(tool.at, key) : key;
}
