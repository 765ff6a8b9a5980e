import type { JsonObject } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { demand, object, same, string } from "./responses-demand.ts";
import { checkItem, checkResponseObject } from "./responses-objects.ts";
import { addText, annotate, closePart, endText, expectType, type OpenItem, openPart } from "./responses-open-item.ts";

/** What a lawful stream of the responses protocol said. */
export interface CheckedResponsesStream {
  /** `failed` and `error` are lawful ends too: the caller says what it expected. */
  end: "completed" | "incomplete" | "failed" | "error";
  /** The terminal event's response object; for `error` the event itself. */
  terminal: JsonObject;
  /** The finished items in order. */
  items: JsonObject[];
  events: JsonObject[];
}

/**
 * Reads the raw text of a stream as the strictest known clients do (conversion.md 3.1; responses.md sections 8.3 and 10)
 * and throws at the first thing that one of them would stumble over.
 */
export function checkStream(text: string): CheckedResponsesStream {
  const checker = new Checker();
  for (const frame of frames(text)) checker.event(frame.name, frame.data);
  return checker.end();
}

function* frames(text: string): Generator<{ name: string; data: JsonObject }> {
  demand(text.endsWith("\n\n"), "the stream does not end with a blank line");
  for (const block of text.slice(0, -2).split("\n\n")) {
    if (block.startsWith(":")) {
      demand(!block.includes("\n"), "a comment shares its block with other lines");
      continue;
    }
    const lines = block.split("\n");
    const [name = "", data = ""] = lines;
    demand(
      lines.length === 2 && name.startsWith("event: ") && data.startsWith("data: "),
      `no event and data line: ${block}`,
    );
    const value: unknown = JSON.parse(data.slice("data: ".length));
    demand(isObject(value), "data is no object");
    yield { name: name.slice("event: ".length), data: value };
  }
}

/** Items that strict clients take by their call id. */
const withCallId = new Set(["function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call"]);

class Checker {
  readonly #events: JsonObject[] = [];
  readonly #items: JsonObject[] = [];
  readonly #ids = new Set<string>();
  #responseId: string | undefined;
  #sawInProgress = false;
  #open: OpenItem | undefined;
  #nextIndex = 0;
  #end: CheckedResponsesStream["end"] | undefined;
  #terminal: JsonObject = {};

  event(name: string, event: JsonObject): void {
    demand(this.#end === undefined, `'${name}' came after the terminal event`);
    demand(event.type === name, `event name '${name}' and type '${event.type}' differ`);
    demand(
      event.sequence_number === this.#events.length,
      `sequence number ${event.sequence_number} at ${this.#events.length}`,
    );
    this.#events.push(event);
    if (name === "error") {
      demand(this.#events.length === 1, "an error event where a response object could be made");
      demand(typeof event.message === "string" && "code" in event && "param" in event, "an error event lacks fields");
      this.#end = "error";
      this.#terminal = event;
      return;
    }
    if (this.#events.length === 1) demand(name === "response.created", `the first event is '${name}'`);
    if (this.#events.length === 2) demand(name === "response.in_progress", `the second event is '${name}'`);
    this.#dispatch(name, event);
  }

  end(): CheckedResponsesStream {
    demand(this.#end !== undefined, "there is no terminal event");
    return { end: this.#end, terminal: this.#terminal, items: this.#items, events: this.#events };
  }

  #dispatch(name: string, event: JsonObject): void {
    switch (name) {
      case "response.created":
        demand(this.#events.length === 1, "'response.created' came twice");
        this.#lifecycle(event, "in_progress");
        return;
      case "response.in_progress":
        this.#sawInProgress = true;
        this.#lifecycle(event, "in_progress");
        return;
      case "response.completed":
        this.#terminate(event, "completed");
        return;
      case "response.incomplete":
        this.#terminate(event, "incomplete");
        return;
      case "response.failed":
        this.#terminate(event, "failed");
        return;
      case "response.output_item.added":
        this.#added(event);
        return;
      case "response.output_item.done":
        this.#done(event);
        return;
      default:
        this.#itemEvent(name, event);
    }
  }

  #lifecycle(event: JsonObject, status: string): JsonObject {
    const response = object(event.response, "response");
    demand(response.status === status, `the response's status is '${response.status}', not '${status}'`);
    this.#responseId ??= string(response.id, "response.id");
    demand(response.id === this.#responseId, "the response's id changed");
    checkResponseObject(response);
    return response;
  }

  #terminate(event: JsonObject, status: "completed" | "incomplete" | "failed"): void {
    demand(this.#sawInProgress, "no 'response.in_progress' before the end");
    const response = this.#lifecycle(event, status);
    demand(this.#open === undefined || status === "failed", "the answer ended inside an item");
    if (status === "failed") {
      const error = object(response.error, "response.error");
      string(error.code, "error.code");
      string(error.message, "error.message");
    } else {
      demand(response.error === null, "a good answer bears an error");
    }
    const details = response.incomplete_details;
    demand((status === "incomplete") === isObject(details), "incomplete_details and status do not agree");
    same(response.output, this.#items, "the terminal output is not the finished items");
    this.#end = status;
    this.#terminal = response;
  }

  #added(event: JsonObject): void {
    demand(this.#open === undefined, "an item was added inside another one");
    demand(event.output_index === this.#nextIndex, `output_index ${event.output_index}, expected ${this.#nextIndex}`);
    const item = object(event.item, "item");
    const id = string(item.id, "item.id");
    const type = string(item.type, "item.type");
    demand(id !== "" && !this.#ids.has(id), `item id '${id}' is empty or used twice`);
    this.#ids.add(id);
    if (type === "message") same(item.content, [], "an added message has content");
    if (type === "function_call") demand(item.arguments === "", "an added function call has arguments or lacks them");
    if (type === "custom_tool_call") demand(item.input === "", "an added custom call has input or lacks it");
    if (type === "reasoning") demand(Array.isArray(item.summary), "an added reasoning item has no summary list");
    if (withCallId.has(type)) string(item.call_id, "item.call_id");
    this.#open = {
      id,
      type,
      callId: item.call_id,
      index: this.#nextIndex,
      parts: [],
      part: undefined,
      arguments: [],
      argumentsDone: undefined,
    };
    this.#nextIndex += 1;
  }

  #done(event: JsonObject): void {
    const open = this.#current(event);
    demand(open.part === undefined, "an item ended inside a part");
    const item = object(event.item, "item");
    demand(
      item.id === open.id && item.type === open.type && item.call_id === open.callId,
      "the done item is another one",
    );
    checkItem(item, open);
    this.#items.push(item);
    this.#open = undefined;
  }

  #itemEvent(name: string, event: JsonObject): void {
    const open = this.#current(event);
    demand(event.item_id === open.id, `item_id '${event.item_id}' is not '${open.id}'`);
    switch (name) {
      case "response.content_part.added":
        expectType(open, "message");
        demand(event.content_index === open.parts.length, "content_index is not the next one");
        openPart(open, object(event.part, "part"));
        return;
      case "response.output_text.delta":
        demand(Array.isArray(event.logprobs), "a text delta has no logprobs list");
        addText(open, event, "content_index", "output_text");
        return;
      case "response.refusal.delta":
        addText(open, event, "content_index", "refusal");
        return;
      case "response.output_text.annotation.added":
        annotate(open, event);
        return;
      case "response.output_text.done":
        demand(Array.isArray(event.logprobs), "a text done event has no logprobs list");
        endText(open, event, "content_index", "output_text", event.text);
        return;
      case "response.refusal.done":
        endText(open, event, "content_index", "refusal", event.refusal);
        return;
      case "response.content_part.done":
        closePart(open, event, "content_index");
        return;
      case "response.reasoning_summary_part.added":
        expectType(open, "reasoning");
        demand(event.summary_index === open.parts.length, "summary_index is not the next one");
        openPart(open, object(event.part, "part"));
        return;
      case "response.reasoning_summary_text.delta":
        addText(open, event, "summary_index", "summary_text");
        return;
      case "response.reasoning_summary_text.done":
        endText(open, event, "summary_index", "summary_text", event.text);
        return;
      case "response.reasoning_summary_part.done":
        closePart(open, event, "summary_index");
        return;
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        expectType(open, name.includes("custom") ? "custom_tool_call" : "function_call");
        demand(open.argumentsDone === undefined, "arguments came after their done event");
        open.arguments.push(string(event.delta, "delta"));
        return;
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done":
        expectType(open, name.includes("custom") ? "custom_tool_call" : "function_call");
        open.argumentsDone = string(name.includes("custom") ? event.input : event.arguments, "done text");
        demand(open.argumentsDone === open.arguments.join(""), "the argument deltas do not add up");
        return;
      default:
        throw new Error(`Responses stream: an event type that strict clients do not know: '${name}'`);
    }
  }

  #current(event: JsonObject): OpenItem {
    demand(this.#open !== undefined, `'${event.type}' came without an open item`);
    demand(event.output_index === this.#open.index, `output_index ${event.output_index}, expected ${this.#open.index}`);
    return this.#open;
  }
}
