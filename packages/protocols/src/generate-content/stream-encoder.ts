import { type CanonicalError, type JsonObject, mergeUsage, type StreamEvent, type Usage } from "../canonical/index.ts";
import type { AnswerContext, StreamEncoder } from "../codec.ts";
import { commentFrame, dataFrame } from "../shared/sse.ts";
import { wholePart } from "./answer-parts.ts";
import { CandidateWriter } from "./candidate-writer.ts";
import { errorBody } from "./error.ts";
import { encodeBlock } from "./finish.ts";
import { encodeUsage } from "./usage.ts";

/**
 * Writes a stream for a client of this protocol: every frame is a whole `GenerateContentResponse` with the new parts
 * only (generate-content.md 9), as server-sent events or as the elements of one JSON array (S20). No end mark.
 */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  return new Encoder(context);
}

class Encoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #array: boolean;
  readonly #candidates = new Map<number, CandidateWriter>();
  #state: "new" | "started" | "over" = "new";
  #written = false;
  /** The members that every chunk repeats, as JSON text. */
  #tail = "";
  #usage: Usage | undefined;
  #finished = 0;
  /** A first answer that was filtered without output, as the end of an answer alone and as one of several. */
  #blocked: { alone: string; frame: string } | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#array = context.framing === "json-array";
  }

  write(event: StreamEvent): string {
    if (this.#state === "over") throw new Error(`A '${event.type}' event came after the end of the stream.`);
    if (event.type === "error") return this.#fail(event.error);
    if (event.type === "start") return this.#start(event);
    if (this.#state === "new") throw new Error(`A '${event.type}' event came before the start of the stream.`);
    switch (event.type) {
      case "part-start":
        return this.#chunk(event.candidate, this.#candidate(event.candidate).start(event.key, event.part));
      case "part-delta":
        return this.#chunk(event.candidate, this.#candidate(event.candidate).delta(event.key, event.delta));
      case "part-stop":
        return this.#chunk(event.candidate, this.#candidate(event.candidate).stop(event.key));
      case "part":
        return this.#chunk(
          event.candidate,
          this.#candidate(event.candidate).whole(event.part, wholePart(event.part, this.#context)),
        );
      case "usage":
        this.#usage = mergeUsage(this.#usage, event.usage);
        return "";
      case "finish":
        return this.#finish(event);
      case "end":
        return this.#end();
    }
  }

  ping(): string {
    if (this.#state === "over") return "";
    // White space may stand anywhere between the elements of a JSON array.
    return this.#array ? "\n" : commentFrame;
  }

  #start(event: Extract<StreamEvent, { type: "start" }>): string {
    if (this.#state !== "new") throw new Error("The stream started twice.");
    this.#state = "started";
    if (event.usage) this.#usage = event.usage;
    const model = JSON.stringify(event.model ?? this.#context.request.model);
    this.#tail = `"modelVersion":${model},"responseId":${JSON.stringify(this.#context.ids(""))}}`;
    return "";
  }

  #candidate(index: number): CandidateWriter {
    const known = this.#candidates.get(index);
    if (known) return known;
    const fresh = new CandidateWriter(this.#context);
    this.#candidates.set(index, fresh);
    return fresh;
  }

  /** `parts`: the JSON texts of the new parts, joined by commas; "" when there are none yet. */
  #chunk(candidate: number, parts: string): string {
    if (parts === "") return "";
    return this.#frame(
      `{"candidates":[{"content":{"parts":[${parts}],"role":"model"},"index":${candidate}}],${this.#tail}`,
    );
  }

  #finish(event: Extract<StreamEvent, { type: "finish" }>): string {
    const before = this.#takeBlocked();
    const writer = this.#candidate(event.candidate);
    this.#finished += 1;
    const block =
      event.candidate === 0 && this.#candidates.size === 1 ? encodeBlock(event.finish, writer.hasOutput) : undefined;
    const { parts, rest } = writer.finish(event.finish);
    const frame = `{"candidates":[{"content":{"parts":[${parts}],"role":"model"},${rest},"index":${event.candidate}}],${this.#counted()}`;
    if (block === undefined) return before + this.#frame(frame);
    const { message } = event.finish;
    const feedback: JsonObject = {
      blockReason: block,
      ...(message === undefined ? {} : { blockReasonMessage: message }),
    };
    this.#blocked = { alone: `{"promptFeedback":${JSON.stringify(feedback)},${this.#counted()}`, frame };
    return before;
  }

  /** The last members of a frame that ends a candidate. */
  #counted(): string {
    const usage = this.#usage ? `"usageMetadata":${JSON.stringify(encodeUsage(this.#usage))},` : "";
    return usage + this.#tail;
  }

  /** Another answer follows the one that was filtered: then it was not the prompt that was blocked. */
  #takeBlocked(): string {
    const blocked = this.#blocked;
    this.#blocked = undefined;
    return blocked ? this.#frame(blocked.frame) : "";
  }

  #end(): string {
    if (this.#finished === 0 || this.#finished < this.#candidates.size) {
      throw new Error("The stream ended before every candidate had a finish reason.");
    }
    this.#state = "over";
    const last = this.#blocked ? this.#frame(this.#blocked.alone) : "";
    return this.#array ? `${last}]` : last;
  }

  #fail(error: CanonicalError): string {
    this.#state = "over";
    const frame = this.#frame(JSON.stringify(errorBody(error)));
    return this.#array ? `${frame}]` : frame;
  }

  #frame(json: string): string {
    if (!this.#array) return dataFrame(json);
    const frame = `${this.#written ? ",\r\n" : "["}${json}`;
    this.#written = true;
    return frame;
  }
}
