import type {
  Finish,
  JsonObject,
  JsonValue,
  PartDelta,
  PartHead,
  Proof,
  StreamEvent,
  TokenLogprob,
} from "../canonical/index.ts";
import type { AnswerReading } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { decodeAnnotations } from "./citations.ts";
import { decodeLogprobs } from "./logprobs.ts";
import { readDetail } from "./reasoning.ts";
import { decodeAudio, decodeImages, thinkingText } from "./response-decoder.ts";
import { StreamCalls } from "./stream-calls.ts";
import { type ContentPiece, ThoughtReader } from "./thought-reader.ts";
import { type DialectMessage, detailFamily, textOf } from "./wire.ts";

type Emit = (event: StreamEvent) => void;
type Flow = "text" | "refusal" | "reasoning";

/** One candidate of a stream: turns deltas into parts, one text-like part open at a time. */
export class StreamChoice {
  readonly #candidate: number;
  readonly #calls: StreamCalls;
  /** Where the model's thoughts stand in its text. */
  readonly #thoughts: ThoughtReader | undefined;
  /** Tokens of content of which it is not known yet whether it is the answer. */
  #tokens: TokenLogprob[] = [];
  #flow: Flow | undefined;
  #key = "";
  #parts = 0;
  /** Which entry of `reasoning_details` the open reasoning part stands for; "" for plain reasoning text. */
  #detail = "";
  /** The fields of that entry, gathered over its fragments. */
  #detailFields: JsonObject | undefined;
  /** Plain reasoning text of the open part. Some servers repeat it whole in the entry that brings its proof. */
  #plain = "";
  #hasRefusal = false;
  #hasText = false;
  #hasCitations = false;
  #audio: JsonObject | undefined;
  /** The native reason, told at the end. */
  finish: Finish | undefined;

  constructor(candidate: number, mintId: (order: number, name: string) => string, reading: AnswerReading) {
    this.#candidate = candidate;
    this.#calls = new StreamCalls(candidate, mintId, reading.toolNames);
    this.#thoughts = reading.thoughts && new ThoughtReader(reading.thoughts);
  }

  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  /** One delta. Gives an error text where it cannot be understood. */
  push(delta: DialectMessage, choice: JsonObject, emit: Emit): string | undefined {
    if (
      delta.reasoning_details !== undefined ||
      delta.reasoning_content !== undefined ||
      delta.reasoning !== undefined
    ) {
      this.#reasoning(delta, emit);
    }
    if (typeof delta.content === "string") {
      if (delta.content !== "") this.#content(delta.content, emit);
    } else if (Array.isArray(delta.content)) {
      this.#list(delta.content, emit);
    }
    if (typeof delta.refusal === "string" && delta.refusal !== "") {
      this.#hasRefusal = true;
      this.#pieces(this.#thoughts?.interrupt(), emit);
      this.#append("refusal", { type: "text", text: delta.refusal }, emit);
    }
    if (isObject(choice.logprobs)) this.#logprobs(decodeLogprobs(choice.logprobs), emit);
    if (delta.annotations !== undefined) this.cite(decodeAnnotations(delta.annotations), emit);
    if (isObject(delta.audio)) this.#gatherAudio(delta.audio);
    if (delta.images !== undefined) {
      for (const part of decodeImages(delta.images)) emit({ type: "part", candidate: this.#candidate, part });
    }
    return this.#toolCalls(delta, emit);
  }

  /** Citations of the answer's text. They come late: behind the text's last piece. */
  cite(citations: ReturnType<typeof decodeAnnotations>, emit: Emit): void {
    if (citations.length === 0) return;
    this.#hasCitations = true;
    if (this.#flow !== "text") this.#open("text", emit);
    for (const citation of citations) this.#emitDelta({ type: "citation", citation }, emit);
  }

  /** Whether sources told beside the answer still have to be attached. */
  get wantsCitations(): boolean {
    return this.#hasText && !this.#hasCitations;
  }

  /** The good end: everything open is closed. Gives an error text for a call that never became one. */
  close(emit: Emit): string | undefined {
    this.#pieces(this.#thoughts?.end(), emit);
    this.#stop(emit);
    for (const part of decodeAudio(this.#audio)) emit({ type: "part", candidate: this.#candidate, part });
    return this.#calls.close(emit);
  }

  #toolCalls(delta: DialectMessage, emit: Emit): string | undefined {
    if (Array.isArray(delta.tool_calls)) {
      for (const entry of delta.tool_calls) {
        if (!isObject(entry)) continue;
        this.#leave(emit);
        const problem = this.#calls.push(entry, emit);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    const old = delta.function_call;
    if (!isObject(old) || (textOf(old.name) === undefined && textOf(old.arguments) === undefined)) return undefined;
    this.#leave(emit);
    return this.#calls.push({ index: 0, function: old }, emit);
  }

  #content(text: string, emit: Emit): void {
    if (this.#thoughts) this.#pieces(this.#thoughts.push(text), emit);
    else this.#append("text", { type: "text", text }, emit);
  }

  #pieces(pieces: readonly ContentPiece[] | undefined, emit: Emit): void {
    for (const { type, text } of pieces ?? []) {
      if (type === "reasoning") this.#appendReasoning(text, emit);
      else this.#append("text", { type: "text", text }, emit);
    }
  }

  #logprobs(told: TokenLogprob[], emit: Emit): void {
    let logprobs = told;
    if (this.#thoughts && (!this.#thoughts.isBehind || this.#tokens.length > 0)) {
      this.#tokens.push(...told);
      if (!this.#thoughts.isBehind) return;
      logprobs = this.#thoughts.tokensBehind(this.#tokens);
      this.#tokens = [];
    }
    if (logprobs.length > 0 && this.#flow === "text") this.#emitDelta({ type: "logprobs", logprobs }, emit);
  }

  #list(content: readonly JsonValue[], emit: Emit): void {
    for (const part of content) {
      if (!isObject(part)) continue;
      const isThinking = part.type === "thinking";
      const text = isThinking ? thinkingText(part.thinking) : (textOf(part.text) ?? "");
      if (text === "") continue;
      if (isThinking) this.#appendReasoning(text, emit);
      else this.#append("text", { type: "text", text }, emit);
    }
  }

  #reasoning(delta: DialectMessage, emit: Emit): void {
    let readable = false;
    if (Array.isArray(delta.reasoning_details)) {
      for (const entry of delta.reasoning_details) {
        if (isObject(entry) && this.#detailEntry(entry, emit)) readable = true;
      }
    }
    // The plain text beside the details says the same again.
    if (readable || (this.#flow === "reasoning" && this.#detail !== "" && this.#isRepeated(delta))) return;
    const text = textOf(delta.reasoning_content) ?? textOf(delta.reasoning);
    if (text !== undefined) this.#appendReasoning(text, emit);
  }

  #isRepeated(delta: DialectMessage): boolean {
    return Array.isArray(delta.reasoning_details) && delta.reasoning_details.length > 0;
  }

  #detailEntry(entry: JsonObject, emit: Emit): boolean {
    const { kind, text, rest } = readDetail(entry);
    const name = `${kind} ${String(entry.index ?? "")}`;
    const repeats = this.#flow === "reasoning" && this.#detail === "" && text !== undefined && text === this.#plain;
    if (repeats) this.#detail = name;
    else if (this.#flow !== "reasoning" || this.#detail !== name) this.#openReasoning(name, emit);
    const fields = this.#detailFields ?? {};
    for (const [key, value] of Object.entries(rest)) {
      if (value !== null && value !== "") fields[key] = value;
      else fields[key] ??= value;
    }
    this.#detailFields = fields;
    if (text === undefined) return false;
    if (repeats) return true;
    this.#emitDelta(kind === "summary" ? { type: "summary", index: 0, text } : { type: "reasoning", text }, emit);
    return true;
  }

  #appendReasoning(text: string, emit: Emit): void {
    if (this.#flow !== "reasoning" || this.#detail !== "") this.#openReasoning("", emit);
    this.#plain += text;
    this.#emitDelta({ type: "reasoning", text }, emit);
  }

  #openReasoning(detail: string, emit: Emit): void {
    this.#stop(emit);
    this.#open("reasoning", emit);
    this.#detail = detail;
  }

  /** A call comes: the text before it is over. */
  #leave(emit: Emit): void {
    this.#pieces(this.#thoughts?.interrupt(), emit);
    this.#stop(emit);
  }

  #append(flow: "text" | "refusal", delta: PartDelta, emit: Emit): void {
    if (this.#flow !== flow) this.#open(flow, emit);
    this.#emitDelta(delta, emit);
  }

  #open(flow: Flow, emit: Emit): void {
    this.#stop(emit);
    this.#calls.settle(emit);
    this.#flow = flow;
    this.#key = `${flow}${this.#parts}`;
    this.#parts += 1;
    if (flow === "text") this.#hasText = true;
    const part: PartHead = { type: flow };
    emit({ type: "part-start", candidate: this.#candidate, key: this.#key, part });
  }

  #emitDelta(delta: PartDelta, emit: Emit): void {
    emit({ type: "part-delta", candidate: this.#candidate, key: this.#key, delta });
  }

  #stop(emit: Emit): void {
    if (this.#flow === undefined) return;
    const proof = this.#flow === "reasoning" ? this.#detailProof() : undefined;
    if (proof) this.#emitDelta({ type: "proof", proof }, emit);
    emit({ type: "part-stop", candidate: this.#candidate, key: this.#key });
    this.#flow = undefined;
    this.#detail = "";
    this.#plain = "";
    this.#detailFields = undefined;
  }

  #detailProof(): Proof | undefined {
    const fields = this.#detailFields;
    if (!fields) return undefined;
    if (textOf(fields.signature) === undefined && textOf(fields.data) === undefined) return undefined;
    const kind = fields.type === "reasoning.encrypted" ? "encrypted" : "signature";
    return { family: detailFamily, kind, value: JSON.stringify(fields) };
  }

  /** Sound comes in pieces of base64 and of transcript, with the id in the first and the end of life in the last. */
  #gatherAudio(piece: JsonObject): void {
    const audio = this.#audio ?? {};
    for (const [key, value] of Object.entries(piece)) {
      const appends = key === "data" || key === "transcript";
      if (appends && typeof value === "string") audio[key] = `${textOf(audio[key]) ?? ""}${value}`;
      else if (value !== null) audio[key] = value;
    }
    this.#audio = audio;
  }
}
