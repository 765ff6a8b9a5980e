import { badRequest, type Failure } from "../failure.ts";
import { checkFields } from "../field-check.ts";
import { isObject, type Json, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { metadataFailure, strictSchemaFailure } from "../openai-rules.ts";
import { OPENAI_WORDING } from "../openai-wording.ts";
import { checkProof } from "../proof.ts";
import { COUNT_FIELDS, REQUEST_FIELDS } from "./fields.ts";
import { markOf, proofIn, reasoningMark } from "./items.ts";
import { effectiveInput, ownInput, type ResponseStore } from "./store.ts";

/** Judges a request as the provider would (responses.md 3 to 6); nothing when it would be answered. */
export function validate(body: JsonObject, store: ResponseStore): Failure | undefined {
  return (
    checkFields(body, REQUEST_FIELDS, [], OPENAI_WORDING) ??
    metadataFailure(body.metadata) ??
    contextFailure(body, store) ??
    toolFailure(body) ??
    formatFailure(body) ??
    roleFailure(objectsOf(body.input)) ??
    conversationFailure(body, store)
  );
}

/** Judges a token count. */
export function validateCount(body: JsonObject, store: ResponseStore): Failure | undefined {
  return checkFields(body, COUNT_FIELDS, [], OPENAI_WORDING) ?? contextFailure(body, store);
}

function contextFailure(body: JsonObject, store: ResponseStore): Failure | undefined {
  if (typeof body.model !== "string" && body.prompt === undefined) return OPENAI_WORDING.missing(["model"]);
  const previous = body.previous_response_id;
  if (typeof previous === "string" && !store.get(previous)) {
    return badRequest(`Previous response with id '${previous}' not found.`, {
      param: "previous_response_id",
      code: "previous_response_not_found",
    });
  }
  if (body.conversation !== undefined && body.conversation !== null) {
    const id = typeof body.conversation === "string" ? body.conversation : textOf(objectOf(body.conversation).id);
    return { kind: "not-found", message: `Conversation with id '${id}' not found.`, param: "conversation" };
  }
  if (body.background === true) {
    return badRequest("Background responses are not simulated.", {
      param: "background",
      code: "unsupported_parameter",
    });
  }
  if (body.input === undefined && previous === undefined && body.prompt === undefined) {
    return badRequest(
      "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.",
      { param: "input", code: "missing_required_parameter" },
    );
  }
  return undefined;
}

function toolFailure(body: JsonObject): Failure | undefined {
  const tools = objectsOf(body.tools);
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== "function" || tool.strict !== true) continue;
    const failure = strictSchemaFailure(
      tool.parameters,
      `Invalid schema for function '${textOf(tool.name)}'`,
      `tools[${index}].parameters`,
      "invalid_function_parameters",
    );
    if (failure) return failure;
  }
  const choice = body.tool_choice;
  if (tools.length === 0 && (choice === "required" || isObject(choice))) {
    return badRequest(
      `Tool choice '${isObject(choice) ? textOf(choice.type) : choice}' must be specified with 'tools' parameter.`,
      {
        param: "tool_choice",
      },
    );
  }
  const name = objectOf(choice).name;
  if (typeof name === "string" && !tools.some((tool) => tool.name === name)) {
    return badRequest(`Tool choice 'function' not found in 'tools' parameter.`, { param: "tool_choice" });
  }
  return undefined;
}

function formatFailure(body: JsonObject): Failure | undefined {
  const format = objectOf(objectOf(body.text).format);
  if (format.type === "json_object" && !/json/i.test(JSON.stringify([body.input ?? null, body.instructions ?? null]))) {
    return badRequest(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      { param: "input" },
    );
  }
  if (format.type !== "json_schema" || format.strict === false) return undefined;
  return strictSchemaFailure(
    format.schema,
    `Invalid schema for response_format '${textOf(format.name)}'`,
    "text.format.schema",
    "invalid_json_schema",
  );
}

/** User and system content is input, assistant content is output. */
function roleFailure(items: JsonObject[]): Failure | undefined {
  for (const [index, item] of items.entries()) {
    if ((item.type ?? "message") !== "message") continue;
    const assistant = item.role === "assistant";
    for (const [at, part] of objectsOf(item.content).entries()) {
      const isOutput = part.type === "output_text" || part.type === "refusal";
      if (isOutput === assistant) continue;
      const supported = assistant ? "'output_text' and 'refusal'" : "'input_text', 'input_image', and 'input_file'";
      return badRequest(`Invalid value: '${textOf(part.type)}'. Supported values are: ${supported}.`, {
        param: `input[${index}].content[${at}]`,
        code: "invalid_value",
      });
    }
  }
  return undefined;
}

const CALLS = new Set<Json | undefined>(["function_call", "custom_tool_call"]);
const OUTPUTS = new Set<Json | undefined>(["function_call_output", "custom_tool_call_output"]);

/** Judges the whole conversation that the model would see, stored turns included. */
function conversationFailure(body: JsonObject, store: ResponseStore): Failure | undefined {
  const missing = ownInput(body).find((item) => item.type === "item_reference" && !store.item(textOf(item.id)));
  if (missing) {
    return { kind: "not-found", message: `Item with id '${textOf(missing.id)}' not found.`, param: "input", code: "" };
  }
  const items = effectiveInput(body, store);
  return duplicateFailure(items) ?? pairingFailure(items) ?? reasoningFailure(items);
}

function duplicateFailure(items: JsonObject[]): Failure | undefined {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (typeof id !== "string") continue;
    if (seen.has(id)) {
      return badRequest(`Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`, {
        param: "input",
      });
    }
    seen.add(id);
  }
  return undefined;
}

function pairingFailure(items: JsonObject[]): Failure | undefined {
  const called = new Map<string, boolean>();
  for (const item of items) {
    const id = textOf(item.call_id);
    if (CALLS.has(item.type)) called.set(id, false);
    if (!OUTPUTS.has(item.type)) continue;
    if (!called.has(id)) {
      return badRequest(`No tool call found for function call output with call_id ${id}.`, { param: "input" });
    }
    called.set(id, true);
  }
  const open = [...called].find(([, answered]) => !answered);
  return open && badRequest(`No tool output found for function call ${open[0]}.`, { param: "input" });
}

/** A reasoning item and what it led to belong together, and its proof must be ours. */
function reasoningFailure(items: JsonObject[]): Failure | undefined {
  const marks = new Set(
    items.filter((item) => item.type === "reasoning").map((item) => reasoningMark(textOf(item.id))),
  );
  for (const [index, item] of items.entries()) {
    const id = textOf(item.id);
    const mark = markOf(id);
    if (mark !== undefined && !marks.has(mark)) {
      return badRequest(
        `Item '${id}' of type '${textOf(item.type) || "message"}' was provided without its required 'reasoning' item.`,
        { param: "input" },
      );
    }
    if (item.type !== "reasoning") continue;
    const failure = proofFailure(item) ?? followerFailure(item, items[index + 1]);
    if (failure) return failure;
  }
  return undefined;
}

function proofFailure(item: JsonObject): Failure | undefined {
  const encrypted = item.encrypted_content;
  if (typeof encrypted !== "string") return undefined;
  const id = textOf(item.id);
  const verdict = checkProof("encrypted", proofIn(encrypted), id);
  if (verdict.matches) return undefined;
  const reason = verdict.issued
    ? "Encrypted content item_id did not match the target item id."
    : "Encrypted content could not be decrypted or parsed.";
  return badRequest(`The encrypted content for item ${id} could not be verified. Reason: ${reason}`, {
    code: "invalid_encrypted_content",
  });
}

function followerFailure(item: JsonObject, next: JsonObject | undefined): Failure | undefined {
  const isUserSide =
    next === undefined || OUTPUTS.has(next.type) || (next.role !== undefined && next.role !== "assistant");
  if (!isUserSide) return undefined;
  return badRequest(`Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`, {
    param: "input",
  });
}
