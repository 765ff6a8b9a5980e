import {
  type CanonicalError,
  type Citation,
  type Finish,
  failedAnswer,
  type JsonObject,
  type Part,
  type PartDelta,
  type PartHead,
  type StreamEvent,
  type Usage,
} from "../canonical/index.ts";
import type { AnswerContext, StreamEncoder } from "../codec.ts";
import { commentFrame, namedFrame } from "../shared/sse.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";
import { blockDelta, blockStart, blockStop, deltaStart, pingFrame, wholeBlock } from "./block-frames.ts";
import { encodeCitation } from "./citations.ts";
import { encodeErrorBody } from "./error.ts";
import { encodeFinish } from "./finish.ts";
import { messageEndFrames, messageStartFrame } from "./message-frames.ts";
import { heldArguments, type OpenPart, openPart } from "./open-part.ts";
import { signatureOf } from "./reasoning.ts";
import { encodeAnswerPart, hidesText, parkedProof, tellCandidates } from "./response-encoder.ts";
import { callIdRule } from "./tools.ts";

/** Writes a client's stream: a state machine that can only produce the grammar of conversion.md 3.1. One per call. */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  return new MessageWriter(context);
}

class MessageWriter implements StreamEncoder {
  readonly #context: AnswerContext;
  #state: "before" | "open" | "over" = "before";
  /** Index of the next block: dense, never used twice (S17, S37). */
  #index = 0;
  #part: OpenPart | undefined;
  #usage: Usage | undefined;
  #finish: Finish | undefined;
  #refused = false;
  #shown = { text: false, toolCall: false };
  failure: CanonicalError | undefined;
  #toldCandidates = false;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  ping(): string {
    if (this.#state === "before") return commentFrame;
    return this.#state === "open" ? pingFrame : "";
  }

  write(event: StreamEvent): string {
    if (event.type === "error") return this.#error(event.error);
    if (this.#state === "over") throw misplaced(event.type);
    if (event.type === "start") return this.#start(event);
    if (this.#state === "before") throw misplaced(event.type);
    if ("candidate" in event && event.candidate !== 0) return this.#otherCandidate();
    switch (event.type) {
      case "part-start":
        return this.#open(event.key, event.part);
      case "part-delta":
        return this.#delta(this.#current(event.key, event.type), event.delta);
      case "part-stop":
        return this.#stop(this.#current(event.key, event.type));
      case "part":
        return this.#whole(event.part);
      case "usage":
        this.#usage = event.usage;
        return "";
      case "finish":
        if (this.#part || this.#finish) throw misplaced(event.type);
        this.#finish = event.finish;
        return "";
      case "end":
        return this.#end();
    }
  }

  #start(event: Extract<StreamEvent, { type: "start" }>): string {
    if (this.#state !== "before") throw misplaced("start");
    this.#state = "open";
    this.#usage = event.usage;
    return messageStartFrame(event, this.#context);
  }

  #otherCandidate(): string {
    if (!this.#toldCandidates) tellCandidates(this.#context.notice);
    this.#toldCandidates = true;
    return "";
  }

  #current(key: string, event: string): OpenPart {
    if (!this.#part || this.#part.key !== key) throw misplaced(event);
    return this.#part;
  }

  #open(key: string, head: PartHead): string {
    if (this.#part || this.#finish) throw misplaced("part-start");
    const part = openPart(key, head);
    this.#part = part;
    switch (head.type) {
      case "text":
        return this.#blocks(parkedProof(head.proof, this.#context));
      case "refusal":
        this.#refused = true;
        return "";
      case "reasoning":
        return "";
      case "tool-call": {
        this.#shown.toolCall = true;
        const id = JSON.stringify(wireCallId(head.callId, callIdRule));
        const block = `{"type":"tool_use","id":${id},"name":${JSON.stringify(head.name)},"input":{}}`;
        const parked = this.#blocks(parkedProof(head.proof, this.#context));
        return parked + this.#startBlock(part, block, '"input_json_delta","partial_json":');
      }
    }
  }

  #delta(part: OpenPart, delta: PartDelta): string {
    switch (delta.type) {
      case "text":
        return this.#text(part, delta.text);
      case "arguments":
        return this.#arguments(part, delta.text);
      case "reasoning":
        return this.#reasoning(part, "reasoning", 0, delta.text);
      case "summary":
        return this.#reasoning(part, "summary", delta.index, delta.text);
      case "proof":
        part.proof = delta.proof;
        return "";
      case "citation":
        if (part.deltaStart === undefined) {
          part.citations.push(delta.citation);
          return "";
        }
        return this.#citation(delta.citation);
      case "logprobs":
        return "";
    }
  }

  #text(part: OpenPart, text: string): string {
    if (part.head.type !== "text" && part.head.type !== "refusal") throw misplaced("text");
    if (text === "") return "";
    if (part.deltaStart !== undefined) return `${part.deltaStart}${JSON.stringify(text)}}}\n\n`;
    this.#shown.text = true;
    const opening = this.#startBlock(part, '{"type":"text","text":""}', '"text_delta","text":');
    const cited = part.citations.map((citation) => this.#citation(citation)).join("");
    return `${opening}${cited}${part.deltaStart}${JSON.stringify(text)}}}\n\n`;
  }

  #citation(citation: Citation): string {
    const encoded = encodeCitation(citation, this.#context.notice);
    if (!encoded) return "";
    return blockDelta(this.#index - 1, `{"type":"citations_delta","citation":${JSON.stringify(encoded)}}`);
  }

  #reasoning(part: OpenPart, form: "reasoning" | "summary", paragraph: number, text: string): string {
    if (part.head.type !== "reasoning") throw misplaced(form);
    // One slot for two forms: the first to come has it, so that no sentence is shown twice.
    part.form ??= form;
    if (part.form !== form || text === "") return "";
    const opening = part.deltaStart === undefined ? this.#startThinking(part) : "";
    const gap = part.paragraph === paragraph || opening !== "" ? "" : "\n\n";
    part.paragraph = paragraph;
    return `${opening}${part.deltaStart}${JSON.stringify(gap + text)}}}\n\n`;
  }

  #startThinking(part: OpenPart): string {
    return this.#startBlock(part, '{"type":"thinking","thinking":"","signature":""}', '"thinking_delta","thinking":');
  }

  /** Streams raw argument text as soon as it is sure to be an object; anything else waits for the end (T14). */
  #arguments(part: OpenPart, text: string): string {
    if (part.head.type !== "tool-call") throw misplaced("arguments");
    if (text === "") return "";
    if (part.held === undefined) return `${part.deltaStart}${JSON.stringify(text)}}}\n\n`;
    part.held += text;
    if (part.waits) return "";
    // White space before the first character tells nothing.
    const first = part.held.trimStart().charAt(0);
    if (first === "") return "";
    if (first === "{") return this.#release(part, part.held);
    part.waits = true;
    return "";
  }

  #release(part: OpenPart, text: string): string {
    part.held = undefined;
    return `${part.deltaStart}${JSON.stringify(text)}}}\n\n`;
  }

  #stop(part: OpenPart): string {
    this.#part = undefined;
    switch (part.head.type) {
      case "text":
      case "refusal":
        return this.#stopBlock(part) + this.#blocks(parkedProof(part.proof, this.#context));
      case "tool-call":
        return this.#lastArguments(part) + this.#stopBlock(part) + this.#blocks(parkedProof(part.proof, this.#context));
      case "reasoning":
        return this.#stopReasoning(part);
    }
  }

  #lastArguments(part: OpenPart): string {
    const text = heldArguments(part, this.#context);
    return text === undefined ? "" : this.#release(part, text);
  }

  #stopReasoning(part: OpenPart): string {
    if (part.deltaStart === undefined) {
      if (part.proof === undefined) return "";
      if (hidesText(part.proof)) return this.#blocks(parkedProof(part.proof, this.#context));
    }
    const opening = part.deltaStart === undefined ? this.#startThinking(part) : "";
    const signature = JSON.stringify(signatureOf(part.proof, this.#context.vault));
    const signed = blockDelta(this.#index - 1, `{"type":"signature_delta","signature":${signature}}`);
    return opening + signed + this.#stopBlock(part);
  }

  #startBlock(part: OpenPart, block: string, delta: string): string {
    const index = this.#index;
    this.#index += 1;
    part.deltaStart = `${deltaStart(index)}{"type":${delta}`;
    return blockStart(index, block);
  }

  #stopBlock(part: OpenPart): string {
    return part.deltaStart === undefined ? "" : blockStop(this.#index - 1);
  }

  #blocks(blocks: readonly JsonObject[]): string {
    let frames = "";
    for (const block of blocks) {
      frames += wholeBlock(this.#index, block);
      this.#index += 1;
    }
    return frames;
  }

  #whole(part: Part): string {
    if (this.#part || this.#finish) throw misplaced("part");
    switch (part.type) {
      case "text":
      case "refusal": {
        const deltas: PartDelta[] = [{ type: "text", text: part.text }];
        if (part.type === "text")
          for (const citation of part.citations ?? []) deltas.push({ type: "citation", citation });
        return this.#expand(part, deltas);
      }
      case "tool-call":
        return this.#expand(part, [{ type: "arguments", text: part.arguments }]);
      case "reasoning": {
        const deltas: PartDelta[] = [];
        if (part.text !== undefined) deltas.push({ type: "reasoning", text: part.text });
        else for (const [index, text] of (part.summary ?? []).entries()) deltas.push({ type: "summary", index, text });
        if (part.proof) deltas.push({ type: "proof", proof: part.proof });
        return this.#expand({ type: "reasoning" }, deltas);
      }
      default:
        return this.#blocks(encodeAnswerPart(part, this.#context));
    }
  }

  #expand(head: PartHead, deltas: readonly PartDelta[]): string {
    let frames = this.#open("", head);
    const part = this.#current("", "part");
    for (const delta of deltas) frames += this.#delta(part, delta);
    return frames + this.#stop(part);
  }

  #end(): string {
    if (this.#part || !this.#finish) throw misplaced("end");
    const finish: Finish =
      this.#refused && this.#finish.reason === "stop" ? { ...this.#finish, reason: "refusal" } : this.#finish;
    const encoded = encodeFinish(finish, this.#shown, this.#context.notice);
    if (!encoded) {
      this.failure = failedAnswer(finish);
      return this.#error(this.failure);
    }
    this.#state = "over";
    return messageEndFrames(encoded, this.#usage);
  }

  /** The error alone ends the stream: half a block must not look complete (S24, S25). */
  #error(error: CanonicalError): string {
    if (this.#state === "over") return "";
    this.#state = "over";
    return namedFrame("error", JSON.stringify(encodeErrorBody(error)));
  }
}

function misplaced(event: string): Error {
  return new Error(`The event '${event}' has no lawful place here in a messages stream.`);
}
