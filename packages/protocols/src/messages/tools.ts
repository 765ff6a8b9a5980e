import {
  type CanonicalRequest,
  type FunctionTool,
  type JsonObject,
  type JsonValue,
  refuse,
  type ServerTool,
  type Tool,
  type ToolChoice,
} from "../canonical/index.ts";
import { customAsFunction, customToolNames } from "../shared/custom-tools.ts";
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
  unknownFields,
} from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { filterTools } from "../shared/subset-choice.ts";
import { decodeCacheMark, encodeCacheMark } from "./cache-marks.ts";
import type { MessagesCapabilities } from "./capabilities.ts";
import { inputSchema, isClosedSchema } from "./schema.ts";
import { decodeTypedTool, typedWire } from "./typed-tools.ts";

const functionKeys = new Set(["type", "name", "description", "input_schema", "strict", "cache_control"]);

/** Length and letters of a tool name (messages.md 5). */
export const toolNameRule = { pattern: /^[a-zA-Z0-9_-]{1,128}$/, maxLength: 128 };

/** What the provider's web search is called, in the canonical form and on this wire. */
const webSearchName = "web_search";

/** Letters of a call id. */
export const callIdRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 256, prefix: "toolu_" };

/** `tools`: functions of the client, and everything that has a version in its type, whoever runs it. */
export function decodeTools(body: JsonObject): Tool[] {
  return (readArray(body, "tools") ?? []).map((value, index) => {
    const at = path("tools", index);
    const tool = requireObject(value, at);
    const type = readString(tool, "type", at);
    if (type === undefined || type === "custom") return decodeFunction(tool, at);
    return decodeTyped(tool, type, at) ?? decodeServerTool(tool, type, at);
  });
}

function decodeFunction(body: JsonObject, at: string): FunctionTool {
  const name = requireString(body, "name", at);
  if (name === "") refuse(path(at, "name"), `'${path(at, "name")}' must not be empty.`);
  const parameters = readObject(body, "input_schema", at) ?? missing(path(at, "input_schema"));
  const tool: FunctionTool = { type: "function", name, parameters, at };
  const description = readString(body, "description", at);
  const strict = readBoolean(body, "strict", at);
  const cache = decodeCacheMark(body, at);
  const rest = unknownFields(body, functionKeys);
  if (description !== undefined) tool.description = description;
  if (strict !== undefined) tool.strict = strict;
  if (cache) tool.cache = cache;
  if (rest) tool.extras = { messages: rest };
  return tool;
}

function decodeTyped(body: JsonObject, type: string, at: string): FunctionTool | undefined {
  const tool = decodeTypedTool(body, type, at);
  const cache = tool && decodeCacheMark(body, at);
  return cache ? { ...tool, cache } : tool;
}

function decodeServerTool(body: JsonObject, type: string, at: string): ServerTool {
  const cache = decodeCacheMark(body, at);
  const tool: ServerTool = {
    type: "server",
    tool: type.replace(/_\d{8}$/, ""),
    protocol: "messages",
    payload: body,
    at,
  };
  return cache ? { ...tool, cache } : tool;
}

/** The field's word for a provider-run tool's call or result block. */
export function serverToolName(block: JsonObject, type: string): string {
  if (type.startsWith("mcp_")) return "mcp";
  if (type.endsWith("_tool_result")) return type.slice(0, -"_tool_result".length);
  return typeof block.name === "string" ? block.name : type;
}

export interface DecodedToolChoice {
  choice?: ToolChoice;
  parallel?: boolean;
}

/** `tool_choice`. `auto` is the default and counts as not said. */
export function decodeToolChoice(body: JsonObject, tools: readonly Tool[]): DecodedToolChoice {
  const choice = readObject(body, "tool_choice");
  if (!choice) return {};
  const at = "tool_choice";
  const type = readEnum(choice, "type", ["auto", "any", "tool", "none"], at) ?? missing(path(at, "type"));
  const result: DecodedToolChoice = {};
  if (readBoolean(choice, "disable_parallel_tool_use", at)) result.parallel = false;
  switch (type) {
    case "auto":
      break;
    case "any":
      result.choice = { mode: "required" };
      break;
    case "none":
      result.choice = { mode: "none" };
      break;
    case "tool": {
      const name = requireString(choice, "name", at);
      const server = tools.some((tool) => tool.type === "server" && tool.payload.name === name);
      result.choice = server ? { mode: "server", protocol: "messages", payload: choice } : { mode: "tool", name };
    }
  }
  return result;
}

export interface EncodedTools {
  tools: JsonObject[];
  choice: JsonObject | undefined;
  /** Client names of the custom tools whose calls come back as functions. */
  customTools: Set<string>;
}

/** Tools and tool choice for the upstream, in the client's order (T20). `wire` gives the legal form of a name. */
export function encodeTools(
  request: CanonicalRequest,
  capabilities: MessagesCapabilities,
  wire: (name: string) => string,
  report: Report,
): EncodedTools {
  const { tools: offered, choice } = filterTools(request, report);
  const tools: JsonObject[] = [];
  for (const tool of offered) {
    switch (tool.type) {
      case "function":
        tools.push(encodeFunction(tool, capabilities, wire, report));
        break;
      case "custom":
        report.emulated(
          tool.at ?? "tools",
          `The free-text tool '${tool.name}' is offered as a function with one text argument.`,
        );
        tools.push(encodeFunction(customAsFunction(tool), capabilities, wire, report));
        break;
      case "server": {
        const encoded = encodeServerTool(tool, report);
        if (encoded) tools.push(encoded);
      }
    }
  }
  const wireChoice = encodeToolChoice(choice, request, tools, capabilities, wire, report);
  return { tools, choice: wireChoice, customTools: customToolNames(request) };
}

function encodeFunction(
  tool: FunctionTool,
  capabilities: MessagesCapabilities,
  wire: (name: string) => string,
  report: Report,
): JsonObject {
  const typed = typedWire(tool);
  if (typed) return typed;
  const field = tool.at ?? "tools";
  const body: JsonObject = { name: wire(tool.name) };
  if (tool.description !== undefined && tool.description !== "") body.description = tool.description;
  const schema = inputSchema(tool.parameters, field, report);
  body.input_schema = schema;
  if (tool.strict) {
    if (capabilities.strictTools && isClosedSchema(schema)) body.strict = true;
    else report.dropped(path(field, "strict"), "This model cannot hold the tool's arguments to this schema strictly.");
  }
  if (tool.cache) body.cache_control = encodeCacheMark(tool.cache);
  return { ...body, ...tool.extras?.messages };
}

function encodeServerTool(tool: ServerTool, report: Report): JsonObject | undefined {
  if (tool.protocol === "messages") return tool.payload;
  const field = tool.at ?? "tools";
  if (tool.tool === webSearchName) {
    report.emulated(field, "The model's own web search takes the place of the one that was named.");
    return webSearch(tool.payload);
  }
  report.dropped(field, `The provider of this model does not run the tool '${tool.tool}'.`);
  return undefined;
}

/** Names that the encoder itself gives to tools, so that no tool of the client may have them. */
export function ownToolNames(tools: readonly Tool[]): Set<string> {
  const searches = tools.some(
    (tool) => tool.type === "server" && tool.protocol !== "messages" && tool.tool === webSearchName,
  );
  return new Set(searches ? [webSearchName] : []);
}

/** Web search by meaning: place of the user and allowed sites survive. */
function webSearch(payload: JsonObject): JsonObject {
  const body: JsonObject = { type: "web_search_20250305", name: webSearchName };
  const filters = payload.filters;
  const domains = isObject(filters) ? filters.allowed_domains : undefined;
  if (Array.isArray(domains) && domains.length > 0) body.allowed_domains = domains;
  const place = payload.user_location;
  if (isObject(place)) {
    const approximate: JsonValue | undefined = isObject(place.approximate) ? place.approximate : place;
    const location: JsonObject = { type: "approximate" };
    for (const key of ["city", "region", "country", "timezone"]) {
      if (typeof approximate[key] === "string") location[key] = approximate[key];
    }
    if (Object.keys(location).length > 1) body.user_location = location;
  }
  return body;
}

function encodeToolChoice(
  choice: ToolChoice | undefined,
  request: CanonicalRequest,
  tools: readonly JsonObject[],
  capabilities: MessagesCapabilities,
  wire: (name: string) => string,
  report: Report,
): JsonObject | undefined {
  const serial = request.parallelToolCalls === false;
  if (tools.length === 0) {
    if (choice && choice.mode !== "auto" && choice.mode !== "none") {
      refuse("tool_choice", "'tool_choice' demands a tool call, but there is no tool that this model can be offered.");
    }
    return undefined;
  }
  const forced = forcedChoice(choice, tools, wire);
  if (forced && !capabilities.forcedTools) {
    report.approximated("tool_choice", "This model cannot be made to call a tool; it decides by itself.");
    return serial ? { type: "auto", disable_parallel_tool_use: true } : undefined;
  }
  if (forced) return serial ? { ...forced, disable_parallel_tool_use: true } : forced;
  if (choice?.mode === "none") return { type: "none" };
  return serial ? { type: "auto", disable_parallel_tool_use: true } : undefined;
}

function forcedChoice(
  choice: ToolChoice | undefined,
  tools: readonly JsonObject[],
  wire: (name: string) => string,
): JsonObject | undefined {
  switch (choice?.mode) {
    case "required":
      return { type: "any" };
    case "tool":
      return { type: "tool", name: wire(choice.name) };
    case "subset":
      return choice.required ? { type: "any" } : undefined;
    case "server":
      return forcedServerTool(choice, tools);
    case "auto":
    case "none":
    case undefined:
      return undefined;
  }
}

function forcedServerTool(choice: Extract<ToolChoice, { mode: "server" }>, tools: readonly JsonObject[]): JsonObject {
  if (choice.protocol === "messages") return { type: "tool", name: choice.payload.name };
  const wantsSearch = JSON.stringify(choice.payload).includes("web_search");
  if (wantsSearch && tools.some((tool) => tool.name === "web_search")) return { type: "tool", name: "web_search" };
  return refuse("tool_choice", "'tool_choice' demands a tool that the provider of this model does not run.");
}
