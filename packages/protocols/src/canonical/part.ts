import type { JsonObject, JsonValue } from "./json.ts";
import type { MediaSource } from "./media.ts";
import type { Family, Located, ProtocolName } from "./protocol.ts";

/**
 * A provider's proof of its own earlier output: a thinking signature, encrypted reasoning, a thought signature.
 * It may be sent in the clear only to the family that made it; to carry it through a client of another family it is
 * sealed into an envelope (conversion.md 2.5).
 */
export interface Proof {
  family: Family;
  kind: "signature" | "encrypted" | "redacted";
  value: string;
  /** Model that made it, when known. */
  model?: string;
  /** The id of the item it came on, where the family ties the two together (`rs_…`). */
  itemId?: string;
}

/** A prompt-cache mark behind a part, a tool or a turn. */
export interface CacheMark {
  /** Lifetime as the family spells it: `5m`, `1h`, `30m`. Absent: the family's default. */
  ttl?: string;
}

/** A source that the model names for its text. Offsets count UTF-16 units of the part's text unless `unit` says otherwise. */
export interface Citation {
  kind: "url" | "file" | "document" | "search-result";
  url?: string;
  title?: string;
  quote?: string;
  fileId?: string;
  start?: number;
  end?: number;
  unit?: "utf16" | "byte";
  /** The citation as its protocol wrote it; only that protocol's encoder writes it back. */
  native?: { protocol: ProtocolName; value: JsonObject };
}

/** One sampled token with its log probability. */
export interface TokenLogprob {
  token: string;
  logprob: number;
  bytes?: number[];
  top?: { token: string; logprob: number; bytes?: number[] }[];
}

export interface PartBase extends Located {
  cache?: CacheMark;
  /** Gemini signs any part; other families sign reasoning parts only. */
  proof?: Proof;
}

export interface TextPart extends PartBase {
  type: "text";
  text: string;
  citations?: Citation[];
  logprobs?: TokenLogprob[];
  /** Of an answer of responses: what its message is for, `commentary` or `final_answer`; any other word is kept. */
  phase?: string;
}

export interface ImagePart extends PartBase {
  type: "image";
  source: MediaSource;
  detail?: "low" | "high" | "auto" | "original";
}

export interface AudioPart extends PartBase {
  type: "audio";
  source: MediaSource;
  transcript?: string;
}

export interface VideoPart extends PartBase {
  type: "video";
  source: MediaSource;
}

/** A document: PDF, plain text or another file. */
export interface DocumentPart extends PartBase {
  type: "document";
  source: MediaSource;
  filename?: string;
  title?: string;
  context?: string;
  /** The caller wants citations from this document. */
  citations?: boolean;
}

/** What is not text: it may stand as bytes, at an address, or as a file that a provider holds. */
export type MediaPart = ImagePart | AudioPart | VideoPart | DocumentPart;

/** The model asks the client to run a tool. */
export interface ToolCallPart extends PartBase {
  type: "tool-call";
  /** Pairs the call with its result. Present in every canonical conversation (minted where the family gives none). */
  callId: string;
  name: string;
  /** `function`: `arguments` is JSON text. `custom`: `arguments` is free text. */
  toolKind: "function" | "custom";
  /**
   * Raw text as the model wrote it, never parsed and written again on the way (key order, number spelling survive).
   * A function call without arguments is `{}`.
   */
  arguments: string;
}

/** What the client's tool gave back. */
export interface ToolResultPart extends PartBase {
  type: "tool-result";
  /** Empty where the client sent no id (history repair pairs it). */
  callId: string;
  /** The tool's name where the client told it. */
  name?: string;
  toolKind: "function" | "custom";
  /** Text, image, audio, video and document parts. */
  content: Part[];
  isError?: boolean;
}

/** The model's reasoning, as text it chose to show and as proof that only its family reads. */
export interface ReasoningPart extends PartBase {
  type: "reasoning";
  /** Summaries, one entry a paragraph (responses: summary parts; Gemini: thought summaries). */
  summary?: string[];
  /** The reasoning text itself (messages: thinking; chat dialects: reasoning_content). */
  text?: string;
}

/** The model declined. */
export interface RefusalPart extends PartBase {
  type: "refusal";
  text: string;
  /** As of a text. */
  phase?: string;
}

/** A provider-run tool's call or result (web search, code execution, …), kept as its protocol wrote it. */
export interface ServerToolPart extends PartBase {
  type: "server-tool";
  role: "call" | "result";
  /** The tool in the field's words: `web_search`, `code_execution`, `web_fetch`, `file_search`, `mcp`, … */
  tool: string;
  protocol: ProtocolName;
  payload: JsonObject;
}

/** Anything else that only its own protocol understands (compaction, unknown items). */
export interface OpaquePart extends PartBase {
  type: "opaque";
  protocol: ProtocolName;
  /** The protocol's own type name. */
  nativeType: string;
  payload: JsonValue;
  /** Readable text inside it, where there is some, so that another family can be shown it. */
  text?: string;
  /** What it says stands elsewhere in the request, too, so that another family loses nothing without it. */
  restated?: true;
}

/** One piece of content. The order of parts is meaning. */
export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | DocumentPart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | RefusalPart
  | ServerToolPart
  | OpaquePart;
