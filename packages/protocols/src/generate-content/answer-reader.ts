import {
  canonicalError,
  type JsonObject,
  type JsonValue,
  ProtocolError,
  type StreamEvent,
} from "../canonical/index.ts";
import { answerIndex, isObject } from "../shared/read.ts";
import { CandidateReader } from "./candidate-reader.ts";
import { decodeError, errorObject } from "./error.ts";
import { camelFields } from "./fields.ts";
import { decodeBlock, decodeFinish, finishWord } from "./finish.ts";
import { decodeUsage } from "./usage.ts";

type Emit = (event: StreamEvent) => void;

/**
 * Reads `GenerateContentResponse` objects: the chunks of a stream, or the one of a whole answer. One per answer, so that
 * both ways give the same (L8). Throws `ProtocolError` for an error body and for what is no answer.
 */
export class AnswerReader {
  readonly #candidates = new Map<number, CandidateReader>();
  #started = false;
  #blocked = false;
  #responseId = "";

  chunk(value: JsonValue, emit: Emit): void {
    if (Array.isArray(value)) {
      for (const element of value) this.chunk(element, emit);
      return;
    }
    if (!isObject(value)) throw notAnAnswer();
    if (errorObject(value)) throw new ProtocolError(decodeError({ status: 0, headers: {}, body: value }));
    // Some hosts put the answer into an envelope.
    const body = isObject(value.response) && value.candidates === undefined ? value.response : value;
    this.#start(body, emit);
    const candidates = Array.isArray(body.candidates) ? body.candidates : [];
    candidates.forEach((raw, position) => {
      if (isObject(raw)) this.#candidate(raw, candidates.length > 1 ? position : 0, emit);
    });
    this.#promptFeedback(body, emit);
    const usage = decodeUsage(body.usageMetadata);
    if (usage) emit({ type: "usage", usage });
  }

  /** Whether the upstream said that the answer is over: every candidate has a finish, or the prompt was blocked (3.3). */
  get isFinished(): boolean {
    if (this.#candidates.size === 0) return this.#blocked;
    for (const candidate of this.#candidates.values()) if (!candidate.isFinished) return false;
    return true;
  }

  /** Whether anything came that belongs to an answer. */
  get hasAnswer(): boolean {
    return this.#candidates.size > 0 || this.#blocked;
  }

  /** Closes what is open. A candidate that never said why it ended gets `other`. */
  end(emit: Emit): void {
    for (const [index, candidate] of this.#candidates) {
      candidate.end(emit);
      if (!candidate.isFinished) emit({ type: "finish", candidate: index, finish: { reason: "other" } });
    }
    emit({ type: "end" });
  }

  #start(body: JsonObject, emit: Emit): void {
    if (this.#started) return;
    this.#started = true;
    const start: Extract<StreamEvent, { type: "start" }> = { type: "start" };
    if (typeof body.responseId === "string") {
      start.id = body.responseId;
      this.#responseId = body.responseId;
    }
    if (typeof body.modelVersion === "string" && body.modelVersion !== "") start.model = body.modelVersion;
    const made = typeof body.createTime === "string" ? Date.parse(body.createTime) : Number.NaN;
    if (!Number.isNaN(made)) start.createdAt = Math.floor(made / 1000);
    emit(start);
  }

  #candidate(raw: JsonObject, position: number, emit: Emit): void {
    const candidate = camelFields(raw);
    const index = answerIndex(candidate.index) ?? position;
    let reader = this.#candidates.get(index);
    if (!reader) {
      reader = new CandidateReader(index, this.#responseId);
      this.#candidates.set(index, reader);
    }
    reader.read(candidate, emit);
    const word = finishWord(candidate.finishReason);
    if (word === undefined) return;
    const message = typeof candidate.finishMessage === "string" ? candidate.finishMessage : undefined;
    reader.isFinished = true;
    const broken = reader.hasOpenCall && word === "STOP";
    emit({
      type: "finish",
      candidate: index,
      finish: broken ? { reason: "malformed_tool" } : decodeFinish(word, message),
    });
  }

  #promptFeedback(body: JsonObject, emit: Emit): void {
    const feedback = body.promptFeedback;
    if (!isObject(feedback) || typeof feedback.blockReason !== "string") return;
    if (this.#blocked || this.#candidates.size > 0) return;
    this.#blocked = true;
    const message = typeof feedback.blockReasonMessage === "string" ? feedback.blockReasonMessage : undefined;
    emit({ type: "finish", candidate: 0, finish: decodeBlock(feedback.blockReason, message) });
  }
}

function notAnAnswer(): ProtocolError {
  return new ProtocolError(
    canonicalError("upstream_bad", "The upstream sent something that is not an answer of its protocol.", {
      code: "upstream_bad_response",
    }),
  );
}
