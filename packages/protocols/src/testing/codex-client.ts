import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/**
 * What Codex's parser needs of an answer, written down from its own types and not from our encoder: it reads whole events
 * with a strict JSON parser, takes items from `response.output_item.done` alone, and drops in silence what does not fit.
 * Here what it would drop throws. Shell and patch items of the newer kind are read as the vendor's package types them.
 */
export function readCodexStream(text: string): JsonObject[] {
  const events = text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map(readFrame);
  need(events[0]?.type === "response.created" && isObject(events[0].response), "the stream begins with its object");
  const last = events.at(-1);
  need(last?.type === "response.completed", `the stream ends well, not by '${last?.type}'`);
  need(isObject(last.response) && typeof last.response.id === "string", "the end tells the id");
  const items = events
    .filter((event) => event.type === "response.output_item.done")
    .map((event) => readItem(event.item));
  checkGrowth(events);
  return items;
}

/** The items of a whole answer, under the same demands. */
export function readCodexAnswer(body: JsonObject): JsonObject[] {
  need(Array.isArray(body.output), "an answer has its output");
  return body.output.map(readItem);
}

/** The items as Codex sends them back: without the ids that it does not keep. */
export function replayedItems(items: readonly JsonObject[]): JsonObject[] {
  return items.map((item) => {
    if (item.type === "shell_call" || item.type === "apply_patch_call") return item;
    const { id: _id, ...kept } = item;
    return kept;
  });
}

function readFrame(frame: string): JsonObject {
  const data = frame
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice("data: ".length))
    .join("\n");
  const value: JsonValue = JSON.parse(data);
  need(isObject(value) && typeof value.type === "string", "an event has a type");
  need(isWellFormed(value), "half a surrogate pair ends a strict JSON parser");
  return value;
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return !isObject(value) || Object.values(value).every((inner) => inner === undefined || isWellFormed(inner));
}

/** An item never changes its type, and the deltas of a custom tool are its input. */
function checkGrowth(events: readonly JsonObject[]): void {
  const types = new Map<JsonValue | undefined, JsonValue | undefined>();
  const inputs = new Map<JsonValue | undefined, string>();
  for (const event of events) {
    const place = event.output_index;
    if (event.type === "response.custom_tool_call_input.delta") {
      need(types.get(place) === "custom_tool_call", "custom input belongs to a custom call");
      inputs.set(place, `${inputs.get(place) ?? ""}${event.delta}`);
    }
    if (!isObject(event.item)) continue;
    if (event.type === "response.output_item.added") {
      need(!types.has(place), "a place is taken once");
      types.set(place, event.item.type);
    }
    if (event.type !== "response.output_item.done") continue;
    need(types.get(place) === event.item.type, `'${types.get(place)}' became '${event.item.type}'`);
    if (event.item.type === "custom_tool_call")
      need((inputs.get(place) ?? "") === event.item.input, "the deltas are the input");
  }
}

function readItem(item: JsonValue | undefined): JsonObject {
  need(isObject(item), "an item is an object");
  switch (item.type) {
    case "message":
      need(item.role === "assistant" && Array.isArray(item.content), "a message has role and content");
      return item;
    case "reasoning":
      need(Array.isArray(item.summary), "reasoning has a summary");
      return item;
    case "function_call":
      texts(item, "name", "arguments", "call_id");
      need(item.namespace === undefined || typeof item.namespace === "string", "a namespace is a text");
      return item;
    case "custom_tool_call":
      texts(item, "name", "input", "call_id");
      need(item.namespace === undefined || typeof item.namespace === "string", "a namespace is a text");
      return item;
    case "local_shell_call":
      texts(item, "call_id");
      need(["completed", "in_progress", "incomplete"].includes(String(item.status)), "a shell's status");
      readExec(item.action);
      return item;
    case "tool_search_call":
      texts(item, "call_id", "execution");
      need(isObject(item.arguments), "a search has arguments");
      return item;
    case "shell_call":
      texts(item, "id", "call_id", "status");
      readShell(item.action);
      need(item.environment === null || isObject(item.environment), "a shell call tells its environment");
      return item;
    case "apply_patch_call":
      texts(item, "id", "call_id");
      need(item.status === "completed" || item.status === "in_progress", "a patch's status");
      readOperation(item.operation);
      return item;
    default:
      throw new Error(`Codex knows no item of type '${item.type}'.`);
  }
}

function readExec(action: JsonValue | undefined): void {
  need(isObject(action) && action.type === "exec" && isTexts(action.command), "a local shell runs a list of texts");
  need(action.timeout_ms === undefined || Number.isInteger(action.timeout_ms), "a time limit is whole");
  for (const key of ["working_directory", "user"])
    need(action[key] === undefined || typeof action[key] === "string", `'${key}' is a text`);
  need(isObject(action.env) && isTexts(Object.values(action.env)), "the environment is texts");
  only(action, ["type", "command", "timeout_ms", "working_directory", "env", "user"]);
}

function readShell(action: JsonValue | undefined): void {
  need(isObject(action) && isTexts(action.commands), "a shell runs a list of texts");
  for (const key of ["timeout_ms", "max_output_length"])
    need(action[key] === null || Number.isInteger(action[key]), `'${key}' is whole or null`);
  only(action, ["commands", "timeout_ms", "max_output_length"]);
}

function readOperation(operation: JsonValue | undefined): void {
  need(isObject(operation), "a patch has an operation");
  const needsDiff = operation.type === "create_file" || operation.type === "update_file";
  need(needsDiff || operation.type === "delete_file", "a patch has a kind");
  texts(operation, "path", ...(needsDiff ? ["diff"] : []));
  only(operation, needsDiff ? ["type", "path", "diff"] : ["type", "path"]);
}

function isTexts(value: JsonValue | undefined | (JsonValue | undefined)[]): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function texts(holder: JsonObject, ...keys: string[]): void {
  for (const key of keys) need(typeof holder[key] === "string", `'${holder.type}' has a text '${key}'`);
}

function only(holder: JsonObject, keys: readonly string[]): void {
  for (const key of Object.keys(holder)) need(keys.includes(key), `'${key}' belongs to no such object`);
}

function need(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(`What a Codex client needs: ${what}.`);
}
