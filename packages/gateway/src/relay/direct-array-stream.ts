import type { CanonicalError, ProtocolCodec, StreamDecoder, Usage } from "@interlingua/protocols";
import type { AnswerStep, AnswerStream } from "./answer-stream.ts";
import { errorIn, incomplete, usageIn } from "./direct-stream.ts";

/**
 * The direct lane for a generateContent stream that is one JSON array (S20): the bytes flow through unchanged, the closing
 * bracket waits for the call record. The decoder reads along to judge the end; this form is rare, so its cost may be.
 */
export function createDirectArrayStream(codec: ProtocolCodec): AnswerStream {
  return new DirectArrayStream(codec.createStreamDecoder());
}

const comma = 0x2c;

class DirectArrayStream implements AnswerStream {
  readonly #decoder: StreamDecoder;
  #held: Buffer | undefined;
  /** The last byte that is no white space: behind an element the array can be closed, behind a comma it cannot. */
  #last = 0;
  #error: CanonicalError | undefined;
  #over = false;
  hasContent = false;
  usage: Usage | undefined;

  constructor(decoder: StreamDecoder) {
    this.#decoder = decoder;
  }

  /** Behind its bracket nothing can come but the close. */
  get isFinished(): boolean {
    return this.#held !== undefined && !this.#over;
  }

  push(chunk: Uint8Array): AnswerStep {
    if (this.#over) return { text: "" };
    const events = this.#decoder.push(chunk);
    this.usage = usageIn(events, this.usage);
    this.#error ??= errorIn(events);
    if (this.#error && !this.hasContent) return this.#end("", this.#error);
    this.hasContent = true;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const all = this.#held ? Buffer.concat([this.#held, bytes]) : bytes;
    const bracket = all.lastIndexOf("]");
    const closes = bracket !== -1 && all.toString("latin1", bracket + 1).trim() === "";
    this.#held = closes ? all.subarray(bracket) : undefined;
    this.#last = bytes.findLast((byte) => byte > 0x20) ?? this.#last;
    return { text: closes ? all.subarray(0, bracket) : all };
  }

  close(): AnswerStep {
    if (this.#over) return { text: "" };
    const events = this.#decoder.close();
    this.usage = usageIn(events, this.usage);
    const ended = events.some((event) => event.type === "end");
    const error = this.#error ?? errorIn(events) ?? (ended && this.#last !== comma ? undefined : incomplete());
    // A whole answer that has lost nothing but its bracket gets one.
    return this.#end(this.#held ?? (error ? "" : "]"), error);
  }

  /** An array that was cut within an element can not be mended: the caller's parser sees that it is not closed. */
  fail(_error: CanonicalError): string {
    this.#over = true;
    return "";
  }

  ping(): string {
    return "";
  }

  #end(text: Buffer | string, error: CanonicalError | undefined): AnswerStep {
    this.#over = true;
    return { text: "", final: { text, ...(error ? { error } : {}) } };
  }
}
