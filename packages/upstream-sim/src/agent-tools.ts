import type { OfferedTool } from "./ask.ts";
import { arrayOf, type Json, type JsonObject, objectOf, textOf } from "./json.ts";
import { schemaInstance } from "./schema-instance.ts";
import type { Step } from "./script.ts";

/** What the tools of agents are called for each purpose, best first. */
const NAMES = {
  read: ["read_file", "read"],
  look: ["view_image", "read_file", "read"],
  write: ["write_file", "write", "apply_patch"],
  shell: ["run_shell_command", "exec_command", "shell_command", "bash", "shell"],
  search: ["toolsearch", "tool_search"],
} as const;

/** The tool of an agent for a purpose; capitals and what stands before a namespace's end do not matter. */
export function toolFor(purpose: keyof typeof NAMES, tools: readonly OfferedTool[]): OfferedTool | undefined {
  for (const name of NAMES[purpose]) {
    const found = tools.find((tool) => tool.name.toLowerCase() === name);
    if (found) return found;
  }
  return undefined;
}

/** Whether a tool is what a user's own server calls so: agents and gateways put the server's name before it. */
export function isServerTool(name: string, wanted: string): boolean {
  return name.toLowerCase().endsWith(wanted);
}

/** Whether a tool searches for others that the agent has put off. */
export function isSearch(name: string): boolean {
  return NAMES.search.some((search) => name.toLowerCase() === search);
}

const FIELDS: Record<string, RegExp> = {
  path: /^(file_?path|absolute_path|path|file)$/i,
  content: /^(content|contents|file_text|text)$/i,
  command: /^(command|cmd|script)$/i,
  directory: /^(workdir|cwd|working_directory)$/i,
  query: /^query$/i,
};

/** A call of a tool for files. A tool for patches gets the patch that makes the file. */
export function textCall(tool: OfferedTool, given: { path: string; content?: string; name?: string }): Step {
  if (tool.name.toLowerCase() !== "apply_patch") {
    return call(tool, { path: given.path, content: given.content });
  }
  const lines = (given.content ?? "").trimEnd().split("\n");
  const patch = [
    "*** Begin Patch",
    `*** Add File: ${given.name}`,
    ...lines.map((line) => `+${line}`),
    "*** End Patch",
  ].join("\n");
  if (tool.custom) return { kind: "tool-call", name: tool.name, arguments: patch, custom: true };
  const field = Object.keys(objectOf(objectOf(tool.schema).properties))[0] ?? "input";
  return { kind: "tool-call", name: tool.name, arguments: { [field]: patch } };
}

/** A call of a tool that runs a line of shell, given as a text or, where it wants a list, as `bash -c`. */
export function shellCall(tool: OfferedTool, command: string, directory: string): Step {
  return call(tool, { command, directory });
}

/** A call of a search of tools. */
export function searchCall(tool: OfferedTool, query: string): Step {
  return call(tool, { query });
}

/** A call of a tool by arguments that are known. */
export function callOf({ name, namespace, search }: OfferedTool, args: JsonObject): Step {
  return {
    kind: "tool-call",
    name,
    arguments: args,
    ...(namespace === undefined ? {} : { namespace }),
    ...(search ? { search } : {}),
  };
}

function call(tool: OfferedTool, values: Record<string, string | undefined>): Step {
  const schema = objectOf(tool.schema);
  const required = new Set(arrayOf(schema.required).map(textOf));
  const made: JsonObject = {};
  for (const [field, property] of Object.entries(objectOf(schema.properties))) {
    const purpose = Object.keys(FIELDS).find((name) => FIELDS[name]?.test(field));
    const value = purpose === undefined ? undefined : values[purpose];
    if (value !== undefined) made[field] = asWanted(value, property);
    else if (required.has(field)) made[field] = schemaInstance(property);
  }
  return callOf(tool, made);
}

function asWanted(value: string, property: Json | undefined): Json {
  return textOf(objectOf(property).type).toLowerCase() === "array" ? ["bash", "-c", value] : value;
}
