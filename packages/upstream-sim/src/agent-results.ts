import { arrayOf, isObject, type Json, type JsonObject } from "./json.ts";

/** What a tool gave back. */
export interface ToolResult {
  /** The tool's name as the model called it; empty where neither the result nor a call with its id tells it. */
  name: string;
  text: string;
}

/**
 * The tool results of a conversation, in the order of the calls: agents tell the results of parallel calls
 * in the order in which they ended, and a model knows by the ids which belongs to which. Where one bears no id of a
 * call, all stay in the order in which they came. One function for the shapes of all four protocols.
 */
export function toolResults(conversation: Json | undefined): ToolResult[] {
  const nodes = nodesOf(conversation);
  const calls = nodes.filter(isCall).map((node) => ({ id: idOf(node), name: nameOf(node) }));
  const results = nodes.filter(isResult).map((node) => {
    const id = idOf(node);
    const place = id === undefined ? -1 : calls.findIndex((call) => call.id === id);
    return { place, name: calls[place]?.name ?? nameOf(node), text: textOfResult(node) };
  });
  const paired = results.every(({ place }) => place !== -1);
  return (paired ? results.sort((a, b) => a.place - b.place) : results).map(({ name, text }) => ({ name, text }));
}

/** The turns, items, blocks and parts of a conversation, in their order. What a result is made of is no node of its own. */
function nodesOf(value: Json | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (!isObject(value)) return [];
  if (isResult(value)) return [value];
  const { messages, input, contents, content, parts, tool_calls } = value;
  return [
    value,
    ...[messages, input, contents, content, parts, tool_calls].flatMap((inner) => nodesOf(arrayOf(inner))),
  ];
}

function isResult({ role, type, functionResponse }: JsonObject): boolean {
  const bearer = (word: Json | undefined) =>
    word === "tool" || word === "tool_result" || (typeof word === "string" && word.endsWith("_call_output"));
  return functionResponse !== undefined || bearer(role) || bearer(type) || type === "tool_search_output";
}

function isCall({ type, functionCall }: JsonObject): boolean {
  return (
    functionCall !== undefined ||
    (typeof type === "string" && (["tool_use", "function", "custom"].includes(type) || type.endsWith("_call")))
  );
}

function idOf(node: JsonObject): string | undefined {
  const { functionCall, functionResponse } = node;
  const inner = [functionCall, functionResponse].find(isObject) ?? node;
  const id = inner.call_id ?? inner.tool_call_id ?? inner.tool_use_id ?? inner.id;
  return typeof id === "string" ? id : undefined;
}

function nameOf(node: JsonObject): string {
  const inner = [node.functionCall, node.functionResponse, node.function, node.custom].find(isObject) ?? node;
  if (typeof inner.name === "string") return inner.name;
  return node.type === "tool_search_call" ? "tool_search" : "";
}

function textOfResult({ functionResponse, content, output }: JsonObject): string {
  return JSON.stringify(functionResponse ?? content ?? output ?? "");
}
