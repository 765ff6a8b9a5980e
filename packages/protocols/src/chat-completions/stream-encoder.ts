import {
  type CanonicalError,
  type Finish,
  failedAnswer,
  type JsonObject,
  type Part,
  type PartDelta,
  type PartHead,
  type Proof,
  type ReasoningPart,
  type StreamEvent,
  type Usage,
} from "../canonical/index.ts";
import type { AnswerContext, StreamEncoder } from "../codec.ts";
import { openAiTier } from "../shared/openai-tier.ts";
import { commentFrame, dataFrame } from "../shared/sse.ts";
import { legalCallId } from "./call-ids.ts";
import { encodeCitation } from "./citations.ts";
import { encodeErrorBody } from "./error.ts";
import { encodeFinish } from "./finish.ts";
import { encodeLogprobs } from "./logprobs.ts";
import { encodeDetails, thoughtSignature } from "./reasoning.ts";
import { noticeCitation, noticeExtraCandidates, noticeOldFunctions } from "./response-encoder.ts";
import {
  type CandidateState,
  callBody,
  growReasoning,
  headOfCall,
  newCandidate,
  type Open,
  openPart,
  wrongDelta,
} from "./stream-parts.ts";
import { encodeUsage } from "./usage.ts";
import { wholePartDelta } from "./whole-part.ts";

/** Writes the chunks of one answer. One per call; throws on an event that has no lawful place. */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  return new ChunkWriter(context);
}

class ChunkWriter implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #includeUsage: boolean;
  readonly #wanted: number;
  readonly #candidates = new Map<number, CandidateState>();
  #phase: "waiting" | "streaming" | "over" = "waiting";
  /** The fields that every chunk bears, without the closing brace. */
  #head = "";
  #usage: Usage | undefined;
  #tier = "";
  failure: CanonicalError | undefined;
  #toldExtra = false;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#includeUsage = context.request.includeUsage === true;
    this.#wanted = context.request.candidates ?? 1;
  }

  write(event: StreamEvent): string {
    // An answer that no finish reason can say has ended by an error; what the upstream still tells is not shown.
    if (this.failure) return "";
    if (this.#phase === "over") throw new Error(`No '${event.type}' may follow the end of a chat completions stream.`);
    if (event.type === "error") return this.#fail(event.error);
    if (event.type === "start") return this.#start(event);
    if (this.#phase === "waiting") throw new Error(`A chat completions stream cannot begin with '${event.type}'.`);
    switch (event.type) {
      case "usage":
        this.#usage = event.usage;
        this.#setTier(event.serviceTier);
        return "";
      case "end":
        return this.#end();
      case "part-start":
      case "part-delta":
      case "part-stop":
      case "part":
      case "finish":
        return this.#ofCandidate(event);
    }
  }

  ping(): string {
    return commentFrame;
  }

  #start(event: Extract<StreamEvent, { type: "start" }>): string {
    if (this.#phase !== "waiting") throw new Error("A chat completions stream begins once.");
    this.#phase = "streaming";
    this.#setTier(event.serviceTier);
    noticeOldFunctions(this.#context);
    const head = JSON.stringify({
      id: this.#context.ids("chatcmpl-"),
      object: "chat.completion.chunk",
      created: event.createdAt ?? Math.floor(this.#context.now() / 1000),
      model: event.model ?? this.#context.request.model,
    });
    this.#head = head.slice(0, -1);
    return this.#open(0);
  }

  /** The first chunk of a candidate: the role, once. */
  #open(index: number): string {
    this.#candidates.set(index, newCandidate());
    return this.#chunk(index, '{"role":"assistant","content":"","refusal":null}');
  }

  #ofCandidate(event: Extract<StreamEvent, { candidate: number }>): string {
    if (event.candidate >= this.#wanted) {
      if (!this.#toldExtra) noticeExtraCandidates(this.#context);
      this.#toldExtra = true;
      return "";
    }
    const known = this.#candidates.get(event.candidate);
    const opening = known ? "" : this.#open(event.candidate);
    const state = known ?? this.#candidates.get(event.candidate);
    if (!state) throw new Error("A candidate that was opened is not there.");
    if (state.finished) throw new Error(`Candidate ${event.candidate} is finished; no '${event.type}' may follow.`);
    return opening + this.#step(event, state);
  }

  #step(event: Extract<StreamEvent, { candidate: number }>, state: CandidateState): string {
    switch (event.type) {
      case "part-start":
        if (state.open) throw new Error(`Part '${event.key}' opens while '${state.open.key}' is open.`);
        return this.#partStart(event.candidate, event.key, event.part, state);
      case "part-delta":
        return this.#partDelta(event.candidate, openPart(state, event.key), event.delta, state);
      case "part-stop": {
        const open = openPart(state, event.key);
        state.open = undefined;
        return this.#partStop(event.candidate, open, state);
      }
      case "part":
        if (state.open) throw new Error(`A whole part comes while '${state.open.key}' is open.`);
        return this.#part(event.candidate, event.part, state);
      case "finish":
        if (state.open) throw new Error(`Candidate ${event.candidate} finishes while '${state.open.key}' is open.`);
        return this.#finish(event.candidate, event.finish, state);
    }
  }

  #partStart(index: number, key: string, part: PartHead, state: CandidateState): string {
    switch (part.type) {
      case "text":
        state.open = { type: "text", key, base: state.length, text: "", proof: part.proof, cited: false };
        return "";
      case "refusal":
        state.refused = true;
        state.open = { type: "refusal", key };
        return "";
      case "reasoning":
        state.open = { type: "reasoning", key, part: { type: "reasoning" }, paragraph: 0 };
        return "";
      case "tool-call": {
        const custom = part.toolKind === "custom";
        state.open = { type: "tool-call", key, index: state.calls, custom, empty: true };
        const call = `{"index":${state.calls},"id":${JSON.stringify(legalCallId(part.callId))},${headOfCall(part.name, custom)}`;
        state.calls += 1;
        const extra = part.proof ? `,"extra_content":${this.#sealed(part.proof)}` : "";
        return this.#chunk(index, `{"tool_calls":[${call}${extra}}]}`);
      }
    }
  }

  #partDelta(index: number, open: Open, delta: PartDelta, state: CandidateState): string {
    switch (open.type) {
      case "text":
        return this.#textDelta(index, open, delta, state);
      case "refusal":
        if (delta.type !== "text") return wrongDelta(open, delta);
        return this.#chunk(index, `{"refusal":${JSON.stringify(delta.text)}}`);
      case "tool-call":
        if (delta.type === "proof") {
          const body = callBody("", open.custom);
          return this.#chunk(
            index,
            `{"tool_calls":[{"index":${open.index},${body},"extra_content":${this.#sealed(delta.proof)}}]}`,
          );
        }
        if (delta.type !== "arguments") return wrongDelta(open, delta);
        if (delta.text === "") return "";
        open.empty = false;
        return this.#chunk(index, `{"tool_calls":[{"index":${open.index},${callBody(delta.text, open.custom)}}]}`);
      case "reasoning":
        return this.#reasoningDelta(index, open, delta, state);
    }
  }

  #textDelta(index: number, open: Extract<Open, { type: "text" }>, delta: PartDelta, state: CandidateState): string {
    switch (delta.type) {
      case "text":
        if (delta.text === "") return "";
        open.text += delta.text;
        state.length += delta.text.length;
        return this.#chunk(index, `{"content":${JSON.stringify(delta.text)}}`);
      case "logprobs":
        return this.#chunk(index, '{"content":""}', JSON.stringify(encodeLogprobs(delta.logprobs)));
      case "citation": {
        const annotation = encodeCitation(delta.citation, open);
        if (annotation) return this.#chunk(index, `{"annotations":[${JSON.stringify(annotation)}]}`);
        if (!open.cited) noticeCitation(this.#context);
        open.cited = true;
        return "";
      }
      case "proof":
        open.proof = delta.proof;
        return "";
      default:
        return wrongDelta(open, delta);
    }
  }

  #reasoningDelta(
    index: number,
    open: Extract<Open, { type: "reasoning" }>,
    delta: PartDelta,
    state: CandidateState,
  ): string {
    const text = growReasoning(open, delta, state.reasoned);
    if (text === "") return "";
    state.reasoned = true;
    return this.#chunk(index, `{"reasoning_content":${JSON.stringify(text)}}`);
  }

  #partStop(index: number, open: Open, state: CandidateState): string {
    switch (open.type) {
      case "refusal":
        return "";
      case "text":
        return open.proof ? this.#details(index, { type: "reasoning", proof: open.proof }, state) : "";
      case "reasoning":
        return this.#details(index, open.part, state);
      case "tool-call":
        if (!open.empty || open.custom) return "";
        return this.#chunk(index, `{"tool_calls":[{"index":${open.index},${callBody("{}", false)}}]}`);
    }
  }

  /** Proofs come whole, with the text that they sign, once the part is complete. */
  #details(index: number, part: ReasoningPart, state: CandidateState): string {
    const entries = encodeDetails(part, state.details, (proof) => this.#context.vault.seal(proof));
    if (entries.length === 0) return "";
    state.details += 1;
    return this.#chunk(index, `{"reasoning_details":${JSON.stringify(entries)}}`);
  }

  #part(index: number, part: Part, state: CandidateState): string {
    const whole = wholePartDelta(part, this.#context);
    if (!whole) return "";
    state.length += whole.length;
    return this.#chunk(index, whole.delta);
  }

  #finish(index: number, finish: Finish, state: CandidateState): string {
    const shown = { text: state.length > 0, refusal: state.refused, toolCall: state.calls > 0 };
    const encoded = encodeFinish(finish, shown);
    if (!encoded) {
      this.failure = failedAnswer(finish);
      return this.#fail(this.failure);
    }
    if (encoded.notice !== undefined) {
      this.#context.notice({ field: "finish_reason", verdict: "approximated", detail: encoded.notice });
    }
    state.finished = true;
    return this.#chunk(index, "{}", "null", encoded.native);
  }

  #end(): string {
    for (const [index, state] of this.#candidates) {
      if (!state.finished) throw new Error(`Candidate ${index} has no finish.`);
    }
    this.#phase = "over";
    const done = dataFrame("[DONE]");
    if (!this.#includeUsage || !this.#usage) return done;
    const usage = JSON.stringify(encodeUsage(this.#usage));
    return dataFrame(`${this.#head}${this.#tier},"choices":[],"usage":${usage}}`) + done;
  }

  /** An error ends the stream: no finish and no end mark may make it look like an answer (S24). */
  #fail(error: CanonicalError): string {
    this.#phase = "over";
    return dataFrame(JSON.stringify(encodeErrorBody(error)));
  }

  #setTier(told: string | undefined): void {
    const tier = openAiTier(told);
    if (tier !== undefined) this.#tier = `,"service_tier":${JSON.stringify(tier)}`;
  }

  #sealed(proof: Proof): string {
    const extra: JsonObject = thoughtSignature(this.#context.vault.seal(proof));
    return JSON.stringify(extra);
  }

  /** `delta` and `logprobs` are JSON. Every chunk before the usage chunk says `usage: null` when usage was asked for. */
  #chunk(index: number, delta: string, logprobs = "null", finish?: string): string {
    const reason = finish === undefined ? "null" : `"${finish}"`;
    const usage = this.#includeUsage ? ',"usage":null' : "";
    return `data: ${this.#head}${this.#tier},"choices":[{"index":${index},"delta":${delta},"logprobs":${logprobs},"finish_reason":${reason}}]${usage}}\n\n`;
  }
}
