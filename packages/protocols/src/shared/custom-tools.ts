import type { CustomTool, FunctionTool, JsonValue } from "../canonical/index.ts";
import { isObject } from "./read.ts";

/** Under which keys models put the free text when they forget the name `input`. */
const textKeys = ["input", "patch", "content", "code", "command"];

/**
 * A custom tool for a protocol that knows functions only (conversion.md T5): a function with one required text `input`.
 * What the grammar demanded is asked for in words.
 */
export function customAsFunction(tool: CustomTool): FunctionTool {
  const described: FunctionTool = {
    type: "function",
    name: tool.name,
    description: describe(tool),
    parameters: {
      type: "object",
      properties: { input: { type: "string", description: "The whole input of the tool as plain text." } },
      required: ["input"],
      additionalProperties: false,
    },
  };
  if (tool.cache) described.cache = tool.cache;
  if (tool.at !== undefined) described.at = tool.at;
  if (tool.extras) described.extras = tool.extras;
  return described;
}

function describe(tool: CustomTool): string {
  const sentences = tool.description ? [tool.description] : [];
  if (tool.grammar) {
    const kind = tool.grammar.syntax === "lark" ? "Lark grammar" : "regular expression";
    sentences.push(`The text in 'input' must match this ${kind}:\n${tool.grammar.definition}`);
  }
  sentences.push(
    `Put the tool's whole input as raw text into 'input', without a Markdown fence, for example {"input": "first line\\nsecond line"}.`,
  );
  return sentences.join("\n\n");
}

/** Free text -> the JSON arguments of the function that stands for the tool. */
export function wrapCustomInput(raw: string): string {
  return JSON.stringify({ input: raw });
}

/**
 * JSON arguments of that function -> free text (T5): the text `input`, else the only text under a usual name, else the
 * arguments as they are; less one Markdown fence around the whole.
 */
export function unwrapCustomInput(argumentsText: string): string {
  return stripFence(loneText(argumentsText) ?? argumentsText);
}

function loneText(argumentsText: string): string | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(argumentsText);
  } catch {
    // Not JSON: the model wrote the raw text itself.
    return undefined;
  }
  if (!isObject(value)) return typeof value === "string" ? value : undefined;
  const keys = Object.keys(value);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !textKeys.includes(key)) return undefined;
  const text = value[key];
  return typeof text === "string" ? text : undefined;
}

/** The text without a Markdown fence, where one fence is around all of it; else the text as it is. */
export function stripFence(text: string): string {
  const inner = /^\s*```[^\n`]*\n([\s\S]*?)\r?\n?```\s*$/.exec(text)?.[1];
  return inner === undefined || inner.includes("```") ? text : inner;
}
