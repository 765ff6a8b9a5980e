import type {
  FunctionTool,
  JsonObject,
  JsonSchema,
  JsonValue,
  ToolCallPart,
  ToolResultPart,
} from "../canonical/index.ts";
import { isObject, readString, requireString } from "../shared/read.ts";
import { ownExtra } from "./extras.ts";

/**
 * Tools of this protocol that the client runs but that have items of their own instead of functions (conversion.md T8).
 * In the canonical form they are functions with the published shape of their action; the mark `$typed` holds the wire form.
 */
interface TypedTool {
  name: string;
  callType: string;
  outputType: string;
  description: string;
  parameters: JsonSchema;
  /** Where the call's arguments stand in its item, and what stands beside them there. */
  slot: "action" | "operation";
  fixed: JsonObject;
}

const text = { type: "string" } as const;
const milliseconds = { type: "integer", description: "Time limit in milliseconds." } as const;

const typedTools: readonly TypedTool[] = [
  {
    name: "local_shell",
    callType: "local_shell_call",
    outputType: "local_shell_call_output",
    description: "Runs one command on the user's machine and returns its output.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "array", items: text, description: "The program and its arguments." },
        working_directory: text,
        timeout_ms: milliseconds,
        env: { type: "object", additionalProperties: text },
        user: text,
      },
      required: ["command"],
    },
    slot: "action",
    fixed: { type: "exec" },
  },
  {
    name: "shell",
    callType: "shell_call",
    outputType: "shell_call_output",
    description: "Runs shell commands on the user's machine and returns what each of them printed.",
    parameters: {
      type: "object",
      properties: {
        commands: { type: "array", items: text, description: "Commands, run one after another." },
        timeout_ms: milliseconds,
        max_output_length: { type: "integer", description: "Most characters of output to return." },
      },
      required: ["commands"],
    },
    slot: "action",
    fixed: {},
  },
  {
    name: "apply_patch",
    callType: "apply_patch_call",
    outputType: "apply_patch_call_output",
    description: "Creates, changes or deletes one file on the user's machine. A change is given as a V4A diff.",
    parameters: {
      type: "object",
      properties: {
        type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
        path: text,
        diff: { type: "string", description: "Needed for create_file and update_file." },
      },
      required: ["type", "path"],
    },
    slot: "operation",
    fixed: {},
  },
];

/** A typed tool on offer -> function, or undefined for a tool that the provider runs. */
export function decodeTypedTool(wire: JsonObject, at: string): FunctionTool | undefined {
  const typed = typedTools.find((tool) => tool.name === wire.type);
  if (!typed || runsAtProvider(wire)) return undefined;
  const { name, description, parameters } = typed;
  return { type: "function", name, description, parameters, at, extras: { responses: { $typed: wire } } };
}

/** A typed call in a history or an answer -> function call, or undefined for any other item. */
export function decodeTypedCall(item: JsonObject, at: string | undefined): ToolCallPart | undefined {
  const typed = typedTools.find((tool) => tool.callType === item.type);
  if (!typed || runsAtProvider(item)) return undefined;
  const slot = item[typed.slot];
  const callId = readString(item, "call_id", at) ?? readString(item, "id", at) ?? "";
  const action = isObject(slot) ? withoutFixed(slot, typed.fixed) : {};
  return {
    type: "tool-call",
    callId,
    name: typed.name,
    toolKind: "function",
    arguments: JSON.stringify(action),
    ...(at === undefined ? {} : { at }),
    extras: { responses: { $typed: item } },
  };
}

/** What a client gave back for a typed call -> tool result, or undefined for any other item. */
export function decodeTypedResult(item: JsonObject, at: string): ToolResultPart | undefined {
  const typed = typedTools.find((tool) => tool.outputType === item.type);
  if (!typed) return undefined;
  const callId = readString(item, "call_id", at) ?? requireString(item, "id", at);
  return {
    type: "tool-result",
    callId,
    name: typed.name,
    toolKind: "function",
    content: [{ type: "text", text: outputText(item.output) }],
    ...(item.status === "failed" ? { isError: true } : {}),
    at,
    extras: { responses: { $typed: item } },
  };
}

/**
 * The typed item for a call of a function that stands for a typed tool, or undefined where the arguments are no object:
 * the item cannot be made then, and a plain function call tells the client the truth.
 */
export function encodeTypedCall(
  tool: JsonObject,
  id: string,
  callId: string,
  args: string,
  status: string,
): JsonObject | undefined {
  const typed = typedTools.find((candidate) => candidate.name === tool.type);
  const action = parseObject(args);
  if (!typed || !action) return undefined;
  const slot = { ...typed.fixed, ...action };
  if (typed.name === "local_shell" && slot.env === undefined) slot.env = {};
  return { type: typed.callType, id, call_id: callId, status, [typed.slot]: slot };
}

/** The wire form that a typed tool, call or result came in. */
export function typedWire(extras: FunctionTool["extras"]): JsonObject | undefined {
  const wire = ownExtra(extras, "$typed");
  return isObject(wire) ? wire : undefined;
}

/** `shell` runs at the provider unless its environment says local. */
function runsAtProvider(wire: JsonObject): boolean {
  if (wire.type !== "shell" && wire.type !== "shell_call") return false;
  return !isObject(wire.environment) || wire.environment.type !== "local";
}

function withoutFixed(slot: JsonObject, fixed: JsonObject): JsonObject {
  const rest: JsonObject = {};
  for (const key of Object.keys(slot)) if (!(key in fixed)) rest[key] = slot[key];
  return rest;
}

function outputText(output: JsonValue | undefined): string {
  if (typeof output === "string") return output;
  if (!Array.isArray(output)) return "";
  return output.map(commandText).join("\n");
}

/** One command's output of `shell_call_output`. */
function commandText(value: JsonValue): string {
  if (!isObject(value)) return "";
  const lines = [value.stdout, value.stderr].filter((part) => typeof part === "string" && part !== "");
  const outcome = isObject(value.outcome) ? value.outcome : {};
  if (outcome.type === "timeout") lines.push("[timed out]");
  else if (typeof outcome.exit_code === "number" && outcome.exit_code !== 0)
    lines.push(`[exit code ${outcome.exit_code}]`);
  return lines.join("\n");
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON: the caller falls back to a plain function call.
    return undefined;
  }
}
