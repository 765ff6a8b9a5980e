import { type CanonicalError, canonicalError, ProtocolError, type StreamEvent, type Usage } from "./canonical/index.ts";
import type { StreamDecoder, StreamEncoder } from "./codec.ts";
import type { AnswerRestorer } from "./shared/answer-restorer.ts";
import { BrokenCallWatch } from "./shared/broken-calls.ts";
import { EventGate } from "./shared/event-gate.ts";

/** What a read from the upstream means for the client. */
export interface StreamStep {
  /** Frames to write now; may be empty. */
  text: string;
  /** Set once, when the answer is over. */
  final?: {
    /** The finish and end frames, or the error frame: to be written only when the call record is durable (M1). */
    text: string;
    /** Absent: a good end. */
    error?: CanonicalError;
    /** What was thrown, where the error is a defect of this package: for the operator's log. */
    cause?: unknown;
  };
}

/** A streaming answer on its way. One per call. Never throws: trouble of any kind is a final step with an error. */
export interface StreamConversion {
  /** Bytes from the upstream, cut anywhere. */
  push(bytes: Uint8Array): StreamStep;
  /** The upstream closed its side. */
  close(): StreamStep;
  /** The gateway ends the answer by an error (time-out, drain). Gives the client's error frames; "" when it is over. */
  fail(error: CanonicalError): string;
  /** A keep-alive that is lawful now. */
  ping(): string;
  /** Cumulative, as far as known. */
  readonly usage: Usage | undefined;
  /** Whether any content has gone to the client. */
  readonly hasContent: boolean;
  /** Whether the upstream has said why its answer ended: only its end mark, or its usage, can still come. */
  readonly isFinished: boolean;
}

/** Upstream bytes -> decoder -> gate -> restorer -> watch for broken calls -> encoder -> client frames. */
export class ConvertedStream implements StreamConversion {
  readonly #decoder: StreamDecoder;
  readonly #gate = new EventGate();
  readonly #restorer: AnswerRestorer;
  readonly #calls = new BrokenCallWatch();
  readonly #encoder: StreamEncoder;
  readonly #isAsked: (event: StreamEvent) => boolean;
  #text = "";
  #closing = "";
  #closed = false;
  #error: CanonicalError | undefined;
  #over = false;
  #hasContent = false;

  /** `isAsked`: whether an event belongs to an answer that the client asked for; others must not reach its encoder. */
  constructor(
    decoder: StreamDecoder,
    encoder: StreamEncoder,
    restorer: AnswerRestorer,
    isAsked: (event: StreamEvent) => boolean,
  ) {
    this.#decoder = decoder;
    this.#encoder = encoder;
    this.#restorer = restorer;
    this.#isAsked = isAsked;
  }

  get usage(): Usage | undefined {
    return this.#gate.usage;
  }

  get hasContent(): boolean {
    return this.#hasContent;
  }

  get isFinished(): boolean {
    return this.#gate.isFinished;
  }

  push(bytes: Uint8Array): StreamStep {
    return this.#step(() => this.#decoder.push(bytes));
  }

  close(): StreamStep {
    return this.#step(() => this.#decoder.close());
  }

  fail(error: CanonicalError): string {
    if (this.#over) return "";
    this.#over = true;
    return this.#encoder.write({ type: "error", error });
  }

  ping(): string {
    return this.#over ? "" : this.#encoder.ping();
  }

  #step(read: () => StreamEvent[]): StreamStep {
    if (this.#over) return { text: "" };
    this.#text = "";
    try {
      for (const event of read()) if (this.#isAsked(event)) this.#gate.push(event, this.#restore);
    } catch (cause) {
      return { text: this.#text, final: this.#broken(cause) };
    }
    if (!this.#closed) return { text: this.#text };
    this.#over = true;
    return { text: this.#text, final: { text: this.#closing, ...(this.#error ? { error: this.#error } : {}) } };
  }

  /** A defect of ours must not look like a good end; the client gets an error frame if the encoder still can. */
  #broken(cause: unknown): NonNullable<StreamStep["final"]> {
    this.#over = true;
    const error =
      cause instanceof ProtocolError
        ? cause.error
        : canonicalError("internal", "The gateway could not convert the answer.", { code: "conversion_failed" });
    return { text: this.#encoder.write({ type: "error", error }), error, cause };
  }

  readonly #restore = (event: StreamEvent): void => this.#restorer.push(event, this.#encode);

  /** Frames from the finish on are kept apart: they must wait for the call record. */
  readonly #encode = (event: StreamEvent): void => {
    const frames = this.#encoder.write(this.#calls.see(event));
    switch (event.type) {
      case "usage":
      case "finish":
        this.#closing += frames;
        return;
      case "end":
        this.#closing += frames;
        this.#closed = true;
        this.#error = this.#encoder.failure;
        return;
      case "error":
        this.#closing += frames;
        this.#closed = true;
        this.#error = event.error;
        return;
      case "part":
      case "part-delta":
        this.#hasContent = true;
        this.#text += frames;
        return;
      case "start":
      case "part-start":
      case "part-stop":
        this.#text += frames;
        return;
    }
  };
}
