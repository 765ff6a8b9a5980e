import type { AnswerFormat, Ask, LastTurn, OfferedTool, ReasoningAsk, ToolChoice } from "../ask.ts";
import { arrayOf, type Json, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { countJsonTokens } from "../tokens.ts";
import { blocksOf } from "./conversation.ts";

/** Reads what a request asks for. Tolerant: in lax mode it is given requests that were never judged. */
export function read(body: JsonObject, model: string): Ask {
  return {
    protocol: "messages",
    model,
    lastTurn: lastTurn(objectsOf(body.messages)),
    tools: offeredTools(body),
    toolChoice: toolChoice(objectOf(body.tool_choice)),
    parallel: objectOf(body.tool_choice).disable_parallel_tool_use !== true,
    format: format(objectOf(objectOf(body.output_config).format ?? body.output_format)),
    reasoning: reasoning(objectOf(body.thinking)),
    maxOutput: typeof body.max_tokens === "number" ? body.max_tokens : undefined,
    stops: arrayOf(body.stop_sequences).map(textOf),
    inputTokens: countJsonTokens(body.system, body.messages, body.tools),
    candidates: 1,
  };
}

function reasoning(thinking: JsonObject): ReasoningAsk {
  return {
    on: thinking.type === "enabled" || thinking.type === "adaptive",
    visible: thinking.display !== "omitted",
  };
}

function lastTurn(messages: JsonObject[]): LastTurn {
  const users = messages.filter((message) => message.role === "user");
  const blocks = blocksOf(users.at(-1)?.content);
  const results = blocks.filter((block) => block.type === "tool_result");
  const text = blocks.map((block) => (block.type === "text" ? textOf(block.text) : "")).join("");
  if (results.length === 0) return { kind: "user", text };
  const calls = messages.flatMap((message) => blocksOf(message.content)).filter((block) => block.type === "tool_use");
  return {
    kind: "tool-results",
    results: results.map((result) => ({
      name: textOf(calls.find((call) => call.id === result.tool_use_id)?.name),
      text: resultText(result.content),
    })),
  };
}

function resultText(content: Json | undefined): string {
  return blocksOf(content)
    .map((block) => textOf(block.text))
    .join("");
}

function offeredTools(body: JsonObject): OfferedTool[] {
  return objectsOf(body.tools)
    .filter((tool) => tool.input_schema !== undefined)
    .map((tool) => ({ name: textOf(tool.name), schema: tool.input_schema, custom: false }));
}

function toolChoice(choice: JsonObject): ToolChoice {
  switch (choice.type) {
    case "none":
      return { kind: "none" };
    case "any":
      return { kind: "required", names: [] };
    case "tool":
      return { kind: "required", names: [textOf(choice.name)] };
    default:
      return { kind: "auto" };
  }
}

function format(wanted: JsonObject): AnswerFormat {
  return wanted.type === "json_schema" ? { kind: "schema", schema: objectOf(wanted.schema) } : { kind: "text" };
}
