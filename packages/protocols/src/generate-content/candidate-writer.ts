import type {
  Citation,
  Finish,
  JsonObject,
  Part,
  PartDelta,
  PartHead,
  Proof,
  TokenLogprob,
} from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { CandidateDetails, callPart, noticeFinish } from "./answer-parts.ts";
import { encodeFinish } from "./finish.ts";
import { sealSignature, showsThoughts } from "./reasoning.ts";
import { absentSignature } from "./wire.ts";

interface OpenPart {
  key: string;
  head: PartHead;
  /** Argument text of a call, text of a part with citations: joined once. */
  texts: string[];
  citations: Citation[];
  logprobs: TokenLogprob[];
  /** Which slot of reasoning is written: the first that came. */
  slot: "reasoning" | "summary" | undefined;
  paragraph: number;
}

/**
 * The first call of a step that no Gemini model signed bears the documented stand-in, so that the client can bring the
 * conversation to a Gemini model that demands a signature there. As JSON text.
 */
const standIn = JSON.stringify(absentSignature);

/**
 * One candidate of a stream: turns its events into the JSON texts of wire parts, joined by commas, "" for none. Calls are
 * held and written together, because a client keeps every chunk as a content of its own and calls of one step must stay
 * in one (generate-content.md 12). Throws for an event that has no lawful place.
 */
export class CandidateWriter {
  /** Whether anything of the answer was there: a blocked prompt leaves nothing. */
  hasOutput = false;
  readonly #context: AnswerContext;
  readonly #shown: boolean;
  readonly #details = new CandidateDetails();
  #open: OpenPart | undefined;
  #calls: string[] = [];
  /** A proof of reasoning, for the part that follows (2.5). */
  #waiting: string | undefined;
  #finished = false;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#shown = showsThoughts(context.request);
  }

  start(key: string, head: PartHead): string {
    this.#assertOpenable();
    this.hasOutput = true;
    this.#open = { key, head, texts: [], citations: [], logprobs: [], slot: undefined, paragraph: 0 };
    // Reasoning or text without words to show leaves no part: the calls around it stay together. A waiting proof must not
    // cross another thought, or it would come back as that one's.
    const ownPlace =
      (head.type === "reasoning" && this.#waiting !== undefined) || (head.type === "text" && head.proof !== undefined);
    return ownPlace ? join(this.#takeCalls(), this.#waitingPart()) : "";
  }

  delta(key: string, delta: PartDelta): string {
    const open = this.#opened(key);
    const { head } = open;
    switch (delta.type) {
      case "text":
        if (head.type !== "text" && head.type !== "refusal") throw misplaced(delta, head);
        return this.#text(open, delta.text);
      case "arguments":
        if (head.type !== "tool-call") throw misplaced(delta, head);
        open.texts.push(delta.text);
        return "";
      case "reasoning":
      case "summary":
        if (head.type !== "reasoning") throw misplaced(delta, head);
        return this.#thought(open, delta);
      case "proof":
        if (head.type === "reasoning") return this.#hold(delta.proof);
        if (head.type !== "text") throw misplaced(delta, head);
        return join(
          join(this.#takeCalls(), this.#waitingPart()),
          `{"text":"","thoughtSignature":${this.#sealed(delta.proof)}}`,
        );
      case "citation":
        open.citations.push(delta.citation);
        return "";
      case "logprobs":
        open.logprobs.push(...delta.logprobs);
        return "";
    }
  }

  stop(key: string): string {
    const { head, texts, citations, logprobs } = this.#opened(key);
    this.#open = undefined;
    if (head.type === "tool-call") {
      const part = callPart({ ...head, arguments: texts.join("") }, this.#context);
      if (head.proof && this.#waiting !== undefined) this.#calls.push(this.#waitingPart());
      const signature = head.proof ? this.#sealed(head.proof) : this.#takeWaiting();
      this.#calls.push(signed(JSON.stringify(part), signature ?? (this.#calls.length === 0 ? standIn : undefined)));
      return "";
    }
    if (head.type !== "text") return "";
    if (citations.length > 0 || logprobs.length > 0)
      this.#details.addText({ text: texts.join(""), citations, logprobs });
    return head.proof && texts.length === 0 ? `{"text":"","thoughtSignature":${this.#sealed(head.proof)}}` : "";
  }

  /** `wire`: the part as the client reads it; undefined where it cannot. */
  whole(part: Part, wire: JsonObject | undefined): string {
    this.#assertOpenable();
    this.hasOutput = true;
    if (!wire) return "";
    const calls = this.#takeCalls();
    const before = part.proof ? this.#waitingPart() : "";
    const signature = part.proof ? this.#sealed(part.proof) : this.#takeWaiting();
    return join(join(calls, before), signed(JSON.stringify(wire), signature));
  }

  /** The parts of the last chunk, never none, and the members beside the content. */
  finish(finish: Finish): { parts: string; rest: string } {
    this.#assertOpenable();
    this.#finished = true;
    noticeFinish(finish, this.#context);
    const parts = join(this.#takeCalls(), this.#waitingPart());
    const members: JsonObject = { finishReason: encodeFinish(finish), ...this.#details.members() };
    if (finish.message !== undefined) members.finishMessage = finish.message;
    return { parts: parts === "" ? '{"text":""}' : parts, rest: JSON.stringify(members).slice(1, -1) };
  }

  #text(open: OpenPart, text: string): string {
    if (text === "") return "";
    const first = open.texts.length === 0;
    open.texts.push(text);
    const json = JSON.stringify(text);
    if (!first) return `{"text":${json}}`;
    const proof = open.head.type === "text" ? open.head.proof : undefined;
    const signature = proof ? this.#sealed(proof) : this.#takeWaiting();
    return join(this.#takeCalls(), signed(`{"text":${json}}`, signature));
  }

  #thought(open: OpenPart, delta: Extract<PartDelta, { type: "reasoning" | "summary" }>): string {
    open.slot ??= delta.type;
    if (!this.#shown || open.slot !== delta.type || delta.text === "") return "";
    let text = delta.text;
    if (delta.type === "summary" && delta.index !== open.paragraph) {
      open.paragraph = delta.index;
      if (open.texts.length > 0) text = `\n\n${text}`;
    }
    open.texts[0] = "";
    return join(this.#takeCalls(), `{"text":${JSON.stringify(text)},"thought":true}`);
  }

  #hold(proof: Proof): string {
    const before = this.#waitingPart();
    this.#waiting = this.#sealed(proof);
    return before;
  }

  /** As JSON text. */
  #sealed(proof: Proof): string {
    return JSON.stringify(sealSignature(proof, this.#context.vault));
  }

  #takeWaiting(): string | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  /** The waiting proof as an empty part of its own, where the next part has a proof itself or none follows. */
  #waitingPart(): string {
    const waiting = this.#takeWaiting();
    return waiting === undefined ? "" : `{"text":"","thoughtSignature":${waiting}}`;
  }

  #takeCalls(): string {
    const calls = this.#calls.length === 1 ? (this.#calls[0] ?? "") : this.#calls.join(",");
    this.#calls = [];
    return calls;
  }

  #opened(key: string): OpenPart {
    if (this.#open?.key !== key) throw new Error(`Part '${key}' is not open.`);
    return this.#open;
  }

  #assertOpenable(): void {
    if (this.#finished) throw new Error("The candidate has finished already.");
    if (this.#open) throw new Error(`Part '${this.#open.key}' is still open.`);
  }
}

function misplaced(delta: PartDelta, head: PartHead): Error {
  return new Error(`A '${delta.type}' delta has no place in a '${head.type}' part.`);
}

function join(first: string, second: string): string {
  if (first === "") return second;
  return second === "" ? first : `${first},${second}`;
}

/** Adds the signature, given as JSON text, to the JSON text of a part. */
function signed(part: string, signature: string | undefined): string {
  return signature === undefined ? part : `${part.slice(0, -1)},"thoughtSignature":${signature}}`;
}
