import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** What a strict reader of a generateContent stream understood. */
export interface GenerateContentStream {
  ok: true;
  /** All chunks as one answer: texts of neighbouring chunks joined. Absent where only an error came. */
  response?: JsonObject;
  /** The `error` object that ended the stream. */
  error?: JsonObject;
  /** Every chunk as it came. */
  chunks: JsonObject[];
  comments: number;
}

/** The data of a part: exactly one of these. */
const data = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const;

const chunkKeys = new Set(["candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"]);

/**
 * Reads the raw text of a generateContent stream, as server-sent events or as one JSON array, by the grammar of
 * conversion.md 3.1 and the invariants of generate-content.md 12, and throws on the first departure from them. A stream
 * that has not ended yet (`complete: false`) may stop behind any frame.
 */
export function checkStream(text: string, options: { complete?: boolean } = {}): GenerateContentStream {
  const complete = options.complete ?? true;
  const reader = new StrictReader();
  if (/^\s*\[/.test(text)) readArray(text, complete, reader);
  else readEvents(text, reader);
  return reader.result(complete);
}

function readEvents(text: string, reader: StrictReader): void {
  if (text !== "" && !text.endsWith("\n\n")) fail("the stream does not end with a blank line");
  for (const frame of text.split("\n\n").slice(0, -1)) {
    if (frame.startsWith(":")) {
      if (frame.includes("\n")) fail("a comment shares its frame");
      reader.comments += 1;
      continue;
    }
    // The official reader drops a block that begins with anything else, and joins no lines.
    if (!frame.startsWith("data: ") || frame.includes("\n")) fail(`not a frame: ${frame}`);
    reader.chunk(JSON.parse(frame.slice("data: ".length)));
  }
}

function readArray(text: string, complete: boolean, reader: StrictReader): void {
  const whole = text.trimEnd().endsWith("]") ? text : `${text}]`;
  if (complete && whole !== text) fail("the array is not closed");
  const elements: JsonValue = JSON.parse(whole);
  if (!Array.isArray(elements)) fail("the body is no array");
  if (text.split(",\r\n").length < elements.length) fail("an element does not begin on a line of its own");
  for (const element of elements) reader.chunk(element);
}

interface OpenCandidate {
  parts: JsonObject[];
  members: JsonObject;
  isFinished: boolean;
  endedInCall: boolean;
}

class StrictReader {
  comments = 0;
  readonly #chunks: JsonObject[] = [];
  readonly #candidates = new Map<number, OpenCandidate>();
  #identity: string | undefined;
  #head: JsonObject = {};
  #usage: JsonObject | undefined;
  #feedback: JsonObject | undefined;
  #error: JsonObject | undefined;

  chunk(value: unknown): void {
    if (!isObject(value)) fail("a chunk is no object");
    if (this.#error || this.#feedback) fail("a chunk after the end");
    refuseNulls(value);
    if (value.error !== undefined) {
      this.#error = readError(value);
      return;
    }
    this.#chunks.push(value);
    for (const key of Object.keys(value)) if (!chunkKeys.has(key)) fail(`an unknown member ${key}`);
    const { responseId, modelVersion } = value;
    if (typeof responseId !== "string" || responseId === "") fail("a chunk without responseId");
    if (typeof modelVersion !== "string" || modelVersion === "") fail("a chunk without modelVersion");
    this.#identity ??= responseId;
    if (this.#identity !== responseId) fail("the responseId changed");
    this.#head = { modelVersion, responseId };
    if (value.usageMetadata !== undefined) this.#usage = readUsage(value.usageMetadata);
    if (value.promptFeedback !== undefined) {
      this.#feedback = readFeedback(value, this.#candidates.size);
      return;
    }
    if (!Array.isArray(value.candidates) || value.candidates.length === 0) fail("a chunk without candidates");
    for (const candidate of value.candidates) this.#candidate(candidate);
  }

  result(complete: boolean): GenerateContentStream {
    const told = { chunks: this.#chunks, comments: this.comments };
    if (this.#error) return { ok: true, error: this.#error, ...told };
    if (complete && !this.#feedback && this.#candidates.size === 0) fail("the stream holds nothing");
    const candidates = [...this.#candidates].sort(([a], [b]) => a - b);
    if (complete)
      for (const [index, one] of candidates) if (!one.isFinished) fail(`candidate ${index} has no finishReason`);
    const response: JsonObject = { ...this.#head };
    if (this.#usage) response.usageMetadata = this.#usage;
    if (this.#feedback) response.promptFeedback = this.#feedback;
    else {
      response.candidates = candidates.map(([index, one]) => ({
        content: { parts: one.parts, role: "model" },
        ...one.members,
        index,
      }));
    }
    return { ok: true, response, ...told };
  }

  #candidate(value: unknown): void {
    if (!isObject(value)) fail("a candidate is no object");
    const { content, index, ...members } = value;
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0) fail("a candidate without index");
    let open = this.#candidates.get(index);
    if (!open) {
      open = { parts: [], members: {}, isFinished: false, endedInCall: false };
      this.#candidates.set(index, open);
    }
    if (open.isFinished) fail(`candidate ${index} goes on after its finishReason`);
    if (!isObject(content) || content.role !== "model") fail("a content without the role model");
    if (!Array.isArray(content.parts) || content.parts.length === 0) fail("a content without parts");
    const parts = content.parts.map(readPart);
    if (open.endedInCall && parts[0]?.functionCall !== undefined) fail("calls of one step stand in two chunks");
    open.endedInCall = parts.at(-1)?.functionCall !== undefined;
    for (const part of parts) add(open.parts, part);
    Object.assign(open.members, members);
    if (members.finishReason === undefined) return;
    if (typeof members.finishReason !== "string" || !/^[A-Z_]+$/.test(members.finishReason))
      fail("an odd finishReason");
    open.isFinished = true;
  }
}

/** Joins texts as a client shows them; a signature stays with its part. */
function add(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const isText = typeof part.text === "string" && typeof last?.text === "string";
  if (last && isText && part.thought === last.thought && part.thoughtSignature === undefined) {
    last.text = `${String(last.text)}${String(part.text)}`;
    return;
  }
  if (part.text === "" && part.thoughtSignature === undefined) return;
  parts.push({ ...part });
}

function readPart(value: unknown): JsonObject {
  if (!isObject(value) || Object.keys(value).length === 0) fail("an empty part");
  const kinds = data.filter((key) => value[key] !== undefined);
  if (kinds.length !== 1) fail(`a part with ${kinds.length} kinds of data`);
  if (value.text !== undefined && typeof value.text !== "string") fail("a text that is no text");
  if (value.thought !== undefined && value.thought !== true) fail("a thought that is not true");
  if (
    value.thoughtSignature !== undefined &&
    (typeof value.thoughtSignature !== "string" || value.thoughtSignature === "")
  ) {
    fail("an empty thoughtSignature");
  }
  const call = value.functionCall;
  if (call === undefined) return value;
  if (!isObject(call)) fail("a functionCall that is no object");
  if (typeof call.id !== "string" || call.id === "") fail("a functionCall without id");
  if (typeof call.name !== "string" || call.name === "") fail("a functionCall without name");
  if (!isObject(call.args)) fail("a functionCall without args");
  return value;
}

function readUsage(value: unknown): JsonObject {
  if (!isObject(value)) fail("usageMetadata is no object");
  const count = (key: string): number => {
    const amount = value[key] ?? 0;
    if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 0) fail(`${key} is no count`);
    return amount;
  };
  const parts = ["promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount"];
  const sum = parts.reduce((total, key) => total + count(key), 0);
  if (value.totalTokenCount === undefined || count("totalTokenCount") !== sum) fail("totalTokenCount is not the sum");
  if (count("cachedContentTokenCount") > count("promptTokenCount")) fail("more cached than read");
  return value;
}

function readFeedback(chunk: JsonObject, candidates: number): JsonObject {
  if (chunk.candidates !== undefined || candidates > 0) fail("promptFeedback beside candidates");
  const feedback = chunk.promptFeedback;
  if (!isObject(feedback) || typeof feedback.blockReason !== "string") fail("promptFeedback without blockReason");
  return feedback;
}

function readError(value: JsonObject): JsonObject {
  const { error } = value;
  if (Object.keys(value).length !== 1 || !isObject(error)) fail("an error that is not alone");
  const { code, message, status } = error;
  if (typeof code !== "number" || code < 400 || code > 599) fail("an error code that readers ignore");
  if (typeof message !== "string" || typeof status !== "string") fail("an error without message or status");
  return error;
}

/** Absent members are absent, never null (S7). Arguments are the model's own. */
function refuseNulls(value: JsonValue | undefined): void {
  if (value === null) fail("a null");
  if (Array.isArray(value)) for (const entry of value) refuseNulls(entry);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value))
      if (key !== "args" && key !== "customMetadata") refuseNulls(inner);
  }
}

function fail(what: string): never {
  throw new Error(`Illegal generateContent stream: ${what}.`);
}
