import { badRequest, type Failure } from "../failure.ts";
import { checkFields } from "../field-check.ts";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { metadataFailure, strictSchemaFailure } from "../openai-rules.ts";
import { OPENAI_WORDING } from "../openai-wording.ts";
import { REQUEST_FIELDS } from "./fields.ts";

/** Judges a request as the provider would (chat-completions.md 3 to 6); nothing when it would be answered. */
export function validate(body: JsonObject): Failure | undefined {
  return (
    checkFields(body, REQUEST_FIELDS, [], OPENAI_WORDING) ??
    optionFailure(body) ??
    toolFailure(body) ??
    formatFailure(body) ??
    conversationFailure(objectsOf(body.messages))
  );
}

function optionFailure(body: JsonObject): Failure | undefined {
  if (isObject(body.stream_options) && body.stream !== true) {
    return badRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: "stream_options",
    });
  }
  if (typeof body.top_logprobs === "number" && body.logprobs !== true) {
    return badRequest("'top_logprobs' requires 'logprobs' to be set to true.", { param: "top_logprobs" });
  }
  if (typeof body.max_tokens === "number" && typeof body.max_completion_tokens === "number") {
    return badRequest("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", {
      param: "max_tokens",
      code: "invalid_parameter_combination",
    });
  }
  return metadataFailure(body.metadata);
}

function toolFailure(body: JsonObject): Failure | undefined {
  const tools = objectsOf(body.tools);
  const names = tools.map((tool) => textOf(objectOf(tool[textOf(tool.type)]).name));
  if (tools.length === 0) {
    if (isObject(body.tool_choice) || body.tool_choice === "required" || body.tool_choice === "auto") {
      return badRequest("'tool_choice' is only allowed when 'tools' are specified.", { param: "tool_choice" });
    }
    if (typeof body.parallel_tool_calls === "boolean") {
      return badRequest("'parallel_tool_calls' is only allowed when 'tools' are specified.", {
        param: "parallel_tool_calls",
      });
    }
  }
  for (const [index, tool] of tools.entries()) {
    const definition = objectOf(tool.function);
    if (definition.strict !== true) continue;
    const failure = strictSchemaFailure(
      definition.parameters,
      `Invalid schema for function '${textOf(definition.name)}'`,
      `tools[${index}].function.parameters`,
      "invalid_function_parameters",
    );
    if (failure) return failure;
  }
  const choice = objectOf(body.tool_choice);
  const chosen = objectOf(choice[textOf(choice.type)]).name;
  if (typeof chosen === "string" && !names.includes(chosen)) {
    return badRequest(`Tool choice '${chosen}' not found in 'tools' parameter.`, { param: "tool_choice" });
  }
  return undefined;
}

function formatFailure(body: JsonObject): Failure | undefined {
  const format = objectOf(body.response_format);
  if (format.type === "json_object" && !/json/i.test(JSON.stringify(body.messages))) {
    return badRequest(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: "messages" },
    );
  }
  const wanted = objectOf(format.json_schema);
  if (wanted.strict !== true) return undefined;
  return strictSchemaFailure(
    wanted.schema,
    `Invalid schema for response_format '${textOf(wanted.name)}'`,
    "response_format",
    null,
  );
}

/** Every call is answered before any other message, and nothing is answered that was not called. */
function conversationFailure(messages: JsonObject[]): Failure | undefined {
  let open = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.delete(textOf(message.tool_call_id))) return orphanResult(index);
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    if (message.role !== "assistant") continue;
    const calls = objectsOf(message.tool_calls);
    const empty = message.content === undefined || message.content === null;
    if (empty && calls.length === 0 && !message.function_call && !message.audio && !message.refusal) {
      return badRequest(`Invalid value for 'content': expected a string, got null.`, {
        param: `messages.[${index}].content`,
        code: "invalid_value",
      });
    }
    open = new Map(calls.map((call) => [textOf(call.id), index]));
    if (open.size < calls.length) {
      return badRequest(`Duplicate tool call ids in 'messages[${index}].tool_calls'.`, {
        param: `messages[${index}].tool_calls`,
        code: "invalid_value",
      });
    }
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function orphanResult(index: number): Failure {
  return badRequest(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: `messages.[${index}].role` },
  );
}

function unanswered(open: Map<string, number>, index: number): Failure {
  const ids = [...open.keys()].join(", ");
  return badRequest(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
    { param: `messages.[${index}].role` },
  );
}
