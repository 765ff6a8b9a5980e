import type { FunctionTool, JsonObject, JsonSchema } from "../canonical/index.ts";
import { isObject, unknownFields } from "../shared/read.ts";

/**
 * Tools that the client runs and that the vendor's models know without a schema (messages.md 5). Their calls are plain
 * `tool_use` blocks: for other models they are functions with the published shape of their arguments, and nothing has to be
 * undone in answers (conversion.md T8).
 */
interface TypedTool {
  /** Matches the type with its date. First match counts. */
  type: RegExp;
  description: string;
  parameters: JsonSchema;
}

const text = (description: string): JsonSchema => ({ type: "string", description });

const path = text("The file or directory.");
const newText = "For str_replace: the text in its place.";

/** What the tools for files share. */
const fileFields: JsonObject = {
  path,
  view_range: {
    type: "array",
    items: { type: "integer" },
    description: "For view: the first and the last line to show, from 1; -1 is the last one of the file.",
  },
  file_text: text("For create: the content of the new file."),
  old_str: text("For str_replace: the text to replace, which must stand in the file exactly once."),
  new_str: text(newText),
  insert_line: { type: "integer", description: "For insert: the line behind which to insert; 0 is the beginning." },
};

const insertText = text("For insert: the text to insert.");

/** A tool with one command a call. */
function commands(names: readonly string[], properties: JsonObject, required: string[]): JsonSchema {
  return { type: "object", properties: { command: { type: "string", enum: [...names] }, ...properties }, required };
}

const editing = ["view", "create", "str_replace", "insert"];

const typedTools: readonly TypedTool[] = [
  {
    type: /^bash_\d{8}$/,
    description: "Runs a command in a shell that keeps its state from one call to the next.",
    parameters: {
      type: "object",
      properties: {
        command: text("The command. Needed unless the shell is restarted."),
        restart: { type: "boolean", description: "True restarts the shell." },
      },
    },
  },
  {
    // It has a step back, and no field of its own for what it inserts.
    type: /^text_editor_20250124$/,
    description: "Shows, creates and changes files.",
    parameters: commands(
      [...editing, "undo_edit"],
      { ...fileFields, new_str: text(`${newText} For insert: the text to insert.`) },
      ["command", "path"],
    ),
  },
  {
    type: /^text_editor_\d{8}$/,
    description: "Shows, creates and changes files.",
    parameters: commands(editing, { ...fileFields, insert_text: insertText }, ["command", "path"]),
  },
  {
    type: /^memory_\d{8}$/,
    description: "Keeps notes as files under /memories, which outlast the conversation. Look there before you begin.",
    parameters: commands(
      [...editing, "delete", "rename"],
      {
        ...fileFields,
        path: text("The file or directory. Needed by every command but rename."),
        insert_text: insertText,
        old_path: text("For rename: the present path."),
        new_path: text("For rename: the new path."),
      },
      ["command"],
    ),
  },
];

const known = new Set(["type", "name", "cache_control"]);

/** A tool on offer -> function; undefined for any tool that is none of these. */
export function decodeTypedTool(wire: JsonObject, type: string, at: string): FunctionTool | undefined {
  const typed = typedTools.find((tool) => tool.type.test(type));
  const { name } = wire;
  if (!typed || typeof name !== "string" || name === "") return undefined;
  return {
    type: "function",
    name,
    description: typed.description,
    parameters: typed.parameters,
    standsIn: "messages",
    at,
    extras: { messages: { ...unknownFields(wire, known), $typed: wire } },
  };
}

/** The tool as the client wrote it, where a function stands for one of these. */
export function typedWire({ extras }: FunctionTool): JsonObject | undefined {
  const wire = extras?.messages?.$typed;
  return isObject(wire) ? wire : undefined;
}
