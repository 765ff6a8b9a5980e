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
} as const;

/** The tool of an agent for a purpose; capitals and what stands before a namespace's end do not matter. */
export function toolFor(purpose: keyof typeof NAMES, tools: readonly OfferedTool[]): OfferedTool | undefined {
  for (const name of NAMES[purpose]) {
    const found = tools.find((tool) => tool.name.toLowerCase() === name);
    if (found) return found;
  }
  return undefined;
}

const FIELDS: Record<string, RegExp> = {
  path: /^(file_?path|absolute_path|path|file)$/i,
  content: /^(content|contents|file_text|text)$/i,
  command: /^(command|cmd|script)$/i,
  directory: /^(workdir|cwd|working_directory)$/i,
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
  return { kind: "tool-call", name: tool.name, arguments: made };
}

function asWanted(value: string, property: Json | undefined): Json {
  return textOf(objectOf(property).type).toLowerCase() === "array" ? ["bash", "-c", value] : value;
}
