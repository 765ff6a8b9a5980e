import {
  type CanonicalRequest,
  type CanonicalResponse,
  canonicalError,
  type JsonObject,
  type JsonValue,
  type Notice,
  ProtocolError,
  type ProtocolName,
  type StreamEvent,
  type Usage,
} from "./canonical/index.ts";
import { ClientFields } from "./client-fields.ts";
import type { AnswerContext, IdSource, ProofVault, ProtocolCodec, StreamDecoder, UpstreamTraits } from "./codec.ts";
import { ConvertedStream, type StreamConversion } from "./converted-stream.ts";
import { reportForeignFields } from "./foreign-fields.ts";
import { accumulate } from "./shared/accumulate.ts";
import { AnswerRestorer } from "./shared/answer-restorer.ts";
import { withBrokenCalls } from "./shared/broken-calls.ts";
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
  /** The protocol that `clientBody` is written in, where it is not the client's. */
  written?: ProtocolName | undefined;
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
  /** The same for an answer that came whole, as the bytes of a stream, though none was asked for (S34). */
  convertStreamed(bytes: Uint8Array): ConvertedResponse;
  /** For an answer that streams. */
  createStream(): StreamConversion;
}

export interface ConvertedResponse {
  body: JsonObject;
  usage: Usage | undefined;
}

/**
 * Prepares one call from a client's protocol to an upstream's: writes the upstream request at once and offers the way
 * back. Pure. Throws `ProtocolError` (400) for what must be refused.
 */
export function createConversion(options: ConversionOptions): Conversion {
  const { client, upstream } = options;
  const request = options.keep ? withoutStore(options.request) : options.request;
  const fields = new ClientFields(options.written ?? client.name, options.clientBody);
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
  const convert = (decoded: CanonicalResponse): ConvertedResponse => {
    const candidates = decoded.candidates.filter((candidate) => candidate.index < asked);
    if (candidates.length < decoded.candidates.length) unasked();
    const restored = restoreResponse(withDistinctCallIds({ ...decoded, candidates }), encoded.plan, tell);
    const response = withBrokenCalls(restored);
    return { body: client.encodeResponse(response, context), usage: response.usage };
  };
  return {
    upstreamBody: encoded.body,
    notices,
    convertResponse: (body) => convert(upstream.decodeResponse(body, encoded.reading)),
    convertStreamed: (bytes) => convert(wholeOf(upstream.createStreamDecoder(encoded.reading), bytes)),
    createStream() {
      const isAsked = (event: StreamEvent): boolean => {
        if (!("candidate" in event) || event.candidate < asked) return true;
        unasked();
        return false;
      };
      const restorer = new AnswerRestorer(encoded.plan, tell);
      const decoder = upstream.createStreamDecoder(encoded.reading);
      return new ConvertedStream(decoder, client.createStreamEncoder(context), restorer, isAsked);
    },
  };
}

/** A whole answer out of its stream. Throws `ProtocolError` for a stream that failed or broke off. */
function wholeOf(decoder: StreamDecoder, bytes: Uint8Array): CanonicalResponse {
  const gate = new EventGate();
  const events: StreamEvent[] = [];
  for (const event of [...decoder.push(bytes), ...decoder.close()]) gate.push(event, (legal) => events.push(legal));
  return accumulate(events);
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
