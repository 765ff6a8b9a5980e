import type { AnswerFormat, Ask, LastTurn, OfferedTool, ToolChoice } from "../ask.ts";
import { arrayOf, type Json, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { countJsonTokens } from "../tokens.ts";

/** Reads what a request asks for. Tolerant: in lax mode it is given requests that were never judged. */
export function read(body: JsonObject, model: string): Ask {
  return {
    protocol: "chat-completions",
    model,
    lastTurn: lastTurn(objectsOf(body.messages)),
    tools: offeredTools(body),
    toolChoice: toolChoice(body),
    parallel: body.parallel_tool_calls !== false,
    format: format(objectOf(body.response_format)),
    reasoning: {
      on: typeof body.reasoning_effort === "string" && body.reasoning_effort !== "none",
      visible: true,
    },
    maxOutput: firstNumber(body.max_completion_tokens, body.max_tokens),
    stops: typeof body.stop === "string" ? [body.stop] : arrayOf(body.stop).map(textOf),
    inputTokens: countJsonTokens(body.messages, body.tools, body.functions),
    candidates: typeof body.n === "number" ? body.n : 1,
  };
}

/** A content's text: a string, or its text parts joined. */
function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => textOf(part.text))
    .join("");
}

function lastTurn(messages: JsonObject[]): LastTurn {
  const last = messages.at(-1);
  if (last?.role === "tool") {
    const names = new Map<string, string>();
    for (const call of messages.flatMap((message) => objectsOf(message.tool_calls))) {
      names.set(textOf(call.id), textOf(objectOf(call.function ?? call.custom).name));
    }
    const from = messages.findLastIndex((message) => message.role !== "tool") + 1;
    const results = messages.slice(from).map((message) => ({
      name: names.get(textOf(message.tool_call_id)) ?? textOf(message.tool_call_id),
      text: contentText(message.content),
    }));
    return { kind: "tool-results", results };
  }
  const user = messages.findLast((message) => message.role === "user");
  return { kind: "user", text: contentText(user?.content) };
}

function offeredTools(body: JsonObject): OfferedTool[] {
  const tools = objectsOf(body.tools).map((tool) => {
    const definition = objectOf(tool.function ?? tool.custom);
    return { name: textOf(definition.name), schema: definition.parameters, custom: tool.type === "custom" };
  });
  const functions = objectsOf(body.functions).map((definition) => ({
    name: textOf(definition.name),
    schema: definition.parameters,
    custom: false,
  }));
  return [...tools, ...functions];
}

function toolChoice(body: JsonObject): ToolChoice {
  const choice = body.tool_choice;
  if (choice === "none") return { kind: "none" };
  if (choice === "required") return { kind: "required", names: [] };
  const wanted = objectOf(choice);
  if (wanted.type === "allowed_tools") {
    const allowed = objectOf(wanted.allowed_tools);
    const names = objectsOf(allowed.tools).map((tool) => textOf(objectOf(tool.function ?? tool.custom).name));
    return allowed.mode === "required" ? { kind: "required", names } : { kind: "auto" };
  }
  const name = objectOf(wanted.function ?? wanted.custom).name;
  return typeof name === "string" ? { kind: "required", names: [name] } : { kind: "auto" };
}

function format(wanted: JsonObject): AnswerFormat {
  if (wanted.type === "json_object") return { kind: "json" };
  if (wanted.type === "json_schema") return { kind: "schema", schema: objectOf(objectOf(wanted.json_schema).schema) };
  return { kind: "text" };
}

function firstNumber(...values: (Json | undefined)[]): number | undefined {
  return values.find((value) => typeof value === "number");
}
