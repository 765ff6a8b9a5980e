import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { demand, object, same, string } from "./responses-demand.ts";
import type { OpenItem } from "./responses-open-item.ts";

/** A finished item as the strictest item parsers want it: required keys, and the same content as its events. */
export function checkItem(item: JsonObject, open?: Pick<OpenItem, "parts" | "argumentsDone">): void {
  switch (item.type) {
    case "message":
      demand(item.role === "assistant", "a message is not the assistant's");
      demand(
        ["completed", "incomplete"].includes(string(item.status, "status")),
        `a message of status '${item.status}'`,
      );
      demand(Array.isArray(item.content) && item.content.length > 0, "a message without content");
      item.content.forEach(checkContent);
      if (open) same(item.content, open.parts, "a message's content is not that of its events");
      return;
    case "reasoning":
      demand(Array.isArray(item.summary), "a reasoning item has no summary list");
      if (open) same(item.summary, open.parts, "a reasoning item's summary is not that of its events");
      return;
    case "function_call":
    case "custom_tool_call": {
      string(item.call_id, "call_id");
      string(item.name, "name");
      const text = string(item.type === "function_call" ? item.arguments : item.input, "arguments");
      if (open) demand(open.argumentsDone === text, "a call's arguments are not those of its events");
      return;
    }
    default:
      string(item.type, "type");
  }
}

function checkContent(value: JsonValue): void {
  const part = object(value, "content part");
  if (part.type === "refusal") {
    string(part.refusal, "refusal");
    return;
  }
  demand(part.type === "output_text", `a content part of type '${part.type}'`);
  string(part.text, "text");
  demand(Array.isArray(part.annotations) && Array.isArray(part.logprobs), "a text part lacks its lists");
}

const always = [
  "error",
  "incomplete_details",
  "instructions",
  "metadata",
  "temperature",
  "tool_choice",
  "top_p",
  "usage",
];

/** A response object as the schema wants it: the keys that are always there, and a usage that adds up. */
export function checkResponseObject(response: JsonObject): void {
  demand(response.object === "response", "object is not 'response'");
  demand(string(response.id, "id") !== "", "the id is empty");
  demand(Number.isInteger(response.created_at), "created_at is no whole number");
  string(response.model, "model");
  demand(Array.isArray(response.output) && Array.isArray(response.tools), "output or tools is no list");
  demand(typeof response.parallel_tool_calls === "boolean", "parallel_tool_calls is no boolean");
  for (const key of always) demand(response[key] !== undefined, `'${key}' is missing`);
  if (response.usage === null) return;
  const usage = object(response.usage, "usage");
  const input = count(usage.input_tokens, "input_tokens");
  const output = count(usage.output_tokens, "output_tokens");
  demand(count(usage.total_tokens, "total_tokens") === input + output, "total_tokens is not the sum");
  count(object(usage.input_tokens_details, "input_tokens_details").cached_tokens, "cached_tokens");
  count(object(usage.output_tokens_details, "output_tokens_details").reasoning_tokens, "reasoning_tokens");
}

function count(value: JsonValue | undefined, what: string): number {
  demand(typeof value === "number" && Number.isInteger(value) && value >= 0, `${what} is no count`);
  return value;
}
