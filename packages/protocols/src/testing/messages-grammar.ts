import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** What a strict reader of a messages stream understood. */
export interface MessagesStream {
  ok: true;
  /** The whole message as the strictest client puts it together. Absent where only an error came. */
  message?: JsonObject;
  /** The `error` object of the error frame that ended the stream. */
  error?: JsonObject;
  /** Names of the frames, without keep-alives, in their order. */
  names: string[];
  pings: number;
  comments: number;
}

interface OpenBlock {
  index: number;
  block: JsonObject;
  texts: string[];
  inputs: string[];
  isSigned: boolean;
}

/** Blocks that stream by deltas; all others stand complete in their opening frame. */
const parted = new Set(["text", "thinking", "tool_use", "server_tool_use", "mcp_tool_use"]);

/** Ends in the middle of an answer: the vendor's own stream stops inside a call's arguments there. */
const cutting = new Set(["max_tokens", "model_context_window_exceeded", "refusal"]);

function parsed(raw: string): JsonValue | undefined {
  try {
    return JSON.parse(raw);
  } catch {
    // Where that may be is for the end of the stream to say.
    return undefined;
  }
}

/**
 * Reads the raw text of a messages stream by the grammar of conversion.md 3.1 and the invariants of messages.md 13, and
 * throws on the first departure from them. A stream that has not ended yet (`complete: false`) may stop anywhere.
 */
export function checkStream(text: string, options: { complete?: boolean } = {}): MessagesStream {
  const reader = new StrictReader();
  if (text !== "" && !text.endsWith("\n\n")) fail("the stream does not end with a blank line");
  for (const frame of text.split("\n\n").slice(0, -1)) reader.frame(frame);
  return reader.result(options.complete ?? true);
}

class StrictReader {
  readonly #names: string[] = [];
  #message: JsonObject | undefined;
  readonly #content: JsonObject[] = [];
  #open: OpenBlock | undefined;
  #delta: JsonObject | undefined;
  #error: JsonObject | undefined;
  #isOver = false;
  /** The call whose arguments were no JSON: lawful only where the answer goes on to say that it was cut there, or fails. */
  #cutAt: number | undefined;
  #pings = 0;
  #comments = 0;

  frame(frame: string): void {
    if (frame.startsWith(":")) {
      if (frame.includes("\n")) fail("a comment shares its frame");
      this.#comments += 1;
      return;
    }
    const [head = "", line = "", ...more] = frame.split("\n");
    if (!head.startsWith("event: ") || !line.startsWith("data: ") || more.length > 0) fail(`not a frame: ${frame}`);
    const name = head.slice("event: ".length);
    const body: unknown = JSON.parse(line.slice("data: ".length));
    if (!isObject(body)) fail(`${name} holds no object`);
    if (body.type !== name) fail(`${name} says type ${String(body.type)}`);
    if (this.#isOver) fail(`${name} after the end`);
    this.#event(name, body);
  }

  result(complete: boolean): MessagesStream {
    if (complete && !this.#isOver) fail("the stream ends without message_stop or error");
    const told = { names: this.#names, pings: this.#pings, comments: this.#comments };
    if (this.#error) return { ok: true, error: this.#error, ...told };
    return { ok: true, ...(this.#message ? { message: { ...this.#message, content: this.#content } } : {}), ...told };
  }

  #event(name: string, body: JsonObject): void {
    if (name === "ping") {
      if (!this.#message) fail("a ping before message_start");
      this.#pings += 1;
      return;
    }
    this.#names.push(name);
    if (name === "error") {
      this.#error = object(body.error, "error.error");
      string(this.#error.type, "error.error.type");
      string(this.#error.message, "error.error.message");
      this.#isOver = true;
      return;
    }
    if (name === "message_start") {
      if (this.#message) fail("a second message_start");
      this.#message = startedMessage(body);
      return;
    }
    if (!this.#message) fail(`${name} before message_start`);
    if (this.#delta && name !== "message_stop") fail(`${name} after message_delta`);
    switch (name) {
      case "content_block_start":
        this.#start(body);
        return;
      case "content_block_delta":
        this.#change(body);
        return;
      case "content_block_stop":
        this.#stop(body);
        return;
      case "message_delta":
        this.#finish(body, this.#message);
        return;
      case "message_stop":
        if (!this.#delta) fail("message_stop without message_delta");
        if (Object.keys(body).length !== 1) fail("message_stop has fields");
        this.#isOver = true;
        return;
      default:
        fail(`an unknown event ${name}`);
    }
  }

  #start(body: JsonObject): void {
    if (this.#open) fail("a block opens inside another");
    if (body.index !== this.#content.length) fail(`block ${String(body.index)} opens, ${this.#content.length} is next`);
    const block = object(body.content_block, "content_block");
    const type = string(block.type, "content_block.type");
    if (type === "text" && block.text !== "") fail("a text block opens with text");
    if (type === "thinking" && (block.thinking !== "" || block.signature !== "")) fail("a thinking block opens full");
    if (type === "redacted_thinking") filled(block.data, "redacted_thinking.data");
    if (type === "tool_use" || type === "server_tool_use") {
      if (!/^[a-zA-Z0-9_-]+$/.test(string(block.id, "id"))) fail(`an illegal call id ${String(block.id)}`);
      filled(block.name, "name");
      if (Object.keys(object(block.input, "input")).length > 0) fail("a call opens with input");
    }
    this.#open = { index: this.#content.length, block: { ...block }, texts: [], inputs: [], isSigned: false };
  }

  #change(body: JsonObject): void {
    const open = this.#open;
    if (!open || body.index !== open.index) fail("a delta for a block that is not open");
    const delta = object(body.delta, "delta");
    const type = open.block.type;
    if (typeof type !== "string" || !parted.has(type)) fail(`a delta in a block of type ${String(type)}`);
    if (open.isSigned) fail("a delta after the signature");
    switch (delta.type) {
      case "text_delta":
        if (type !== "text") fail("text in another block");
        open.texts.push(filled(delta.text, "text_delta.text"));
        return;
      case "citations_delta":
        if (type !== "text") fail("a citation in another block");
        open.block.citations = [...list(open.block.citations), object(delta.citation, "citation")];
        return;
      case "thinking_delta":
        if (type !== "thinking") fail("thinking in another block");
        open.texts.push(filled(delta.thinking, "thinking_delta.thinking"));
        return;
      case "signature_delta":
        if (type !== "thinking") fail("a signature in another block");
        open.block.signature = filled(delta.signature, "signature_delta.signature");
        open.isSigned = true;
        return;
      case "input_json_delta":
        if (!type.endsWith("tool_use")) fail("arguments in another block");
        open.inputs.push(string(delta.partial_json, "input_json_delta.partial_json"));
        return;
      default:
        fail(`an unknown delta ${String(delta.type)}`);
    }
  }

  #stop(body: JsonObject): void {
    const open = this.#open;
    if (!open || body.index !== open.index) fail("a stop for a block that is not open");
    const { block, texts, inputs } = open;
    if (block.type === "text") {
      block.text = texts.join("");
      if (block.text === "") fail("an empty text block");
    } else if (block.type === "thinking") {
      if (!open.isSigned) fail("a thinking block without a signature");
      block.thinking = texts.join("");
    } else if (inputs.length > 0) {
      const raw = inputs.join("");
      const input = raw === "" ? {} : parsed(raw);
      if (input === undefined) this.#cutAt ??= this.#content.length;
      block.input = object(input ?? {}, "joined arguments");
    }
    this.#content.push(block);
    this.#open = undefined;
  }

  #finish(body: JsonObject, message: JsonObject): void {
    if (this.#open) fail("message_delta inside a block");
    const delta = object(body.delta, "message_delta.delta");
    const usage = object(body.usage, "message_delta.usage");
    const reason = filled(delta.stop_reason, "stop_reason");
    if (this.#cutAt !== undefined) {
      if (!cutting.has(reason)) fail(`stop_reason ${reason} behind arguments that are not JSON`);
      if (this.#content.length > this.#cutAt + 1) fail("a block behind a call whose arguments are not JSON");
    }
    if (delta.stop_sequence !== null) string(delta.stop_sequence, "stop_sequence");
    count(usage.output_tokens, "message_delta.usage.output_tokens");
    for (const value of Object.values(usage)) if (typeof value === "number") count(value, "message_delta.usage");
    const hasCall = this.#content.some((block) => block.type === "tool_use");
    if (reason === "tool_use" && !hasCall) fail("stop_reason tool_use without a call");
    if (hasCall && (reason === "end_turn" || reason === "stop_sequence")) fail(`stop_reason ${reason} with a call`);
    const kept = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
    Object.assign(message, delta, { usage: { ...object(message.usage, "usage"), ...kept } });
    this.#delta = delta;
  }
}

function startedMessage(body: JsonObject): JsonObject {
  const message = object(body.message, "message_start.message");
  filled(message.id, "message.id");
  filled(message.model, "message.model");
  if (message.type !== "message" || message.role !== "assistant") fail("message_start is not an assistant's message");
  if (!Array.isArray(message.content) || message.content.length > 0) fail("message.content is not an empty list");
  if (message.stop_reason !== null || message.stop_sequence !== null) fail("the message starts finished");
  const usage = object(message.usage, "message.usage");
  count(usage.input_tokens, "usage.input_tokens");
  count(usage.output_tokens, "usage.output_tokens");
  return message;
}

function fail(what: string): never {
  throw new Error(`Illegal messages stream: ${what}.`);
}

function object(value: unknown, what: string): JsonObject {
  return isObject(value) ? value : fail(`${what} is no object`);
}

function string(value: unknown, what: string): string {
  return typeof value === "string" ? value : fail(`${what} is no text`);
}

function filled(value: unknown, what: string): string {
  const text = string(value, what);
  return text === "" ? fail(`${what} is empty`) : text;
}

function count(value: unknown, what: string): void {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) fail(`${what} is no count`);
}

function list(value: JsonObject[string]): NonNullable<JsonObject[string]>[] {
  return Array.isArray(value) ? value.filter((item) => item !== null) : [];
}
