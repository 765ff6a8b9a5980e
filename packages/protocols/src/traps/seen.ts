import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { at, list, type Streamed } from "../peer-bugs/scene.ts";
import { isObject } from "../shared/read.ts";
import type { Letter } from "../testing/letters.ts";

/** What a person and an agent take from an answer, whatever its protocol. Read from the wire, not by our decoders. */
export interface Seen {
  text: string;
  reasoning: string;
  refusal: string;
  /** Name and arguments of each call, the arguments as a JSON value. */
  calls: [name: string, input: JsonValue][];
  ids: string[];
  /** The protocol's own word for the end. */
  end: string;
}

/** Reads a whole answer of a client's protocol. */
export function seen(letter: Letter, whole: JsonObject): Seen {
  return readers[letter](whole);
}

/** Reads a streamed answer as its strictest client put it together. */
export function seenOf(letter: Letter, { whole }: Streamed): Seen {
  return seen(letter, whole);
}

const readers: Readonly<Record<Letter, (whole: JsonObject) => Seen>> = {
  C: (whole) => {
    const message = at(whole, "choices", 0, "message");
    const calls = list(message, "tool_calls");
    return {
      text: textOf(at(message, "content")),
      reasoning: textOf(at(message, "reasoning_content")),
      refusal: textOf(at(message, "refusal")),
      calls: calls.map((call) => [textOf(at(call, "function", "name")), input(at(call, "function", "arguments"))]),
      ids: calls.map(({ id }) => textOf(id)),
      end: textOf(at(whole, "choices", 0, "finish_reason")),
    };
  },
  R: (whole) => {
    const items = list(whole, "output");
    const parts = items.filter(({ type }) => type === "message").flatMap((item) => list(item, "content"));
    const reasons = items.filter(({ type }) => type === "reasoning");
    const calls = items.filter(({ type }) => type === "function_call");
    const why = at(whole, "incomplete_details", "reason");
    return {
      text: join(parts, "output_text", "text"),
      reasoning: reasons
        .flatMap((item) => [...list(item, "summary"), ...list(item, "content")].map(({ text }) => textOf(text)))
        .join(""),
      refusal: join(parts, "refusal", "refusal"),
      calls: calls.map((call) => [textOf(call.name), input(call.arguments)]),
      ids: calls.map(({ call_id }) => textOf(call_id)),
      end: why === undefined ? textOf(whole.status) : `${textOf(whole.status)} ${textOf(why)}`,
    };
  },
  M: (whole) => {
    const blocks = list(whole, "content");
    const calls = blocks.filter(({ type }) => type === "tool_use");
    return {
      text: join(blocks, "text", "text"),
      reasoning: join(blocks, "thinking", "thinking"),
      refusal: whole.stop_reason === "refusal" ? join(blocks, "text", "text") : "",
      calls: calls.map((call) => [textOf(call.name), call.input ?? null]),
      ids: calls.map(({ id }) => textOf(id)),
      end: textOf(whole.stop_reason),
    };
  },
  G: (whole) => {
    const parts = list(whole, "candidates", 0, "content", "parts");
    const texts = (thought: boolean) => parts.filter((part) => (part.thought === true) === thought);
    const calls = parts.flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall] : []));
    return {
      text: texts(false)
        .map(({ text }) => textOf(text))
        .join(""),
      reasoning: texts(true)
        .map(({ text }) => textOf(text))
        .join(""),
      refusal: "",
      calls: calls.map((call) => [textOf(call.name), call.args ?? null]),
      ids: calls.map(({ id }) => textOf(id)),
      end: textOf(at(whole, "candidates", 0, "finishReason")),
    };
  },
};

function join(parts: readonly JsonObject[], type: string, key: string): string {
  return parts.map((part) => (part.type === type ? textOf(part[key]) : "")).join("");
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function input(value: JsonValue | undefined): JsonValue {
  return JSON.parse(textOf(value));
}

/** How each protocol says that a turn ended for a call, by itself, and by its limit (1.5.7). */
export const endWords: Readonly<Record<Letter, { tool: string; stop: string; length: string; filter: string }>> = {
  C: { tool: "tool_calls", stop: "stop", length: "length", filter: "content_filter" },
  R: {
    tool: "completed",
    stop: "completed",
    length: "incomplete max_output_tokens",
    filter: "incomplete content_filter",
  },
  M: { tool: "tool_use", stop: "end_turn", length: "max_tokens", filter: "refusal" },
  G: { tool: "STOP", stop: "STOP", length: "MAX_TOKENS", filter: "SAFETY" },
};
