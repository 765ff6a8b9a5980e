import type { CanonicalRequest, CanonicalResponse, JsonObject, JsonValue, StreamEvent } from "../canonical/index.ts";
import type { AnswerContext, IdSource, ProofVault, ProtocolCodec, UpstreamTraits } from "../codec.ts";
import { type Conversion, type ConversionOptions, createConversion } from "../conversion.ts";
import type { StreamConversion } from "../converted-stream.ts";
import { accumulate, responseToEvents } from "../shared/accumulate.ts";
import { EventGate } from "../shared/event-gate.ts";
import { plainVault } from "../shared/vault.ts";
import type { Side } from "./protocol-sides.ts";

/** Ids that count from 1, so that a test is exact. */
export function countingIds(mark = ""): IdSource {
  let count = 0;
  return (prefix) => `${prefix}${mark}${String(++count).padStart(4, "0")}`;
}

export const standingClock = (): number => 1_700_000_000_000;

/** What a conversion needs besides the two protocols and the body. Absent: ids that count, a standing clock, the plain vault. */
export interface CarryOptions {
  model?: string;
  upstreamTraits?: UpstreamTraits;
  ids?: IdSource;
  now?: () => number;
  vault?: ProofVault;
  stream?: boolean;
  framing?: ConversionOptions["framing"];
}

/** A client's body on its way to an upstream. Throws `ProtocolError` for what is refused. */
export function carry(client: Side, upstream: Side, clientBody: JsonObject, options: CarryOptions = {}): Conversion {
  const vault = options.vault ?? plainVault();
  const envelope = options.stream === undefined ? client.envelope : { ...client.envelope, stream: options.stream };
  return createConversion({
    client: client.codec,
    upstream: upstream.codec,
    request: client.codec.decodeRequest(clientBody, envelope, { vault }),
    clientBody,
    upstreamModel: options.model ?? upstream.model,
    upstreamTraits: options.upstreamTraits,
    lossy: "allow",
    ids: options.ids ?? countingIds(),
    now: options.now ?? standingClock,
    vault,
    ...(options.framing ? { framing: options.framing } : {}),
  });
}

/** What an upstream of this protocol would write: the context of its own encoder. */
function upstreamContext(upstream: Side, request: Partial<CanonicalRequest>): AnswerContext {
  const clientBody = upstream.body(upstream.hasCandidates ? 3 : 1, true);
  const decoded = upstream.codec.decodeRequest(clientBody, upstream.envelope, { vault: plainVault() });
  return {
    // An upstream has no stand-ins for proofs.
    request: { ...decoded, includeEncryptedReasoning: false, ...request },
    clientBody,
    // Never an id that the gateway mints.
    ids: countingIds("up"),
    now: standingClock,
    vault: plainVault(),
    notice: () => undefined,
    framing: "sse",
  };
}

/** An upstream's whole answer on the wire. */
export function wireAnswer(upstream: Side, answer: CanonicalResponse): JsonValue {
  return json(upstream.codec.encodeResponse(answer, upstreamContext(upstream, {})));
}

/** The frames of an upstream's streamed answer, one string an event; texts come in pieces of `size` characters. */
export function wireFrames(upstream: Side, answer: CanonicalResponse, size = Number.POSITIVE_INFINITY): string[] {
  const encoder = upstream.codec.createStreamEncoder(upstreamContext(upstream, { stream: true }));
  const events = responseToEvents(answer).flatMap((event) => inPieces(event, size));
  return events.flatMap((event) => splitFrames(encoder.write(event)));
}

function inPieces(event: StreamEvent, size: number): StreamEvent[] {
  if (event.type !== "part-delta" || !("text" in event.delta)) return [event];
  const { delta } = event;
  const characters = [...delta.text];
  if (characters.length <= size) return [event];
  const pieces: StreamEvent[] = [];
  for (let at = 0; at < characters.length; at += size) {
    pieces.push({ ...event, delta: { ...delta, text: characters.slice(at, at + size).join("") } });
  }
  return pieces;
}

function splitFrames(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n\n)/);
}

/** What a client got of a streamed answer. */
export interface Carried {
  text: string;
  /** How the gateway says that it ended. */
  ended: "good" | "error" | "open";
  /** Text that had gone out before the final frames. */
  before: string;
}

/** Pushes the pieces of an upstream's stream and closes it. */
export function runStream(stream: StreamConversion, pieces: Iterable<Uint8Array>): Carried {
  const carried: Carried = { text: "", ended: "open", before: "" };
  const take = (step: ReturnType<StreamConversion["push"]>): void => {
    carried.text += step.text;
    if (carried.ended === "open") carried.before = carried.text;
    if (!step.final) return;
    if (step.final.cause !== undefined) throw step.final.cause;
    carried.text += step.final.text;
    carried.ended = step.final.error ? "error" : "good";
  };
  for (const piece of pieces) take(stream.push(piece));
  take(stream.close());
  return carried;
}

/** A client's reading of a stream. Throws `ProtocolError` where it ended by an error. */
export function readStream(codec: ProtocolCodec, text: string): CanonicalResponse {
  return accumulate(gated(codec, text));
}

/** Events in encoder order. */
export function gated(codec: ProtocolCodec, text: string): StreamEvent[] {
  const decoder = codec.createStreamDecoder();
  const gate = new EventGate();
  const events: StreamEvent[] = [];
  for (const event of [...decoder.push(utf8(text)), ...decoder.close()]) gate.push(event, (out) => events.push(out));
  return events;
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A value as it is after a way over the wire. */
export function json<T extends JsonValue | JsonObject>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
