import {
  type CanonicalError,
  canonicalError,
  type JsonObject,
  mergeUsage,
  type ProtocolCodec,
  type StreamEvent,
  type Usage,
} from "@interlingua/protocols";
import type { AnswerStep, AnswerStream } from "./answer-stream.ts";
import { type EndMarkRule, endMarks, findEndMark, frameAround, frameData, lastFramesStart } from "./end-mark.ts";
import { errorFrames } from "./error-frames.ts";
import { FinishWatch } from "./finish-watch.ts";
import { FrameCutter } from "./frame-cutter.ts";
import { withoutUsageChunk } from "./usage-chunk.ts";

/** How much of the stream's end is kept for the usage and for judging an end without a mark. */
const recentBytes = 16_384;

export interface DirectStreamOptions {
  codec: ProtocolCodec;
  callId: string;
  /** Longest event in bytes. */
  eventBytes: number;
  /** Chat completions: the gateway asked for the usage chunk, and the caller did not. */
  hideUsage?: boolean;
  /** How many answers the caller asked for. Absent: one. */
  answers?: number;
}

/**
 * The direct lane's stream: whole frames flow through byte for byte. Only the first frame, those that may hold the end mark
 * and, at the end, the last ones are looked into; everything from the end mark on waits for the call record.
 */
export function createDirectStream(options: DirectStreamOptions): AnswerStream {
  return new DirectStream(options);
}

class DirectStream implements AnswerStream {
  readonly #codec: ProtocolCodec;
  readonly #callId: string;
  readonly #rule: EndMarkRule;
  readonly #hideUsage: boolean;
  readonly #finish: FinishWatch;
  readonly #cutter: FrameCutter;
  /** The first frame that is no comment. */
  #first: Buffer | undefined;
  #recent: Buffer[] = [];
  #recentLength = 0;
  /** Whether `#recent` no longer reaches back to the first frame. */
  #forgotten = false;
  /** From the last end mark on, where the upstream's close decides. */
  #held: Buffer[] | undefined;
  #over = false;

  constructor(options: DirectStreamOptions) {
    this.#codec = options.codec;
    this.#callId = options.callId;
    this.#rule = endMarks[options.codec.name];
    this.#hideUsage = options.hideUsage ?? false;
    this.#finish = new FinishWatch(options.codec, options.answers ?? 1);
    this.#cutter = new FrameCutter(options.eventBytes);
  }

  get hasContent(): boolean {
    return this.#first !== undefined;
  }

  get isFinished(): boolean {
    if (this.#over) return false;
    return this.#finish.isDone || (this.#held !== undefined && this.#judge() === undefined);
  }

  push(chunk: Uint8Array): AnswerStep {
    if (this.#over) return { text: "" };
    const piece = this.#cutter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (piece === undefined) return { text: "" };
    if (piece === "too-large") return this.#broken(tooLarge());
    if (!this.#first) {
      const frame = firstEvent(piece);
      const error = frame && errorIn(this.#codec.createStreamDecoder().push(frame));
      if (error) return this.#broken(error);
      this.#first = frame;
    }
    this.#remember(piece);
    this.#finish.see(piece);
    return this.#relay(this.#hideUsage ? withoutUsageChunk(piece) : piece);
  }

  close(): AnswerStep {
    if (this.#over) return { text: "" };
    const rest = this.#cutter.rest();
    // An event without its blank line still counts, and gets one.
    const last = rest.length > 0 ? Buffer.concat([rest, Buffer.from("\n\n")]) : rest;
    this.#first ??= firstEvent(last);
    let verdict = this.#judge(last);
    // What is no longer known of a long answer makes none of it that has told its finish.
    if (verdict && this.#forgotten && last.length === 0 && this.#finish.isDone) {
      verdict = this.#finish.failure ?? this.#toldError();
    }
    const told = verdict && isTold(this.#judge());
    if (last.length > 0) this.#remember(last);
    this.#over = true;
    const held = this.#held ?? [];
    if (!verdict) return { text: "", final: { text: Buffer.concat([...held, last]) } };
    // An error that the upstream told itself has been handed on already; what ended without a word has not.
    return { text: "", final: { text: told ? Buffer.concat(held) : this.#frames(verdict), error: verdict } };
  }

  fail(error: CanonicalError): string {
    if (this.#over) return "";
    this.#over = true;
    return this.#frames(error);
  }

  ping(): string {
    if (this.#over || !this.#first) return "";
    return this.#codec.name === "messages" ? 'event: ping\ndata: {"type": "ping"}\n\n' : ": keep-alive\n\n";
  }

  get usage(): Usage | undefined {
    if (!this.#first) return undefined;
    const usage = usageIn(this.#codec.createStreamDecoder().push(this.#first), undefined);
    const recent = this.#tail();
    let at = recent.lastIndexOf("usage");
    // The last frames may name usage without telling it (null, an empty chunk behind it).
    for (let tries = 0; at !== -1 && tries < 8; tries++) {
      const place = frameAround(recent, at);
      // A closing report may stand on the first one: Anthropic's repeats the sum of the cache writes without its split.
      const decoder = this.#codec.createStreamDecoder();
      decoder.push(this.#first);
      const found = usageIn(decoder.push(recent.subarray(place.start, place.end)), undefined);
      if (found) return mergeUsage(usage, found);
      at = place.start === 0 ? -1 : recent.lastIndexOf("usage", place.start - 1);
    }
    return usage;
  }

  #relay(piece: Buffer): AnswerStep {
    const mark = findEndMark(this.#rule, piece);
    if (this.#rule.untilClose) return { text: this.#holdBack(piece, mark?.start) };
    if (!mark) return { text: piece };
    const before = piece.subarray(0, mark.start);
    this.#over = true;
    const error = this.#errorAt(piece.subarray(mark.start, mark.end));
    // What follows the end mark counts for nothing (S22).
    if (!error) return { text: before, final: { text: piece.subarray(mark.start, mark.end) } };
    // Chat completions: `[DONE]` behind an error must not make it a success (S24).
    const text = this.#codec.name === "chat-completions" ? "" : piece.subarray(mark.start);
    return { text: before, final: { text, error } };
  }

  /** What may go out where any finish can be the last: all before it, and it too once the answer goes on behind it. */
  #holdBack(piece: Buffer, finish: number | undefined): Buffer {
    const held = this.#held ?? [];
    if (finish !== undefined) {
      this.#held = [piece.subarray(finish)];
      return Buffer.concat([...held, piece.subarray(0, finish)]);
    }
    if (!this.#held) return piece;
    const length = held.reduce((sum, each) => sum + each.length, 0);
    if (!piece.includes('"candidates"') && length < recentBytes) {
      held.push(piece);
      return Buffer.alloc(0);
    }
    this.#held = [piece];
    return Buffer.concat(held);
  }

  #errorAt(mark: Buffer): CanonicalError | undefined {
    if (this.#codec.name === "chat-completions") return this.#toldError();
    return errorIn(this.#codec.createStreamDecoder().push(mark));
  }

  /** The error that the last frames tell, if they do. */
  #toldError(): CanonicalError | undefined {
    const all = this.#tail();
    const recent = all.subarray(lastFramesStart(all));
    const at = recent.lastIndexOf('"error"');
    if (at === -1) return undefined;
    const place = frameAround(recent, at);
    return errorIn(this.#codec.createStreamDecoder().push(recent.subarray(place.start, place.end)));
  }

  /** Undefined: the upstream's bytes, and these behind them, are a whole answer, though no mark stood in them. */
  #judge(last: Buffer = Buffer.alloc(0)): CanonicalError | undefined {
    if (!this.#first) return incomplete();
    const decoder = this.#codec.createStreamDecoder();
    const first = this.#forgotten ? [this.#first] : [];
    const events: StreamEvent[] = [];
    for (const bytes of [...first, ...this.#recent, last]) events.push(...decoder.push(bytes));
    events.push(...decoder.close());
    return errorIn(events) ?? (events.some((event) => event.type === "end") ? undefined : incomplete());
  }

  #tail(): Buffer {
    const [only] = this.#recent;
    return this.#recent.length === 1 && only ? only : Buffer.concat(this.#recent);
  }

  #remember(piece: Buffer): void {
    this.#recent.push(piece);
    this.#recentLength += piece.length;
    for (;;) {
      const oldest = this.#recent[0];
      if (!oldest || this.#recent.length === 1 || this.#recentLength - oldest.length < recentBytes) return;
      this.#recent.shift();
      this.#forgotten = true;
      this.#recentLength -= oldest.length;
    }
  }

  #broken(error: CanonicalError): AnswerStep {
    this.#over = true;
    return { text: "", final: { text: this.#frames(error), error } };
  }

  #frames(error: CanonicalError): string {
    return errorFrames(this.#codec.name, error, this.#callId, this.#response());
  }

  /** The running responses object and the number of the last event that was handed on. */
  #response(): { value: JsonObject; sequence: number } | undefined {
    if (this.#codec.name !== "responses" || !this.#first) return undefined;
    const first = jsonOf(frameData(this.#first.toString("utf8")));
    const recent = this.#tail();
    const place = frameAround(recent, Math.max(0, recent.lastIndexOf('"sequence_number"')));
    const last = jsonOf(frameData(recent.toString("utf8", place.start, place.end)));
    const value = first?.response;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return { value, sequence: typeof last?.sequence_number === "number" ? last.sequence_number : 0 };
  }
}

/** Whether the upstream itself told an error: neither a plain end of bytes nor a frame that cannot be read tells one. */
function isTold(error: CanonicalError | undefined): boolean {
  return error !== undefined && error.kind !== "upstream_incomplete" && error.kind !== "upstream_bad";
}

/** The first frame that is no comment. */
function firstEvent(piece: Buffer): Buffer | undefined {
  for (let at = 0; at < piece.length; ) {
    const place = frameAround(piece, at);
    const frame = piece.subarray(place.start, place.end);
    if (frameData(frame.toString("utf8")) !== "") return frame;
    at = place.end;
  }
  return undefined;
}

function jsonOf(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    // An object from JSON.parse holds JSON values only.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    // No JSON: then nothing is known of the response, and the error event stands alone.
    return undefined;
  }
}

export function errorIn(events: readonly StreamEvent[]): CanonicalError | undefined {
  for (const event of events) if (event.type === "error") return event.error;
  return undefined;
}

export function usageIn(events: readonly StreamEvent[], known: Usage | undefined): Usage | undefined {
  let usage = known;
  for (const event of events) {
    if ((event.type === "usage" || event.type === "start") && event.usage) usage = mergeUsage(usage, event.usage);
  }
  return usage;
}

function tooLarge(): CanonicalError {
  return canonicalError("upstream_bad", "An event of the upstream's stream is too large.", {
    code: "upstream_response_too_large",
  });
}

export function incomplete(): CanonicalError {
  return canonicalError("upstream_incomplete", "The upstream ended its answer before it was complete.", {
    code: "stream_incomplete",
  });
}
