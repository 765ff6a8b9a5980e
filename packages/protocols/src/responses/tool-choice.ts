import {
  type CanonicalRequest,
  type JsonObject,
  type JsonValue,
  refuse,
  type Tool,
  type ToolChoice,
} from "../canonical/index.ts";
import { isObject, path, readArray, readEnum, readString, requireObject, requireString } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { flatName, namespaceOf } from "./tools.ts";
import { typedWire } from "./typed-tools.ts";

const field = "tool_choice";

/** `tool_choice` -> choice. Names become canonical ones; a choice of a provider-run tool stays as it was written. */
export function decodeToolChoice(value: JsonValue | undefined, tools: readonly Tool[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    if (value === "auto" || value === "none" || value === "required") return { mode: value };
    return refuse(field, `'${field}' must be 'none', 'auto', 'required' or an object, got '${value}'.`);
  }
  const wire = requireObject(value, field);
  const type = requireString(wire, "type", field);
  if (type === "function" || type === "custom") {
    const name = flatName(readString(wire, "namespace", field), requireString(wire, "name", field));
    return { mode: "tool", name };
  }
  if (type === "allowed_tools") return decodeSubset(wire);
  if (tools.some((tool) => tool.type === "function" && typedWire(tool.extras)?.type === type)) {
    return { mode: "tool", name: type };
  }
  return { mode: "server", protocol: "responses", payload: wire };
}

function decodeSubset(wire: JsonObject): ToolChoice {
  const mode = readEnum(wire, "mode", ["auto", "required"], field) ?? "auto";
  const entries = readArray(wire, "tools", field) ?? [];
  const names: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const at = path(path(field, "tools"), index);
    const tool = requireObject(entry, at);
    const type = requireString(tool, "type", at);
    if (type !== "function" && type !== "custom") return { mode: "server", protocol: "responses", payload: wire };
    names.push(flatName(readString(tool, "namespace", at), requireString(tool, "name", at)));
  }
  if (names.length === 0) refuse(path(field, "tools"), `'${path(field, "tools")}' must name at least one tool.`);
  return { mode: "subset", names, required: mode === "required" };
}

/** Choice -> `tool_choice`; undefined where nothing is to be written. */
export function encodeToolChoice(
  request: CanonicalRequest,
  wireName: (name: string) => string,
  report: Report,
): JsonValue | undefined {
  const choice = request.toolChoice;
  if (!choice) return undefined;
  switch (choice.mode) {
    case "auto":
    case "none":
    case "required":
      return choice.mode;
    case "tool":
      return toolReference(choice.name, request, wireName);
    case "subset":
      return {
        type: "allowed_tools",
        mode: choice.required ? "required" : "auto",
        tools: choice.names.map((name) => toolReference(name, request, wireName)),
      };
    case "server":
      return serverChoice(choice, request, report);
  }
}

function toolReference(name: string, request: CanonicalRequest, wireName: (name: string) => string): JsonObject {
  const tool = request.tools.find((candidate) => candidate.type !== "server" && candidate.name === name);
  const typed = tool ? typedWire(tool.extras) : undefined;
  if (typed) return { type: typed.type };
  const type = tool?.type === "custom" ? "custom" : "function";
  const mark = tool ? namespaceOf(tool) : undefined;
  if (mark) return { type, name: mark.local, namespace: mark.namespace };
  return { type, name: wireName(name) };
}

function serverChoice(
  choice: Extract<ToolChoice, { mode: "server" }>,
  request: CanonicalRequest,
  report: Report,
): JsonValue | undefined {
  if (choice.protocol === "responses") return choice.payload;
  const named = isObject(choice.payload) ? choice.payload.name : undefined;
  const search = request.tools.some((tool) => tool.type === "server" && tool.tool === "web_search");
  if (search && (named === undefined || named === "web_search")) {
    report.approximated(field, "Web search cannot be forced on this model; the model decides.");
    return "auto";
  }
  return refuse(field, "A tool that another provider runs cannot be forced on this model.");
}
