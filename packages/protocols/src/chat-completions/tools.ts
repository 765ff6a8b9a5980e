import {
  type CanonicalRequest,
  type CustomTool,
  type FunctionTool,
  type JsonObject,
  type JsonValue,
  refuse,
  type Tool,
  type ToolChoice,
} from "../canonical/index.ts";
import { customAsFunction, customToolNames } from "../shared/custom-tools.ts";
import { fromOpenApiSchema, isStrictSchema } from "../shared/json-schema.ts";
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
import { decodeCacheMark, encodeCacheMark } from "./cache-mark.ts";
import type { ChatCapabilities } from "./capabilities.ts";
import { encodeToolChoice } from "./tool-choice.ts";

const toolKeys = new Set(["type", "function", "custom", "cache_control", "prompt_cache_breakpoint"]);
const functionKeys = new Set(["name", "description", "parameters", "strict"]);
const flatKeys = new Set([...toolKeys, ...functionKeys, "format"]);
const customKeys = new Set(["name", "description", "format"]);

/** Tools of the request: `tools`, the old `functions`, and the search options, which offer a tool of the provider. */
export function decodeTools(body: JsonObject): Tool[] {
  const tools = readArray(body, "tools");
  const decoded = (tools ?? []).map((tool, index) => decodeTool(tool, path("tools", index)));
  if (!tools) {
    const functions = readArray(body, "functions") ?? [];
    if (body.functions !== undefined && body.functions !== null && functions.length === 0) {
      refuse("functions", "'functions' must hold at least one function.");
    }
    for (const [index, entry] of functions.entries()) {
      const at = path("functions", index);
      decoded.push(decodeFunction(requireObject(entry, at), at, at));
    }
  }
  const search = readObject(body, "web_search_options");
  if (search) {
    decoded.push({
      type: "server",
      tool: "web_search",
      protocol: "chat-completions",
      payload: { web_search_options: search },
      at: "web_search_options",
    });
  }
  return decoded;
}

function decodeTool(value: JsonValue, at: string): Tool {
  const tool = requireObject(value, at);
  const type = readString(tool, "type", at) ?? (isObject(tool.custom) ? "custom" : "function");
  const cache = decodeCacheMark(tool, at);
  if (type === "function") {
    // Some agents post the flat form of the responses protocol here.
    const nested = readObject(tool, "function", at);
    if (!nested && tool.name === undefined) missing(path(at, "function"));
    const decoded = nested ? decodeFunction(nested, path(at, "function"), at) : decodeFunction(tool, at, at, flatKeys);
    return { ...decoded, ...cache, ...extrasOf(nested ? unknownFields(tool, toolKeys) : undefined, decoded) };
  }
  if (type === "custom") {
    const nested = readObject(tool, "custom", at);
    if (!nested && tool.name === undefined) missing(path(at, "custom"));
    const decoded = nested ? decodeCustom(nested, path(at, "custom"), at) : decodeCustom(tool, at, at, flatKeys);
    return { ...decoded, ...cache, ...extrasOf(nested ? unknownFields(tool, toolKeys) : undefined, decoded) };
  }
  return { type: "server", tool: serverToolName(type), protocol: "chat-completions", payload: tool, at, ...cache };
}

/** The tool in the field's words: `openrouter:web_search` and `web_search_preview` are `web_search`. */
function serverToolName(type: string): string {
  const name = type.slice(type.indexOf(":") + 1);
  return name.startsWith("web_search") ? "web_search" : name;
}

function extrasOf(outer: JsonObject | undefined, decoded: Tool): Pick<Tool, "extras"> {
  if (!outer) return {};
  return { extras: { "chat-completions": { ...decoded.extras?.["chat-completions"], tool: outer } } };
}

function decodeFunction(
  holder: JsonObject,
  field: string,
  at: string,
  known: ReadonlySet<string> = functionKeys,
): FunctionTool {
  const tool: FunctionTool = { type: "function", name: requireName(holder, field), at };
  const description = readString(holder, "description", field);
  if (description !== undefined) tool.description = description;
  const parameters = readObject(holder, "parameters", field);
  if (parameters) tool.parameters = parameters;
  const strict = readBoolean(holder, "strict", field);
  if (strict !== undefined) tool.strict = strict;
  const extras = unknownFields(holder, known);
  if (extras) tool.extras = { "chat-completions": { function: extras } };
  return tool;
}

function decodeCustom(
  holder: JsonObject,
  field: string,
  at: string,
  known: ReadonlySet<string> = customKeys,
): CustomTool {
  const tool: CustomTool = { type: "custom", name: requireName(holder, field), at };
  const description = readString(holder, "description", field);
  if (description !== undefined) tool.description = description;
  const format = readObject(holder, "format", field);
  if (format && readEnum(format, "type", ["text", "grammar"], path(field, "format")) === "grammar") {
    const grammarField = path(path(field, "format"), "grammar");
    // The vendor nests the grammar here; the flat form belongs to the responses protocol.
    const grammar = isObject(format.grammar) ? format.grammar : format;
    tool.grammar = {
      syntax: readEnum(grammar, "syntax", ["lark", "regex"], grammarField) ?? missing(path(grammarField, "syntax")),
      definition: requireString(grammar, "definition", grammarField),
    };
  }
  const extras = unknownFields(holder, known);
  if (extras) tool.extras = { "chat-completions": { custom: extras } };
  return tool;
}

function requireName(holder: JsonObject, at: string): string {
  const name = requireString(holder, "name", at);
  if (name === "") refuse(path(at, "name"), `'${path(at, "name")}' must not be empty.`);
  return name;
}

/** What the request encoder needs of the tools: the wire fields, and whose calls come back as functions of custom tools. */
export interface EncodedTools {
  fields: JsonObject;
  customTools: ReadonlySet<string>;
}

export function encodeTools(
  request: CanonicalRequest,
  capabilities: ChatCapabilities,
  wire: (name: string) => string,
  report: Report,
): EncodedTools {
  const kept = chosenTools(request, capabilities, report);
  const fields: JsonObject = {};
  const tools: JsonObject[] = [];
  for (const tool of kept.tools) {
    if (tool.type === "function") tools.push(encodeFunction(tool, capabilities, wire, report));
    else if (tool.type === "server") encodeServerTool(tool, capabilities, request.toolChoice, tools, fields, report);
    else if (capabilities.customTools) tools.push(encodeCustom(tool, capabilities, wire));
    else {
      tools.push(encodeFunction(customAsFunction(tool), capabilities, wire, report));
      report.emulated(tool.at ?? "tools", `The custom tool '${tool.name}' is sent as a function with one text input.`);
    }
  }
  if (capabilities.maxTools > 0 && tools.length > capabilities.maxTools) {
    refuse(
      "tools",
      `The upstream takes at most ${capabilities.maxTools} tools, got ${tools.length}.`,
      "array_above_max_length",
    );
  }
  if (tools.length > 0) fields.tools = tools;
  const choice = encodeToolChoice(kept.choice, kept.tools, tools.length > 0, {
    wire,
    capabilities,
    report,
  });
  if (choice !== undefined) fields.tool_choice = choice;
  return { fields, customTools: capabilities.customTools ? new Set() : customToolNames(request) };
}

/** The tools and the choice, cut down to what the upstream's `tool_choice` can say. */
function chosenTools(
  request: CanonicalRequest,
  capabilities: ChatCapabilities,
  report: Report,
): { tools: readonly Tool[]; choice: ToolChoice | undefined } {
  const { tools, toolChoice: choice } = request;
  if (choice?.mode === "subset") {
    const isSayable = capabilities.allowedTools && capabilities.toolChoice === "any" && !choice.server;
    if (!isSayable) return filterTools(request, report);
  }
  if (choice?.mode === "none" && capabilities.toolChoice === "none" && tools.length > 0) {
    report.emulated("tool_choice", "The upstream reads no tool choice; it is shown no tools.");
    return { tools: [], choice: undefined };
  }
  if (choice?.mode === "tool" && capabilities.toolChoice !== "any") {
    const toolChoice: ToolChoice = { mode: "subset", names: [choice.name], required: true };
    return filterTools({ ...request, toolChoice }, report);
  }
  return { tools, choice };
}

function encodeFunction(
  tool: FunctionTool,
  capabilities: ChatCapabilities,
  wire: (name: string) => string,
  report: Report,
): JsonObject {
  const extras = tool.extras?.["chat-completions"];
  const body: JsonObject = { name: wire(tool.name) };
  if (tool.description !== undefined) body.description = tool.description;
  if (tool.parameters) body.parameters = fromOpenApiSchema(tool.parameters);
  if (tool.strict !== undefined && !capabilities.strictTools) {
    if (tool.strict) report.dropped(path(tool.at ?? "tools", "strict"), "The upstream holds no call to its schema.");
  } else if (tool.strict !== undefined) {
    const strict = tool.strict && isStrictSchema(tool.parameters ?? {});
    if (tool.strict && !strict) {
      const field = path(tool.at ?? "tools", "strict");
      report.approximated(
        field,
        `The schema of '${tool.name}' does not meet the strict rules, so it is sent without strict.`,
      );
    }
    body.strict = strict;
  }
  const inner = isObject(extras?.function) ? extras.function : {};
  const outer = isObject(extras?.tool) ? extras.tool : {};
  return { type: "function", function: { ...body, ...inner }, ...outer, ...encodeCacheMark(tool.cache, capabilities) };
}

function encodeCustom(tool: CustomTool, capabilities: ChatCapabilities, wire: (name: string) => string): JsonObject {
  const extras = tool.extras?.["chat-completions"];
  const body: JsonObject = { name: wire(tool.name) };
  if (tool.description !== undefined) body.description = tool.description;
  if (tool.grammar) body.format = { type: "grammar", grammar: { ...tool.grammar } };
  const inner = isObject(extras?.custom) ? extras.custom : {};
  const outer = isObject(extras?.tool) ? extras.tool : {};
  return { type: "custom", custom: { ...body, ...inner }, ...outer, ...encodeCacheMark(tool.cache, capabilities) };
}

/** T7: a provider-run tool goes as it is to its own protocol, by meaning where the model searches, else not at all. */
function encodeServerTool(
  tool: Extract<Tool, { type: "server" }>,
  capabilities: ChatCapabilities,
  choice: ToolChoice | undefined,
  tools: JsonObject[],
  fields: JsonObject,
  report: Report,
): void {
  if (tool.protocol === "chat-completions") {
    if (isObject(tool.payload.web_search_options)) fields.web_search_options = tool.payload.web_search_options;
    else tools.push(tool.payload);
    return;
  }
  if (tool.tool === "web_search" && capabilities.webSearch) {
    fields.web_search_options = {};
    report.approximated(tool.at ?? "tools", "The web search runs with the upstream's own settings.");
    return;
  }
  const field = tool.at ?? "tools";
  if (choice?.mode === "server") {
    refuse(field, `The upstream cannot run the tool '${tool.tool}', which the request forces.`, "unsupported_tool");
  }
  report.dropped(field, `The upstream cannot run the tool '${tool.tool}'.`);
}
