import type { CanonicalRequest, CustomTool, FunctionTool } from "../canonical/index.ts";

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

/**
 * The names whose calls are of custom tools: those on offer, and those that only the history knows, because a model may
 * call again what it once called.
 */
export function customToolNames(request: CanonicalRequest): Set<string> {
  const offered = new Map(request.tools.map((tool) => [tool.type === "server" ? "" : tool.name, tool.type]));
  const names = new Set<string>();
  for (const [name, type] of offered) if (type === "custom") names.add(name);
  for (const turn of request.turns) {
    for (const part of turn.parts) {
      if (part.type === "tool-call" && part.toolKind === "custom" && !offered.has(part.name)) names.add(part.name);
    }
  }
  return names;
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

/** The text without a Markdown fence, where one fence is around all of it; else the text as it is. */
export function stripFence(text: string): string {
  const inner = /^\s*```[^\n`]*\n([\s\S]*?)\r?\n?```\s*$/.exec(text)?.[1];
  return inner === undefined || inner.includes("```") ? text : inner;
}
