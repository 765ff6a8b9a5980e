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
import { serverToolName } from "./wire.ts";

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
  if (type === "allowed_tools") return decodeSubset(wire, tools);
  const names = namesOf(wire, type, field, tools) ?? [];
  const [name] = names;
  if (name !== undefined)
    return names.length === 1 ? { mode: "tool", name } : { mode: "subset", names, required: true };
  return { mode: "server", protocol: "responses", payload: wire };
}

function decodeSubset(wire: JsonObject, tools: readonly Tool[]): ToolChoice {
  const required = readEnum(wire, "mode", ["auto", "required"], field) === "required";
  const names: string[] = [];
  const server: string[] = [];
  for (const [index, entry] of (readArray(wire, "tools", field) ?? []).entries()) {
    const at = path(path(field, "tools"), index);
    const member = requireObject(entry, at);
    const type = requireString(member, "type", at);
    const named = namesOf(member, type, at, tools);
    if (named) names.push(...named);
    else server.push(serverToolName(type));
  }
  if (server.length > 0) {
    return { mode: "subset", names, required, server: { tools: server, protocol: "responses", payload: wire } };
  }
  if (names.length === 0) refuse(path(field, "tools"), `'${path(field, "tools")}' must name at least one tool.`);
  return { mode: "subset", names, required };
}

/** The canonical names of the client's tools that a reference means; undefined for one to a tool of the provider. */
function namesOf(reference: JsonObject, type: string, at: string, tools: readonly Tool[]): string[] | undefined {
  if (type === "function" || type === "custom") {
    return [nameOf(requireString(reference, "name", at), readString(reference, "namespace", at), tools)];
  }
  if (type === "namespace") {
    const namespace = requireString(reference, "name", at);
    return tools.flatMap((tool) =>
      tool.type !== "server" && namespaceOf(tool)?.namespace === namespace ? [tool.name] : [],
    );
  }
  const typed = tools.find((tool) => tool.type === "function" && typedWire(tool.extras)?.type === type);
  return typed && typed.type !== "server" ? [typed.name] : undefined;
}

/** The vendor's reference has no namespace; a name that only one namespace has means that one. */
function nameOf(name: string, namespace: string | undefined, tools: readonly Tool[]): string {
  const own = tools.find((tool) => {
    const mark = namespaceOf(tool);
    return tool.type !== "server" && mark?.namespace === namespace && mark?.local === name;
  });
  if (own && own.type !== "server") return own.name;
  const isPlain = namespace !== undefined || tools.some((tool) => tool.type !== "server" && tool.name === name);
  const local = isPlain ? [] : tools.filter((tool) => namespaceOf(tool)?.local === name);
  const [only] = local;
  return local.length === 1 && only && only.type !== "server" ? only.name : flatName(namespace, name);
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
      if (choice.server?.protocol === "responses") return choice.server.payload;
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
