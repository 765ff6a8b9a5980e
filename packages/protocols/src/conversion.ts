import {
  type CanonicalError,
  type CanonicalRequest,
  canonicalError,
  type JsonObject,
  type JsonValue,
  type Notice,
  ProtocolError,
  type StreamEvent,
  type Usage,
} from "./canonical/index.ts";
import { ClientFields } from "./client-fields.ts";
import type { AnswerContext, IdSource, ProofVault, ProtocolCodec, StreamEncoder, UpstreamTraits } from "./codec.ts";
import { reportForeignFields } from "./foreign-fields.ts";
import { AnswerRestorer } from "./shared/answer-restorer.ts";
import { BrokenCallWatch, withBrokenCalls } from "./shared/broken-calls.ts";
import { withDistinctCallIds } from "./shared/distinct-call-ids.ts";
import { EventGate } from "./shared/event-gate.ts";
import { reportUnreadable, withLongestProof } from "./shared/lost-proofs.ts";
import { Report } from "./shared/report.ts";
import { restoreResponse } from "./shared/response-restorer.ts";

/** What one conversion needs. `request` is what `client.decodeRequest` gave for `clientBody`. */
export interface ConversionOptions {
  client: ProtocolCodec;
  upstream: ProtocolCodec;
  request: CanonicalRequest;
  clientBody: JsonObject;
  /** The upstream's own name of the model. */
  upstreamModel: string;
  /** What is known of the upstream besides its model's name. */
  upstreamTraits?: UpstreamTraits | undefined;
  /** `refuse`: a loss is a 400 that names the field, before any upstream call. */
  lossy: "allow" | "refuse";
  ids: IdSource;
  /** Wall clock in milliseconds. */
  now: () => number;
  vault: ProofVault;
  /** How a generateContent client wants its stream. */
  framing?: "sse" | "json-array";
  /**
   * Keeps the answer, where the caller wants that and the gateway does it: then the upstream is not asked to. Gets the
   * whole answer as JSON text, once; gives whether it is kept.
   */
  keep?: (answer: string) => boolean;
}

/** One call carried between two protocols. */
export interface Conversion {
  /** What to send upstream. */
  readonly upstreamBody: JsonObject;
  /** Losses of the request, and of the answer as it comes in. */
  readonly notices: readonly Notice[];
  /** A whole answer of the upstream -> the client's. Throws `ProtocolError` for what is no answer. */
  convertResponse(body: JsonValue): ConvertedResponse;
  /** For an answer that streams. */
  createStream(): StreamConversion;
}

export interface ConvertedResponse {
  body: JsonObject;
  usage: Usage | undefined;
}

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
}

/**
 * Prepares one call from a client's protocol to an upstream's: writes the upstream request at once and offers the way
 * back. Pure. Throws `ProtocolError` (400) for what must be refused.
 */
export function createConversion(options: ConversionOptions): Conversion {
  const { client, upstream } = options;
  const request = options.keep ? withoutStore(options.request) : options.request;
  const fields = new ClientFields(client.name, options.clientBody);
  const encoded = fields.refusing(() =>
    upstream.encodeRequest(request, {
      model: options.upstreamModel,
      stream: request.stream,
      ...options.upstreamTraits,
    }),
  );
  const report = new Report();
  reportForeignFields(request, upstream.name, report);
  reportUnreadable(request, report);
  const notices: Notice[] = [...encoded.notices.map((notice) => fields.notice(notice)), ...report.notices];
  if (options.lossy === "refuse") refuseLoss(notices);

  const asked = request.candidates ?? 1;
  const unasked = onceTold(() =>
    notices.push({
      field: fields.of("n"),
      verdict: "dropped",
      detail: `The upstream gave more answers than the ${asked} asked for.`,
    }),
  );
  const context: AnswerContext = {
    request,
    clientBody: options.clientBody,
    ids: options.ids,
    now: options.now,
    vault: withLongestProof(options.vault, (notice) => notices.push(notice)),
    notice: (notice) => notices.push(notice),
    framing: options.framing ?? "sse",
    ...(options.keep ? { keep: toldKeep(options.keep, notices) } : {}),
  };
  const tell = (notice: Notice): void => {
    notices.push(fields.notice(notice));
  };
  return {
    upstreamBody: encoded.body,
    notices,
    convertResponse(body) {
      const decoded = upstream.decodeResponse(body);
      const candidates = decoded.candidates.filter((candidate) => candidate.index < asked);
      if (candidates.length < decoded.candidates.length) unasked();
      const restored = restoreResponse(withDistinctCallIds({ ...decoded, candidates }), encoded.plan, tell);
      const response = withBrokenCalls(restored);
      return { body: client.encodeResponse(response, context), usage: response.usage };
    },
    createStream() {
      const isAsked = (event: StreamEvent): boolean => {
        if (!("candidate" in event) || event.candidate < asked) return true;
        unasked();
        return false;
      };
      const restorer = new AnswerRestorer(encoded.plan, tell);
      return new Stream(upstream, client.createStreamEncoder(context), restorer, isAsked);
    },
  };
}

function withoutStore(request: CanonicalRequest): CanonicalRequest {
  const { store: _kept, ...state } = request.state ?? {};
  return { ...request, state };
}

function toldKeep(keep: (answer: string) => boolean, notices: Notice[]): (answer: string) => boolean {
  return (answer) => {
    const kept = keep(answer);
    if (!kept) notices.push({ field: "store", verdict: "dropped", detail: "The answer is too large to be stored." });
    return kept;
  };
}

function onceTold(tell: () => void): () => void {
  let told = false;
  return () => {
    if (!told) tell();
    told = true;
  };
}

/** Throws a 400 for the first loss, of a caller that wants none. What is only emulated is none. */
export function refuseLoss(notices: readonly Notice[]): void {
  const loss = notices.find((notice) => notice.verdict !== "emulated");
  if (!loss) return;
  throw new ProtocolError(
    canonicalError("bad_request", `'${loss.field}' cannot be carried to this model without loss: ${loss.detail}`, {
      param: loss.field,
      code: "lossy_conversion_refused",
    }),
  );
}

/** Upstream bytes -> decoder -> gate -> restorer -> watch for broken calls -> encoder -> client frames. */
class Stream implements StreamConversion {
  readonly #decoder;
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
    upstream: ProtocolCodec,
    encoder: StreamEncoder,
    restorer: AnswerRestorer,
    isAsked: (event: StreamEvent) => boolean,
  ) {
    this.#decoder = upstream.createStreamDecoder();
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
