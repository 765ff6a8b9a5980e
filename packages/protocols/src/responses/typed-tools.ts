import type { Extras, FunctionTool, JsonObject, JsonValue, ToolCallPart, ToolResultPart } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { isObject, readObject, readString, requireString } from "../shared/read.ts";
import { ownExtra } from "./extras.ts";
import { parametersOf, type TypedTool, typedKind } from "./typed-tool-kinds.ts";

/** A typed tool on offer -> function, or undefined for a tool that the client does not run. */
export function decodeTypedTool(wire: JsonObject, at: string): FunctionTool | undefined {
  const typed = typedKind(wire, "name");
  if (!typed) return undefined;
  const described = typed.fields ? undefined : readString(wire, "description", at);
  const parameters = typed.fields ? parametersOf(typed.fields) : readObject(wire, "parameters", at);
  return {
    type: "function",
    name: typed.name,
    description: described ?? typed.description,
    ...(parameters ? { parameters } : {}),
    standsIn: "responses",
    at,
    extras: { responses: { $typed: wire } },
  };
}

/** A typed call in a history or an answer -> function call, or undefined for any other item. */
export function decodeTypedCall(item: JsonObject, at: string | undefined): ToolCallPart | undefined {
  const typed = typedKind(item, "callType");
  if (!typed) return undefined;
  const slot = item[typed.slot];
  const callId = readString(item, "call_id", at) ?? readString(item, "id", at) ?? "";
  return {
    type: "tool-call",
    callId,
    name: typed.name,
    toolKind: "function",
    arguments: isObject(slot) ? JSON.stringify(withoutDefaults(slot, typed.slotDefaults)) : "{}",
    ...(at === undefined ? {} : { at }),
    extras: { responses: { $typed: item } },
  };
}

/**
 * What a client gave back for a typed call -> tool result, or undefined for any other item. `callOf` tells the call id
 * behind the id of an item, which some outputs name instead.
 */
export function decodeTypedResult(
  item: JsonObject,
  at: string,
  callOf: (itemId: string) => string,
): ToolResultPart | undefined {
  const typed = typedKind(item, "outputType");
  if (!typed) return undefined;
  const callId = readString(item, "call_id", at) ?? callOf(requireString(item, "id", at));
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
 * The typed item for a call of a function that stands for a typed tool, with the fields that its clients demand and no
 * others. Undefined where the arguments do not make one: a plain function call tells the client the truth then.
 */
export function encodeTypedCall(
  tool: JsonObject,
  callId: string,
  args: string,
  status: string,
  context: AnswerContext,
): JsonObject | undefined {
  const typed = typedKind(tool, "name");
  const given = typed ? parseObject(args) : undefined;
  const slot = typed && given ? slotOf(typed, given, context) : undefined;
  if (!typed || !slot) {
    context.notice({
      field: "tools",
      verdict: "approximated",
      detail: `A call of '${tool.type}' does not have the arguments of that tool, so it is shown as a function call.`,
    });
    return undefined;
  }
  return {
    type: typed.callType,
    id: context.ids(typed.idPrefix),
    call_id: callId,
    status,
    [typed.slot]: slot,
    ...typed.item,
  };
}

/** A typed tool as it would be offered, from a call of it in the history; undefined for any other call. */
export function typedToolOf(call: ToolCallPart): JsonObject | undefined {
  const item = typedWire(call.extras);
  const typed = item ? typedKind(item, "callType") : undefined;
  return typed ? { type: typed.name, ...typed.item } : undefined;
}

function slotOf(typed: TypedTool, given: JsonObject, context: AnswerContext): JsonObject | undefined {
  if (!typed.fields) return given;
  const args: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(typed.fields, name) ? typed.fields[name] : undefined;
    const read = value === undefined || value === null ? undefined : field?.read(value);
    if (read !== undefined) args[name] = read;
  }
  if (Object.entries(typed.fields).some(([name, field]) => field.required && args[name] === undefined))
    return undefined;
  const settled = typed.settle ? typed.settle(args) : args;
  const lost = Object.keys(given).filter((name) => given[name] !== null && settled?.[name] === undefined);
  if (settled && lost.length > 0) {
    const detail = `The model gave '${typed.name}' arguments that the tool does not take: ${lost.join(", ")}.`;
    context.notice({ field: "tools", verdict: "dropped", detail });
  }
  return settled ? { ...typed.slotDefaults, ...settled } : undefined;
}

/** The wire form that a typed tool, call or result came in. */
export function typedWire(extras: Extras | undefined): JsonObject | undefined {
  const wire = ownExtra(extras, "$typed");
  return isObject(wire) ? wire : undefined;
}

/** What stands there for the client's sake goes again, so that the model sees the call that it made. */
function withoutDefaults(slot: JsonObject, defaults: JsonObject): JsonObject {
  const isDefault = (key: string): boolean =>
    Object.hasOwn(defaults, key) && JSON.stringify(slot[key]) === JSON.stringify(defaults[key]);
  return Object.fromEntries(Object.entries(slot).filter(([key]) => !isDefault(key)));
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
