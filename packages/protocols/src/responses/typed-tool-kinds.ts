import type { JsonObject, JsonSchema, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/**
 * Tools of this protocol that the client runs but that have items of their own instead of functions (conversion.md T6, T8).
 * In the canonical form they are functions with the published shape of their arguments.
 */
export interface TypedTool {
  name: string;
  callType: string;
  outputType: string;
  idPrefix: string;
  description: string;
  /** The arguments, in the order of the published shape. Absent: the client describes them on the tool itself. */
  fields?: Readonly<Record<string, Field>>;
  /** Where the arguments stand in the call's item. */
  slot: "action" | "operation" | "arguments";
  /** What stands beside the arguments in the slot, and what strict clients want there where the model gave nothing. */
  slotDefaults: JsonObject;
  /** What else the item holds. */
  item: JsonObject;
  /** The arguments as the item takes them; undefined where they miss something that depends on the others. */
  settle?: (args: JsonObject) => JsonObject | undefined;
}

interface Field {
  schema: JsonObject;
  required?: true;
  /** The value as the item takes it; undefined for what does not fit. */
  read(value: JsonValue): JsonValue | undefined;
}

const text = (more: JsonObject = {}): Field => ({
  schema: { type: "string", ...more },
  read: (value) => (typeof value === "string" ? value : undefined),
});

const oneOf = (...values: string[]): Field => ({
  schema: { type: "string", enum: values },
  required: true,
  read: (value) => (typeof value === "string" && values.includes(value) ? value : undefined),
});

const count = (description: string): Field => ({
  schema: { type: "integer", description },
  read: (value) => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined),
});

/** A list of texts. Models that forget the list write one line; `fromLine` makes the list that means the same. */
const texts = (description: string, fromLine: (line: string) => string[]): Field => ({
  schema: { type: "array", items: { type: "string" }, description },
  required: true,
  read: (value) => {
    if (typeof value === "string") return fromLine(value);
    return Array.isArray(value) && value.every((entry) => typeof entry === "string") ? value : undefined;
  },
});

const textsByName: Field = {
  schema: { type: "object", additionalProperties: { type: "string" } },
  read: (value) =>
    isObject(value) && Object.values(value).every((entry) => typeof entry === "string") ? value : undefined,
};

const milliseconds = count("Time limit in milliseconds.");

const typedTools: readonly TypedTool[] = [
  {
    name: "local_shell",
    callType: "local_shell_call",
    outputType: "local_shell_call_output",
    idPrefix: "lsh_",
    description: "Runs one command on the user's machine and returns its output.",
    fields: {
      command: texts("The program and its arguments.", (line) => ["bash", "-lc", line]),
      working_directory: text(),
      timeout_ms: milliseconds,
      env: textsByName,
      user: text(),
    },
    slot: "action",
    slotDefaults: { type: "exec", env: {} },
    item: {},
  },
  {
    name: "shell",
    callType: "shell_call",
    outputType: "shell_call_output",
    idPrefix: "sh_",
    description: "Runs shell commands on the user's machine and returns what each of them printed.",
    fields: {
      commands: texts("Commands, each a line of shell.", (line) => [line]),
      timeout_ms: milliseconds,
      max_output_length: count("Most characters of output to return."),
    },
    slot: "action",
    slotDefaults: { timeout_ms: null, max_output_length: null },
    item: { environment: { type: "local" } },
  },
  {
    name: "apply_patch",
    callType: "apply_patch_call",
    outputType: "apply_patch_call_output",
    idPrefix: "apc_",
    description: "Creates, changes or deletes one file on the user's machine. A change is given as a V4A diff.",
    fields: {
      type: oneOf("create_file", "update_file", "delete_file"),
      path: { ...text(), required: true },
      diff: text({ description: "Needed for create_file and update_file." }),
    },
    slot: "operation",
    slotDefaults: {},
    item: {},
    settle: ({ diff, ...rest }) => {
      if (rest.type === "delete_file") return rest;
      return diff === undefined ? undefined : { ...rest, diff };
    },
  },
  {
    name: "tool_search",
    callType: "tool_search_call",
    outputType: "tool_search_output",
    idPrefix: "tsc_",
    description: "Searches for tools that are not on the list yet. Tools that are found can be called from then on.",
    slot: "arguments",
    slotDefaults: {},
    item: { execution: "client" },
  },
];

/** The kind of a tool, a call or an output by its `type`; undefined for what the client does not run. */
export function typedKind(wire: JsonObject, key: "name" | "callType" | "outputType"): TypedTool | undefined {
  const typed = typedTools.find((tool) => tool[key] === wire.type);
  return typed && !runsAtProvider(typed, wire) ? typed : undefined;
}

/** The arguments of a kind as a JSON Schema. */
export function parametersOf(fields: NonNullable<TypedTool["fields"]>): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    required: entries.filter(([, field]) => field.required).map(([name]) => name),
  };
}

/** A shell is the client's unless it names a container; a tool search is the provider's unless it says otherwise. */
function runsAtProvider(typed: TypedTool, wire: JsonObject): boolean {
  if (typed.name === "tool_search") return wire.execution !== "client";
  if (typed.name !== "shell") return false;
  return isObject(wire.environment) && wire.environment.type !== "local";
}
