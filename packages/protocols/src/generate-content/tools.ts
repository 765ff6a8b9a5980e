import {
  type CanonicalRequest,
  type FunctionTool,
  type JsonObject,
  refuse,
  type ServerTool,
  type Tool,
  type ToolChoice,
} from "../canonical/index.ts";
import { customAsFunction, customToolNames } from "../shared/custom-tools.ts";
import { fromOpenApiSchema } from "../shared/json-schema.ts";
import { isObject, path, readArray, readObject, readString, requireString, unknownFields } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { filterTools } from "../shared/subset-choice.ts";
import type { ToolNames } from "../shared/tool-names.ts";
import type { GenerateContentCapabilities } from "./capabilities.ts";
import { camelFields, readConstant, readFields, readObjects } from "./fields.ts";
import { toGeminiSchema } from "./schema.ts";
import { declarationFields, serverToolNames } from "./wire.ts";

/** Documented limit of the vendor. */
const maximumFunctions = 512;

/** `tools[]`: every function and every provider-run tool by itself, in the client's order. */
export function decodeTools(body: JsonObject): Tool[] {
  const tools: Tool[] = [];
  (readObjects(body, "tools") ?? []).forEach((raw, index) => {
    const at = path("tools", index);
    const entry = camelFields(raw);
    for (const key of Object.keys(entry)) {
      if (entry[key] === undefined || entry[key] === null) continue;
      if (key === "functionDeclarations") {
        (readObjects(entry, key, at) ?? []).forEach((declaration, place) => {
          tools.push(decodeFunction(camelFields(declaration), path(path(at, key), place)));
        });
        continue;
      }
      tools.push(serverTool(key, entry, at));
    }
  });
  return tools;
}

function decodeFunction(declaration: JsonObject, at: string): FunctionTool {
  const tool: FunctionTool = { type: "function", name: requireString(declaration, "name", at), at };
  if (tool.name === "") refuse(path(at, "name"), `'${path(at, "name")}' must not be empty.`);
  const description = readString(declaration, "description", at);
  if (description !== undefined) tool.description = description;
  const parameters = readObject(declaration, "parametersJsonSchema", at) ?? readObject(declaration, "parameters", at);
  if (parameters && Object.keys(parameters).length > 0) tool.parameters = fromOpenApiSchema(parameters);
  const rest = unknownFields(declaration, declarationFields);
  if (rest) tool.extras = { "generate-content": rest };
  return tool;
}

function serverTool(key: string, entry: JsonObject, at: string): ServerTool {
  const known: Readonly<Record<string, string | undefined>> = serverToolNames;
  const tool = (Object.hasOwn(known, key) ? known[key] : undefined) ?? key;
  return { type: "server", tool, protocol: "generate-content", payload: { [key]: entry[key] }, at: path(at, key) };
}

/** What `toolConfig` says. `strict`: calls must keep to the schema (mode VALIDATED). */
export interface DecodedChoice {
  choice?: ToolChoice;
  strict: boolean;
  /** Members without a canonical place, by their path. */
  extras: JsonObject;
}

const configField = "toolConfig.functionCallingConfig";

export function decodeToolConfig(body: JsonObject): DecodedChoice {
  const decoded: DecodedChoice = { strict: false, extras: {} };
  const config = readFields(body, "toolConfig");
  if (!config) return decoded;
  const calling = readFields(config, "functionCallingConfig", "toolConfig");
  keep(decoded.extras, "toolConfig", unknownFields(config, new Set(["functionCallingConfig"])));
  if (!calling) return decoded;
  keep(decoded.extras, configField, unknownFields(calling, new Set(["mode", "allowedFunctionNames"])));
  const names = readArray(calling, "allowedFunctionNames", configField)?.map((name, index) => {
    const at = path(`${configField}.allowedFunctionNames`, index);
    if (typeof name !== "string") refuse(at, `'${at}' must be a string.`, "invalid_type");
    return name;
  });
  const mode = readConstant(calling, "mode", configField) ?? "AUTO";
  const choice = choiceOf(mode, names ?? []);
  decoded.strict = mode === "VALIDATED";
  if (choice) decoded.choice = choice;
  return decoded;
}

function keep(extras: JsonObject, at: string, rest: JsonObject | undefined): void {
  for (const [key, value] of Object.entries(rest ?? {})) extras[path(at, key)] = value;
}

function choiceOf(mode: string, names: string[]): ToolChoice | undefined {
  const [only] = names;
  switch (mode) {
    case "AUTO":
    case "VALIDATED":
      return names.length > 0 ? { mode: "subset", names, required: false } : undefined;
    case "NONE":
      return { mode: "none" };
    case "ANY":
      if (only === undefined) return { mode: "required" };
      return names.length === 1 ? { mode: "tool", name: only } : { mode: "subset", names, required: true };
    default:
      refuse(`${configField}.mode`, `'${configField}.mode' must be one of AUTO, ANY, NONE, VALIDATED, got '${mode}'.`);
  }
}

/** Tools and choice as the upstream takes them. */
export interface EncodedTools {
  tools?: JsonObject[];
  functionCallingConfig?: JsonObject;
  customTools: Set<string>;
}

/** All functions go into one entry; provider-run tools keep their own entries in place (conversion.md 1.5.3). */
export function encodeTools(
  request: CanonicalRequest,
  capabilities: GenerateContentCapabilities,
  names: ToolNames,
  report: Report,
): EncodedTools {
  const validated = capabilities.validated && isStrict(request.tools);
  const { tools, choice } = chosen(request, validated, report);
  const entries: JsonObject[] = [];
  const declarations: JsonObject[] = [];
  const functions = tools.some((tool) => tool.type !== "server");
  for (const tool of tools) {
    if (tool.type === "server") {
      const entry = encodeServerTool(tool, choice, functions, report);
      if (entry) entries.push(entry);
      continue;
    }
    if (tool.type === "custom") {
      report.emulated(tool.at ?? "tools", "The custom tool was offered as a function with one text argument.");
    }
    const plain = tool.type === "custom" ? customAsFunction(tool) : tool;
    const declaration = encodeFunction(plain, capabilities, names, report);
    const twin = declarations.find((other) => other.name === declaration.name);
    if (twin) {
      // The protocol refuses a name that occurs twice; clients offer a found tool again.
      if (JSON.stringify(twin) !== JSON.stringify(declaration)) {
        report.dropped(
          tool.at ?? "tools",
          `The function '${tool.name}' is declared twice; the first declaration counts.`,
        );
      }
      continue;
    }
    if (declarations.length === 0) entries.push({ functionDeclarations: declarations });
    declarations.push(declaration);
  }
  if (declarations.length > maximumFunctions) {
    refuse("tools", `This model takes at most ${maximumFunctions} functions, got ${declarations.length}.`);
  }
  if (!validated) reportStrict(tools, report);
  const encoded: EncodedTools = { customTools: customToolNames(request) };
  if (entries.length > 0) encoded.tools = entries;
  const config = encodeChoice(choice, validated && declarations.length > 0, names);
  if (config && (declarations.length > 0 || config.mode === "NONE")) encoded.functionCallingConfig = config;
  else if (config?.mode === "ANY") report.dropped("tool_choice", "No function is left that could be demanded.");
  return encoded;
}

/** A subset that must be called has a form of its own here; one that may be called has it in the mode VALIDATED only. */
function chosen(
  request: CanonicalRequest,
  validated: boolean,
  report: Report,
): { tools: Tool[]; choice: ToolChoice | undefined } {
  const choice = request.toolChoice;
  if (choice?.mode === "server") {
    refuse("tool_choice", "A provider-run tool cannot be forced on this model.", "unsupported_tool_choice");
  }
  if (choice?.mode === "subset" && (choice.server || (!choice.required && !validated)))
    return filterTools(request, report);
  return { tools: request.tools, choice };
}

function isStrict(tools: readonly Tool[]): boolean {
  let strict = false;
  for (const tool of tools) {
    if (tool.type === "server") continue;
    if (tool.type !== "function" || tool.strict !== true) return false;
    strict = true;
  }
  return strict;
}

function reportStrict(tools: readonly Tool[], report: Report): void {
  for (const tool of tools) {
    if (tool.type !== "function" || !tool.strict) continue;
    report.dropped(
      `${tool.at ?? "tools"}.strict`,
      "This model checks calls against schemas for all functions or none.",
    );
  }
}

function encodeFunction(
  tool: FunctionTool,
  capabilities: GenerateContentCapabilities,
  names: ToolNames,
  report: Report,
): JsonObject {
  const declaration: JsonObject = { name: names.wire(tool.name) };
  if (tool.description !== undefined) declaration.description = tool.description;
  const parameters = tool.parameters;
  if (parameters && Object.keys(parameters).length > 0) {
    if (capabilities.jsonSchema) declaration.parametersJsonSchema = parameters;
    else {
      const subset = toGeminiSchema(parameters, `${tool.at ?? "tools"}.parameters`, report);
      if (isObject(subset.properties) && Object.keys(subset.properties).length > 0) declaration.parameters = subset;
    }
  }
  return { ...declaration, ...tool.extras?.["generate-content"] };
}

/** Tools of the caller's own protocol pass; of another one only web search has the same meaning everywhere (T7). */
function encodeServerTool(
  tool: ServerTool,
  choice: ToolChoice | undefined,
  functions: boolean,
  report: Report,
): JsonObject | undefined {
  if (tool.protocol === "generate-content") return tool.payload;
  const field = tool.at ?? "tools";
  if (tool.tool !== "web_search") {
    if (choice?.mode === "required" && !functions) {
      refuse(field, `The provider-run tool '${tool.tool}' does not exist for this model.`, "unsupported_tool");
    }
    report.dropped(field, `The provider-run tool '${tool.tool}' does not exist for this model.`);
    return undefined;
  }
  // Most models of the family refuse a request that offers both kinds.
  if (functions) {
    report.dropped(field, "This model's web search cannot be offered together with functions.");
    return undefined;
  }
  report.approximated(field, "Offered as this model's own web search; its settings have no counterpart.");
  return { googleSearch: {} };
}

function encodeChoice(choice: ToolChoice | undefined, validated: boolean, names: ToolNames): JsonObject | undefined {
  switch (choice?.mode) {
    case "none":
      return { mode: "NONE" };
    case "required":
      return { mode: "ANY" };
    case "tool":
      return { mode: "ANY", allowedFunctionNames: [names.wire(choice.name)] };
    case "subset": {
      const allowedFunctionNames = choice.names.map((name) => names.wire(name));
      return { mode: choice.required ? "ANY" : "VALIDATED", allowedFunctionNames };
    }
    case "server":
    case "auto":
    case undefined:
      return validated ? { mode: "VALIDATED" } : undefined;
  }
}
