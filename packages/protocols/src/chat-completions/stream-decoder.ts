import {
  type CanonicalError,
  type Citation,
  canonicalError,
  type JsonObject,
  type JsonValue,
  ProtocolError,
  type StreamEvent,
} from "../canonical/index.ts";
import type { AnswerReading, StreamDecoder } from "../codec.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { answerIndex, isObject, readCount } from "../shared/read.ts";
import { createFrameDecoder, type StreamFrames } from "../shared/stream-input.ts";
import { decodeSearchResults } from "./citations.ts";
import { decodeErrorBody } from "./error.ts";
import { decodeFinish } from "./finish.ts";
import { callIds, decodeResponse } from "./response-decoder.ts";
import { StreamChoice } from "./stream-choice.ts";
import { usageOfChunk } from "./usage.ts";
import { textOf } from "./wire.ts";

type Emit = (event: StreamEvent) => void;

/** Reads a stream of chunks. One per call. */
export function createStreamDecoder(reading?: AnswerReading): StreamDecoder {
  return createFrameDecoder(new ChunkReader(reading));
}

class ChunkReader implements StreamFrames {
  readonly #reading: AnswerReading;
  #started = false;
  #over = false;
  #seed = "";
  #sources: Citation[] = [];
  readonly #choices = new Map<number, StreamChoice>();

  constructor(reading: AnswerReading = {}) {
    this.#reading = reading;
  }

  frame(event: string | undefined, data: string, emit: Emit): void {
    if (this.#over) return;
    const text = data.trim();
    if (text === "") return;
    if (text === "[DONE]") {
      this.#end(emit);
      return;
    }
    let body: JsonValue;
    try {
      body = JSON.parse(text);
    } catch {
      this.#fail(canonicalError("upstream_bad", "The upstream's stream holds a frame that is not JSON."), emit);
      return;
    }
    if (event === "error") this.#fail(decodeErrorBody(body), emit);
    else this.#body(body, emit);
  }

  whole(body: JsonValue, emit: Emit): void {
    if (!this.#over) this.#body(body, emit);
  }

  /** Closing counts as a good end only behind a finish of every candidate (3.3). */
  closed(emit: Emit): void {
    if (this.#over) return;
    const choices = [...this.#choices.values()];
    if (choices.length > 0 && choices.every((choice) => choice.finish)) {
      this.#end(emit);
      return;
    }
    this.#fail(
      canonicalError("upstream_incomplete", "The upstream closed the stream before the answer was complete.", {
        code: "stream_incomplete",
      }),
      emit,
    );
  }

  #body(body: JsonValue, emit: Emit): void {
    if (!isObject(body)) {
      // Gemini's endpoint for this protocol puts its errors into a list.
      const first = Array.isArray(body) ? body[0] : undefined;
      const noObject = canonicalError("upstream_bad", "The upstream's stream holds a frame that is no object.");
      this.#fail(isObject(first) && isObject(first.error) ? decodeErrorBody(first) : noObject, emit);
      return;
    }
    if (isObject(body.error) || textOf(body.error) !== undefined) {
      this.#fail(decodeErrorBody(body), emit);
      return;
    }
    if (isWholeAnswer(body)) this.#answer(body, emit);
    else this.#chunk(body, emit);
  }

  /** The server ignored `stream`: its whole answer, as the stream it should have been. */
  #answer(body: JsonObject, emit: Emit): void {
    try {
      for (const event of responseToEvents(decodeResponse(body, this.#reading))) emit(event);
      this.#over = true;
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      this.#fail(cause.error, emit);
    }
  }

  #chunk(chunk: JsonObject, emit: Emit): void {
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    if (!this.#started && (choices.length > 0 || textOf(chunk.id) !== undefined)) this.#start(chunk, emit);
    for (const choice of choices) {
      if (isObject(choice)) this.#choice(choice, emit);
      if (this.#over) return;
    }
    if (chunk.search_results !== undefined || chunk.citations !== undefined) {
      const sources = decodeSearchResults(chunk);
      if (sources.length > 0) this.#sources = sources;
    }
    const usage = usageOfChunk(chunk);
    if (!usage) return;
    const serviceTier = textOf(chunk.service_tier);
    emit({ type: "usage", usage, ...(serviceTier === undefined ? {} : { serviceTier }) });
  }

  #start(chunk: JsonObject, emit: Emit): void {
    this.#started = true;
    const id = textOf(chunk.id);
    const model = textOf(chunk.model);
    const createdAt = readCount(chunk.created);
    const serviceTier = textOf(chunk.service_tier);
    this.#seed = id ?? String(createdAt ?? "");
    emit({
      type: "start",
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { model }),
      ...(createdAt ? { createdAt } : {}),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    });
  }

  #choice(choice: JsonObject, emit: Emit): void {
    const index = answerIndex(choice.index) ?? 0;
    let state = this.#choices.get(index);
    if (!state) {
      state = new StreamChoice(index, callIds(this.#seed, index), this.#reading);
      this.#choices.set(index, state);
    }
    const delta = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : undefined;
    const problem = delta ? state.push(delta, choice, emit) : undefined;
    if (problem !== undefined) {
      this.#fail(canonicalError("upstream_bad", problem, { code: "upstream_bad_response" }), emit);
      return;
    }
    const native = textOf(choice.finish_reason);
    if (native === undefined) return;
    const finish = decodeFinish(native, state.hasRefusal, choice.stop_reason);
    if (finish.reason === "error") {
      this.#fail(canonicalError("upstream_bad", `The upstream ended its answer with '${native}'.`), emit);
      return;
    }
    state.finish = finish;
    emit({ type: "finish", candidate: index, finish });
  }

  #end(emit: Emit): void {
    if (this.#choices.size === 0) {
      this.#fail(
        canonicalError("upstream_bad", "The upstream's stream ended without an answer.", {
          code: "upstream_bad_response",
        }),
        emit,
      );
      return;
    }
    for (const [index, choice] of this.#choices) {
      if (choice.wantsCitations) choice.cite(this.#sources, emit);
      const problem = choice.close(emit);
      if (problem !== undefined) {
        this.#fail(canonicalError("upstream_bad", problem, { code: "upstream_bad_response" }), emit);
        return;
      }
      // `stop` came before a refusal was known, or no reason came at all.
      const finish =
        choice.finish?.reason === "stop" || !choice.finish ? decodeFinish("stop", choice.hasRefusal) : undefined;
      if (finish && finish.reason !== choice.finish?.reason) emit({ type: "finish", candidate: index, finish });
    }
    this.#over = true;
    emit({ type: "end" });
  }

  #fail(error: CanonicalError, emit: Emit): void {
    if (this.#over) return;
    this.#over = true;
    emit({ type: "error", error });
  }
}

/** A message and no delta, and not marked as a chunk. */
function isWholeAnswer(body: JsonObject): boolean {
  if (body.object === "chat.completion.chunk" || !Array.isArray(body.choices)) return false;
  const [first] = body.choices;
  return isObject(first) && isObject(first.message) && !isObject(first.delta);
}
