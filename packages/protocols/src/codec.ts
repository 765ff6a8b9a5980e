import type {
  CanonicalError,
  CanonicalRequest,
  CanonicalResponse,
  Dialect,
  JsonObject,
  JsonValue,
  ModelCard,
  Notice,
  ProtocolName,
  StreamEvent,
} from "./canonical/index.ts";
import type { MediaPart, Proof } from "./canonical/part.ts";
import type { Family } from "./canonical/protocol.ts";
import type { CapabilityKinds, CapabilityOverrides } from "./shared/capabilities.ts";

/** Mints an identifier: the prefix and enough fresh letters and digits. Handed in, so that tests are exact. */
export type IdSource = (prefix: string) => string;

/**
 * Seals a proof of one family so that a client of another family can carry it, and opens it when it comes back
 * (conversion.md 2.5). `open` gives undefined for what is no envelope: a proof of the client's own family. An envelope that
 * cannot be opened is a proof of a family that no encoder knows, so that it is dropped and never sent on (L21).
 */
export interface ProofVault {
  seal(proof: Proof): string;
  open(value: string): Proof | undefined;
}

/** What stands outside the body of a request: Gemini puts model and method into the path. */
export interface RequestEnvelope {
  model?: string;
  stream?: boolean;
}

export interface DecodeRequestContext {
  vault: ProofVault;
  /** What the items of a responses `input` are called, where the gateway has put some there that it keeps for the caller. */
  inputPlaces?: readonly string[];
}

/** What is known of an upstream besides its model's name. */
export interface UpstreamTraits {
  /** The make of the server; absent: as the model's name tells. */
  dialect?: Dialect | undefined;
  /** What the operator says of the model, over what the tables of capabilities say. */
  capabilities?: CapabilityOverrides | undefined;
}

export interface EncodeRequestContext extends UpstreamTraits {
  /** The upstream's own name of the model. */
  model: string;
  stream: boolean;
}

/** A body of the caller's own, made fit for a server that refuses some of it. */
export interface FittedRequest {
  body: JsonObject;
  notices: Notice[];
}

/** An upstream request, and what its answer needs to be turned back into the client's terms. */
export interface EncodedRequest {
  body: JsonObject;
  notices: Notice[];
  plan: AnswerPlan;
  /** Absent: the answer says everything itself. */
  reading?: AnswerReading;
}

/** What an answer's reader has to know of its call. */
export interface AnswerReading {
  /** The tools that the model was offered, by their names on the wire. */
  toolNames?: ReadonlySet<string>;
  /** The text begins with what the model thought: between tags, or with the first tag left out. */
  thoughts?: "tagged" | "open";
}

/** What the request encoder did that the answer must undo. */
export interface AnswerPlan {
  /** Tool name on the wire -> the client's tool name, for names that had to change. */
  toolNames: ReadonlyMap<string, string>;
  /** Client names of custom tools that were sent as functions with one `input` string. */
  customTools: ReadonlySet<string>;
  /** A synthetic tool (its wire name) whose arguments are the structured output text. */
  structuredOutputTool?: string;
  /** Stop sequences that the upstream cannot take and the gateway enforces on visible text. */
  stopSequences: readonly string[];
  /** The model was asked in words for JSON: strip one Markdown fence around the text. */
  unfenceJson?: boolean;
}

/** What an answer's encoder knows besides the answer. One per call; owns no state itself. */
export interface AnswerContext {
  /** The client's request, decoded. */
  request: CanonicalRequest;
  /** The client's request as it was sent, for protocols that echo settings. */
  clientBody: JsonObject;
  /** The id minted for this answer would be used once and everywhere (S31). */
  ids: IdSource;
  /** Wall clock in milliseconds. */
  now: () => number;
  vault: ProofVault;
  /** Where losses of the answer are told. */
  notice: (notice: Notice) => void;
  /** Gemini without `alt=sse` streams one JSON array. */
  framing: "sse" | "json-array";
  /**
   * Keeps the answer for later turns, where the gateway does so for this call (conversion.md R2). Called once, with the
   * whole answer as JSON text, before its last frame; never for one that failed. Gives whether it is kept.
   */
  keep?: (answer: string) => boolean;
}

/**
 * Turns the bytes of an upstream's stream into canonical events. One per call, not reusable.
 * Never throws on any bytes: trouble is an `error` event.
 */
export interface StreamDecoder {
  /** Bytes as they came, cut anywhere. */
  push(bytes: Uint8Array): StreamEvent[];
  /** The upstream closed the connection: without its terminal mark this is an error (S25). */
  close(): StreamEvent[];
}

/**
 * Turns canonical events (in the encoder order of `StreamEvent`) into the text of wire frames. One per call.
 * Illegal order is impossible: an event that has no lawful place throws, and only a defect of ours can make it happen.
 */
export interface StreamEncoder {
  /** Frames for one event; "" when there is nothing to write yet. The terminal frames come with `end`. */
  write(event: StreamEvent): string;
  /** A keep-alive that is lawful at this moment (S28). */
  ping(): string;
  /**
   * The error that its last frames tell in the place of an end, because no finish of the protocol can say how the answer
   * ended (conversion.md 1.5.7). Absent: the protocol has a word for every end.
   */
  readonly failure?: CanonicalError | undefined;
}

/** Status, headers and body of an error for the client. */
export interface EncodedError {
  status: number;
  headers: Record<string, string>;
  body: JsonObject;
}

/** What an upstream answered when it did not succeed. */
export interface UpstreamFailure {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
  /** Parsed JSON, or the text as it came. */
  body: JsonValue | undefined;
}

/** A request that was mended after its upstream refused it, and what is lost by that. */
export interface Mended {
  body: JsonObject;
  notices: Notice[];
}

/** A field of an upstream's request that it would not take. */
export interface RefusedField {
  /** As it stands in the body: `temperature`, `reasoning.effort`, `generationConfig.topK`. */
  path: string;
  /** Set where this value alone was refused: another one may be taken. */
  value?: JsonValue;
  /** Whether the same upstream refuses the same again. Not so where the field only did not fit to others of the call. */
  lasting: boolean;
}

/**
 * How a request of one protocol is mended after its upstream refused it. Pure, and on the wire body, so that it serves what
 * was converted and what the caller wrote alike.
 */
export interface RequestRepair {
  /**
   * Takes the proofs out of a request whose upstream refused one of them (conversion.md 2.5). Undefined where the refusal
   * is about something else, or there is none to take out.
   */
  withoutProofs(body: JsonObject, failure: UpstreamFailure): Mended | undefined;
  /**
   * The fields of the body that a refusal names, of those that only tune the answer or tell of the caller: samplers,
   * penalties, seed, effort and summary of reasoning, verbosity, service tier, metadata, user, cache keys and marks. Never
   * what the answer must be (messages, tools, formats, limits, stop sequences).
   */
  refusedFields(body: JsonObject, failure: UpstreamFailure): RefusedField[];
  /** The body without the field; undefined where it does not stand there with that value. */
  withoutField(body: JsonObject, field: RefusedField): JsonObject | undefined;
}

/** Counting the tokens of a request without running it. */
export interface TokenCounting {
  /** Client side: reads a count request. Same rules as a generation request, less the required limits. */
  decodeRequest(body: JsonObject, envelope: RequestEnvelope, context: DecodeRequestContext): CanonicalRequest;
  encodeAnswer(inputTokens: number): JsonObject;
  /** Upstream side. Absent: the family has no counter. */
  upstream?: {
    path(model: string): string;
    encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): JsonObject;
    decodeAnswer(body: JsonValue): number;
  };
}

/**
 * One protocol, both as what clients speak to us and as what we speak to upstreams. A plain value without state: the
 * whole seam to a new protocol. Request decoders and encoders throw `ProtocolError` and nothing else.
 */
export interface ProtocolCodec {
  readonly name: ProtocolName;
  readonly family: Family;
  /** What can be said of an upstream model on this protocol, by name: for whoever reads an operator's words. */
  readonly capabilityKinds: CapabilityKinds;

  /** Client -> canonical. Throws a 400 that names the field for anything malformed or out of range. */
  decodeRequest(body: JsonObject, envelope: RequestEnvelope, context: DecodeRequestContext): CanonicalRequest;
  /** Canonical -> upstream. Pure: the same request gives the same body (L6). Throws a 400 for what it must refuse. */
  encodeRequest(request: CanonicalRequest, context: EncodeRequestContext): EncodedRequest;
  /**
   * The same protocol on both sides: the caller's body without what this make of server is known to refuse or to spell
   * otherwise, all else as it was and in its order. Undefined where nothing needs to change. Throws a 400 for what must
   * not be left out. Absent: the protocol has one spelling.
   */
  fitRequest?(body: JsonObject, context: EncodeRequestContext): FittedRequest | undefined;
  /**
   * The protocol by which a call should reach its model instead, where the upstream speaks both: the model refuses on this
   * one what it takes there (conversion.md 2.6, pair 1). Undefined where there is nothing to better.
   */
  betterProtocol?(request: CanonicalRequest, context: EncodeRequestContext): ProtocolName | undefined;
  /**
   * Whether answers have to be converted also for clients of this protocol, because the upstream does not write them in its
   * words: thoughts that stand in the text. Absent: never.
   */
  mustConvert?(upstream: UpstreamTraits): boolean;
  /**
   * Whether an upstream must be given the bytes of media that stand at an address, because it reads none from there (M1, M2).
   * Asked of parts at http addresses only.
   */
  wantsBytes(part: MediaPart, context: EncodeRequestContext): boolean;
  /**
   * Upstream -> canonical, a whole answer. Throws `upstream_bad` for what is not an answer of this protocol. `reading`: as
   * `encodeRequest` gave it; without it the answer is taken at its word.
   */
  decodeResponse(body: JsonValue, reading?: AnswerReading): CanonicalResponse;
  /** Canonical -> client, a whole answer. */
  encodeResponse(response: CanonicalResponse, context: AnswerContext): JsonObject;
  /** `reading`: as for `decodeResponse`. */
  createStreamDecoder(reading?: AnswerReading): StreamDecoder;
  createStreamEncoder(context: AnswerContext): StreamEncoder;
  /** Upstream error -> canonical. Total: any status and any body. */
  decodeError(failure: UpstreamFailure): CanonicalError;
  /** Canonical error -> the client's own shape. `requestId` is the call's id. */
  encodeError(error: CanonicalError, requestId: string): EncodedError;
  encodeModel(model: ModelCard): JsonObject;
  encodeModelList(models: readonly ModelCard[]): JsonObject;

  /** Path and query behind the channel's base address, which is written as the vendor's SDK writes it. */
  path(model: string, stream: boolean): string;
  /** Credential and version headers towards an upstream. */
  headers(credential: string): Record<string, string>;
  readonly tokenCounting: TokenCounting;
  /** How a request is mended after the upstream refused it. */
  readonly repair: RequestRepair;
}
