import type { AnswerFormat, Ask, LastTurn, OfferedTool, ToolChoice } from "../ask.ts";
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { countJsonTokens } from "../tokens.ts";
import { effectiveInput, type ResponseStore } from "./store.ts";

const OUTPUTS = new Set<Json | undefined>(["function_call_output", "custom_tool_call_output"]);

/** Reads what a request asks for. Tolerant: in lax mode it is given requests that were never judged. */
export function read(body: JsonObject, model: string, store: ResponseStore): Ask {
  const items = effectiveInput(body, store);
  const reasoning = objectOf(body.reasoning);
  return {
    protocol: "responses",
    model,
    lastTurn: lastTurn(items),
    tools: offeredTools(body),
    ownTools: ownTools(body, items),
    toolChoice: toolChoice(body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    format: format(objectOf(objectOf(body.text).format)),
    reasoning: {
      on: typeof reasoning.effort === "string" && reasoning.effort !== "none",
      visible: typeof (reasoning.summary ?? reasoning.generate_summary) === "string",
    },
    maxOutput: typeof body.max_output_tokens === "number" ? body.max_output_tokens : undefined,
    stops: [],
    inputTokens: countJsonTokens(body.instructions, items, body.tools),
    candidates: 1,
  };
}

function lastTurn(items: JsonObject[]): LastTurn {
  if (OUTPUTS.has(items.at(-1)?.type)) {
    const names = new Map(items.filter(isCall).map((item) => [textOf(item.call_id), textOf(item.name)]));
    const from = items.findLastIndex((item) => !OUTPUTS.has(item.type)) + 1;
    const results = items.slice(from).map((item) => ({
      name: names.get(textOf(item.call_id)) ?? "",
      text: contentText(item.output),
    }));
    return { kind: "tool-results", results };
  }
  const user = items.findLast((item) => item.role === "user");
  return { kind: "user", text: contentText(user?.content) };
}

function isCall(item: JsonObject): boolean {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => textOf(part.text))
    .join("");
}

/** What stands among the tools, or among those that the input brought, and is no plain one. */
function ownTools(body: JsonObject, items: JsonObject[]): OfferedTool[] {
  const brought = items.filter(({ type }) => type === "tool_search_output" || type === "additional_tools");
  const search = objectsOf(body.tools).find(({ type, execution }) => type === "tool_search" && execution === "client");
  return [
    ...objectsOf(body.tools).flatMap(inNamespace),
    ...brought.flatMap(({ tools }) => [...plainTools(objectsOf(tools)), ...objectsOf(tools).flatMap(inNamespace)]),
    ...(search ? [{ name: "tool_search", schema: search.parameters, custom: false, search: true }] : []),
  ];
}

function inNamespace({ type, name, tools }: JsonObject): OfferedTool[] {
  if (type !== "namespace") return [];
  return plainTools(objectsOf(tools)).map((tool) => ({ ...tool, namespace: textOf(name) }));
}

function offeredTools(body: JsonObject): OfferedTool[] {
  return plainTools(objectsOf(body.tools));
}

function plainTools(tools: JsonObject[]): OfferedTool[] {
  return tools
    .filter((tool) => tool.type === "function" || tool.type === "custom")
    .map((tool) => ({ name: textOf(tool.name), schema: tool.parameters, custom: tool.type === "custom" }));
}

function toolChoice(choice: Json | undefined): ToolChoice {
  if (choice === "none") return { kind: "none" };
  if (choice === "required") return { kind: "required", names: [] };
  const wanted = objectOf(choice);
  if (wanted.type === "allowed_tools") {
    const names = objectsOf(wanted.tools).map((tool) => textOf(tool.name));
    return wanted.mode === "required" ? { kind: "required", names } : { kind: "auto" };
  }
  return typeof wanted.name === "string" ? { kind: "required", names: [wanted.name] } : { kind: "auto" };
}

function format(wanted: JsonObject): AnswerFormat {
  if (wanted.type === "json_object") return { kind: "json" };
  if (wanted.type === "json_schema") return { kind: "schema", schema: objectOf(wanted.schema) };
  return { kind: "text" };
}
