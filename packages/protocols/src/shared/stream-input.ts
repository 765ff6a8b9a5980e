import {
  type CanonicalError,
  canonicalError,
  type JsonValue,
  ProtocolError,
  type StreamEvent,
} from "../canonical/index.ts";
import type { StreamDecoder } from "../codec.ts";
import { JsonObjectReader } from "./json-object-reader.ts";
import { SseOverflow, SseReader } from "./sse.ts";

type Emit = (event: StreamEvent) => void;

/** What a protocol's stream decoder makes of the pieces of a stream. */
export interface StreamFrames {
  /** One server-sent event, or one line of newline-delimited JSON (then without a name). `data` is not parsed yet. */
  frame(event: string | undefined, data: string, emit: Emit): void;
  /**
   * One JSON object where a stream was expected: a whole answer or an error body, or one element of a JSON array, which
   * Gemini without `alt=sse` streams (S20).
   */
  whole(body: JsonValue, emit: Emit): void;
  /** The upstream closed the connection. Says `end` or an error, unless one of them was emitted before. */
  closed(emit: Emit): void;
}

/**
 * A stream decoder that takes server-sent events, newline-delimited JSON, a bare JSON object or a JSON array, told apart
 * by the first character. It never throws: what cannot be read becomes one `error` event, and nothing comes after an
 * `error` or `end`. One per call.
 */
export function createFrameDecoder(frames: StreamFrames): StreamDecoder {
  return new FrameDecoder(frames);
}

class FrameDecoder implements StreamDecoder {
  readonly #frames: StreamFrames;
  #reader: SseReader | JsonObjectReader | undefined;
  /** Bytes that came before the first telling one. */
  #head: Uint8Array[] = [];
  #first: string | undefined;
  #objects = 0;
  #over = false;
  #events: StreamEvent[] = [];

  constructor(frames: StreamFrames) {
    this.#frames = frames;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#run(() => this.#push(bytes));
  }

  close(): StreamEvent[] {
    return this.#run(() => {
      if (this.#reader instanceof SseReader) {
        for (const { event, data } of this.#reader.close()) this.#frame(event, data);
      }
      if (this.#reader instanceof JsonObjectReader) {
        this.#lone(this.#reader);
        if (!this.#over && this.#reader.isInside) throw incomplete();
      }
      if (!this.#over) this.#frames.closed(this.#emit);
      this.#over = true;
    });
  }

  #run(work: () => void): StreamEvent[] {
    this.#events = [];
    if (this.#over) return this.#events;
    try {
      work();
    } catch (cause) {
      this.#emit({ type: "error", error: errorOf(cause) });
    }
    return this.#events;
  }

  readonly #emit = (event: StreamEvent): void => {
    if (this.#over) return;
    if (event.type === "end" || event.type === "error") this.#over = true;
    this.#events.push(event);
  };

  #push(bytes: Uint8Array): void {
    if (this.#reader === undefined) {
      this.#head.push(bytes);
      const mark = firstMark(bytes);
      if (mark === undefined) return;
      this.#reader = readerFor(mark);
      const head = this.#head;
      this.#head = [];
      for (const earlier of head) this.#read(this.#reader, earlier);
      return;
    }
    this.#read(this.#reader, bytes);
  }

  #read(reader: SseReader | JsonObjectReader, bytes: Uint8Array): void {
    if (reader instanceof SseReader) {
      for (const { event, data } of reader.push(bytes)) this.#frame(event, data);
      return;
    }
    for (const text of reader.push(bytes)) this.#object(reader, text);
  }

  #frame(event: string | undefined, data: string): void {
    if (!this.#over) this.#frames.frame(event, data, this.#emit);
  }

  /** A second object behind the first one tells that these are lines of a stream and not one whole answer. */
  #object(reader: JsonObjectReader, text: string): void {
    this.#objects += 1;
    if (reader.isArray) {
      if (!this.#over) this.#frames.whole(JSON.parse(text), this.#emit);
      return;
    }
    if (this.#objects === 1) {
      this.#first = text;
      return;
    }
    if (this.#first !== undefined) this.#frame(undefined, this.#first);
    this.#first = undefined;
    this.#frame(undefined, text);
  }

  #lone(reader: JsonObjectReader): void {
    if (this.#first === undefined || this.#over) return;
    // Cut inside its second line, it was a stream all the same.
    if (reader.isInside) this.#frames.frame(undefined, this.#first, this.#emit);
    else this.#frames.whole(JSON.parse(this.#first), this.#emit);
  }
}

/** The first byte that is neither white space nor part of a byte order mark. */
function firstMark(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
}

function readerFor(mark: number): SseReader | JsonObjectReader {
  if (mark === 0x7b || mark === 0x5b) return new JsonObjectReader();
  if (mark === 0x3c) {
    throw new ProtocolError(
      canonicalError("upstream_bad", "The upstream answered with a web page instead of a stream.", {
        code: "upstream_bad_response",
      }),
    );
  }
  return new SseReader();
}

function incomplete(): ProtocolError {
  return new ProtocolError(
    canonicalError("upstream_incomplete", "The upstream closed the connection inside its answer.", {
      code: "stream_incomplete",
    }),
  );
}

/** Messages of run-time errors may quote the upstream's bytes, so they stay inside. */
function errorOf(cause: unknown): CanonicalError {
  if (cause instanceof ProtocolError) return cause.error;
  if (cause instanceof SseOverflow) {
    return canonicalError("upstream_bad", "The upstream sent an event that is too large.", {
      code: "upstream_response_too_large",
    });
  }
  return canonicalError("upstream_bad", "The upstream sent something that cannot be read as its protocol.", {
    code: "upstream_bad_response",
  });
}
