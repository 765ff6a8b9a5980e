import { badRequest, type Failure } from "../failure.ts";
import { checkFields } from "../field-check.ts";
import { isObject, type Json, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import type { JudgeContext } from "../judge-context.ts";
import { blocksOf, conversationFailure } from "./conversation.ts";
import { BETA_FIELDS, COUNT_FIELDS, REQUEST_FIELDS } from "./fields.ts";
import { outputSchemaFailure } from "./schema-rules.ts";
import { MESSAGES_WORDING } from "./wording.ts";

const VERSIONS = ["2023-01-01", "2023-06-01", "2026-10-21"];
const NO_SAMPLING_VERSION = "2026-10-21";

/** Judges a request as the provider would (messages.md 0 to 7, 14); nothing when it would be answered. */
export function validate(body: JsonObject, context: JudgeContext): Failure | undefined {
  const beta = context.headers["anthropic-beta"] !== undefined;
  return (
    headerFailure(context.headers) ??
    checkFields(body, beta ? { ...REQUEST_FIELDS, ...BETA_FIELDS } : REQUEST_FIELDS, [], MESSAGES_WORDING) ??
    samplingFailure(body, context.headers) ??
    toolFailure(body) ??
    thinkingFailure(body) ??
    cacheFailure(body) ??
    systemFailure(body) ??
    outputSchemaFailure(objectOf(objectOf(body.output_config).format).schema, "output_config.format.schema") ??
    conversationFailure(body)
  );
}

/** Judges a token count. */
export function validateCount(body: JsonObject, context: JudgeContext): Failure | undefined {
  return (
    headerFailure(context.headers) ?? checkFields(body, COUNT_FIELDS, [], MESSAGES_WORDING) ?? conversationFailure(body)
  );
}

function headerFailure(headers: Record<string, string>): Failure | undefined {
  const version = headers["anthropic-version"];
  if (version === undefined) return badRequest("anthropic-version: header is required");
  if (!VERSIONS.includes(version)) {
    return badRequest(
      `anthropic-version: "${version}" is not a valid version. Please see our documentation for valid versions.`,
    );
  }
  const betas = (headers["anthropic-beta"] ?? "").split(",").map((value) => value.trim());
  const unknown = betas.find((value) => value !== "" && !/^[a-z][a-z0-9-]*-\d{4}-?\d{2}-?\d{2}$/.test(value));
  return unknown === undefined
    ? undefined
    : badRequest(`Unexpected value(s) \`${unknown}\` for the \`anthropic-beta\` header.`);
}

function samplingFailure(body: JsonObject, headers: Record<string, string>): Failure | undefined {
  if (headers["anthropic-version"] !== NO_SAMPLING_VERSION) return undefined;
  const name = ["temperature", "top_p", "top_k"].find((key) => body[key] !== undefined);
  return name === undefined ? undefined : badRequest(`${name}: Extra inputs are not permitted`);
}

function toolFailure(body: JsonObject): Failure | undefined {
  const tools = objectsOf(body.tools);
  const names = tools.map((tool) => textOf(tool.name));
  if (new Set(names).size < names.length) return badRequest("tools: Tool names must be unique.");
  for (const [index, tool] of tools.entries()) {
    if (tool.input_schema !== undefined && objectOf(tool.input_schema).type !== "object") {
      return badRequest(`tools.${index}.custom.input_schema.type: Input should be 'object'`);
    }
  }
  const choice = objectOf(body.tool_choice);
  if (choice.type !== undefined && choice.type !== "none" && tools.length === 0) {
    return badRequest("tool_choice may only be specified while providing tools");
  }
  if (choice.type === "tool" && !names.includes(textOf(choice.name))) {
    return badRequest(`Tool '${textOf(choice.name)}' not found in provided tools`);
  }
  return undefined;
}

function thinkingFailure(body: JsonObject): Failure | undefined {
  const thinking = objectOf(body.thinking);
  if (thinking.type !== "enabled") return undefined;
  if (Number(thinking.budget_tokens) >= Number(body.max_tokens)) {
    return badRequest("`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
  if (typeof body.temperature === "number" && body.temperature !== 1) {
    return badRequest("`temperature` may only be set to 1 when thinking is enabled.");
  }
  if (typeof body.top_k === "number") return badRequest("`top_k` must be unset when thinking is enabled.");
  if (typeof body.top_p === "number" && body.top_p < 0.95) {
    return badRequest("`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.");
  }
  const choice = objectOf(body.tool_choice).type;
  if (choice === "any" || choice === "tool") {
    return badRequest("Thinking may not be enabled when tool_choice forces tool use.");
  }
  return undefined;
}

const MOST_BREAKPOINTS = 4;

function cacheFailure(body: JsonObject): Failure | undefined {
  const blocks = objectsOf(body.messages).flatMap((message) => blocksOf(message.content));
  const holders: Json[] = [
    ...objectsOf(body.tools),
    ...objectsOf(body.system),
    ...blocks,
    ...blocks.flatMap((block) => objectsOf(block.content)),
  ];
  const count = holders.filter((holder) => isObject(holder) && isObject(holder.cache_control)).length;
  const total = count + (isObject(body.cache_control) ? 1 : 0);
  if (total <= MOST_BREAKPOINTS) return undefined;
  return badRequest(`A maximum of 4 blocks with cache_control may be provided. Found ${total}.`);
}

function systemFailure(body: JsonObject): Failure | undefined {
  const empty = objectsOf(body.system).some((block) => block.text === "");
  return empty ? badRequest("system: text content blocks must be non-empty") : undefined;
}
