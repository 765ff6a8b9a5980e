import type { AnswerFormat, Ask, LastTurn, OfferedTool, ReasoningAsk, ToolChoice } from "../ask.ts";
import { arrayOf, isObject, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { countJsonTokens } from "../tokens.ts";

/** Reads what a normalised request asks for. Tolerant: in lax mode it is given requests that were never judged. */
export function read(body: JsonObject, model: string): Ask {
  const config = objectOf(body.generationConfig);
  return {
    protocol: "generate-content",
    model,
    lastTurn: lastTurn(objectsOf(body.contents)),
    tools: offeredTools(body),
    toolChoice: toolChoice(objectOf(objectOf(body.toolConfig).functionCallingConfig)),
    parallel: true,
    format: format(config),
    reasoning: reasoning(objectOf(config.thinkingConfig)),
    maxOutput: config.maxOutputTokens === undefined ? undefined : Number(config.maxOutputTokens),
    stops: arrayOf(config.stopSequences).map(textOf),
    inputTokens: countJsonTokens(body.systemInstruction, body.contents, body.tools),
    candidates: Number(config.candidateCount ?? 1),
  };
}

function reasoning(config: JsonObject): ReasoningAsk {
  const budget = config.thinkingBudget;
  const wanted = config.includeThoughts === true || budget !== undefined || typeof config.thinkingLevel === "string";
  return { on: wanted && Number(budget ?? -1) !== 0, visible: config.includeThoughts === true };
}

function lastTurn(contents: JsonObject[]): LastTurn {
  const from = contents.findLastIndex((content) => content.role === "model") + 1;
  const parts = contents.slice(from).flatMap((content) => objectsOf(content.parts));
  const results = parts.filter((part) => part.functionResponse !== undefined);
  if (results.length === 0) return { kind: "user", text: parts.map((part) => textOf(part.text)).join("") };
  return {
    kind: "tool-results",
    results: results.map((part) => {
      const { name, response } = objectOf(part.functionResponse);
      return { name: textOf(name), text: resultText(objectOf(response)) };
    }),
  };
}

function resultText(response: JsonObject): string {
  const only = response.output ?? response.error;
  return typeof only === "string" ? only : JSON.stringify(response);
}

function offeredTools(body: JsonObject): OfferedTool[] {
  return objectsOf(body.tools)
    .flatMap((tool) => objectsOf(tool.functionDeclarations))
    .map((declaration) => ({
      name: textOf(declaration.name),
      schema: declaration.parameters ?? declaration.parametersJsonSchema,
      custom: false,
    }));
}

function toolChoice(config: JsonObject): ToolChoice {
  switch (config.mode) {
    case "NONE":
      return { kind: "none" };
    case "ANY":
      return { kind: "required", names: arrayOf(config.allowedFunctionNames).map(textOf) };
    default:
      return { kind: "auto" };
  }
}

function format(config: JsonObject): AnswerFormat {
  const schema = config.responseSchema ?? config.responseJsonSchema ?? config._responseJsonSchema;
  if (isObject(schema)) return { kind: "schema", schema };
  return config.responseMimeType === "application/json" ? { kind: "json" } : { kind: "text" };
}
