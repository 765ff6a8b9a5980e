import { type JsonObject, type JsonValue, refuse, type Tool, type ToolChoice } from "../canonical/index.ts";
import { isObject, missing, path, readArray, readEnum, requireObject, requireString } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import type { ChatCapabilities } from "./capabilities.ts";

export function decodeToolChoice(body: JsonObject): ToolChoice | undefined {
  const value = body.tool_choice;
  if (value === undefined || value === null) return decodeFunctionCall(body);
  if (value === "auto" || value === "none" || value === "required") return { mode: value };
  if (value === "any") return { mode: "required" };
  if (!isObject(value))
    refuse("tool_choice", "'tool_choice' must be 'none', 'auto', 'required' or an object.", "invalid_type");
  const type = requireString(value, "type", "tool_choice");
  if (type === "allowed_tools") return decodeAllowed(value);
  if (type === "function" || type === "custom") {
    const nested = isObject(value[type]) ? value[type] : value;
    return {
      mode: "tool",
      name: requireString(nested, "name", nested === value ? "tool_choice" : `tool_choice.${type}`),
    };
  }
  return { mode: "server", protocol: "chat-completions", payload: value };
}

function decodeFunctionCall(body: JsonObject): ToolChoice | undefined {
  const value = body.function_call;
  if (value === undefined || value === null) return undefined;
  if (value === "auto" || value === "none") return { mode: value };
  if (!isObject(value)) refuse("function_call", "'function_call' must be 'none', 'auto' or an object with a name.");
  return { mode: "tool", name: requireString(value, "name", "function_call") };
}

function decodeAllowed(choice: JsonObject): ToolChoice {
  const nested = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  const at = nested === choice ? "tool_choice" : "tool_choice.allowed_tools";
  const mode = readEnum(nested, "mode", ["auto", "required"], at) ?? missing(path(at, "mode"));
  const tools = readArray(nested, "tools", at) ?? missing(path(at, "tools"));
  const names = tools.map((entry, index) => {
    const field = path(path(at, "tools"), index);
    const tool = requireObject(entry, field);
    const inner = isObject(tool.function) ? tool.function : isObject(tool.custom) ? tool.custom : tool;
    return requireString(inner, "name", field);
  });
  return { mode: "subset", names, required: mode === "required" };
}

interface ToolChoiceContext {
  wire(name: string): string;
  capabilities: ChatCapabilities;
  report: Report;
}

/** `tool_choice`, of tools that were cut down to what it can say. `offered`: whether any tool is sent. */
export function encodeToolChoice(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  offered: boolean,
  { wire, capabilities, report }: ToolChoiceContext,
): JsonValue | undefined {
  if (!choice) return undefined;
  if (choice.mode === "server") {
    if (choice.protocol === "chat-completions") return choice.payload;
    return refuse(
      "tool_choice",
      "The upstream cannot be forced to run a tool of another provider.",
      "unsupported_tool",
    );
  }
  // The vendor refuses a choice beside no tools.
  if (!offered) {
    const isForced =
      choice.mode === "required" || choice.mode === "tool" || (choice.mode === "subset" && choice.required);
    if (isForced && tools.length > 0) {
      refuse("tool_choice", "The upstream can run none of the tools of which one must be called.", "unsupported_tool");
    }
    if (choice.mode !== "auto" && choice.mode !== "none")
      report.dropped("tool_choice", "No tool is left to choose from.");
    return undefined;
  }
  if (capabilities.toolChoice === "none") {
    if (choice.mode !== "auto") report.dropped("tool_choice", "The upstream reads no tool choice; the model decides.");
    return undefined;
  }
  const named = (name: string): JsonObject => {
    const custom = capabilities.customTools && tools.some((tool) => tool.type === "custom" && tool.name === name);
    return custom
      ? { type: "custom", custom: { name: wire(name) } }
      : { type: "function", function: { name: wire(name) } };
  };
  switch (choice.mode) {
    case "auto":
    case "none":
      return choice.mode;
    case "required":
      return capabilities.requiredWord;
    case "tool":
      return named(choice.name);
    case "subset":
      return {
        type: "allowed_tools",
        allowed_tools: { mode: choice.required ? "required" : "auto", tools: choice.names.map(named) },
      };
  }
}
