import type { FailureKind } from "./failure.ts";
import type { JsonObject } from "./json.ts";

/**
 * One answer in protocol-neutral terms. The simulated provider renders it exactly in the protocol that
 * the request came in, unary or streaming.
 *
 * @example
 * { steps: [{ kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } }] }
 */
export interface Script {
  /** Content in order. Left out: what the sandbox would answer. */
  steps?: Step[];
  /** Why the answer ends. Left out: `tool` where a tool is called, else `stop`. */
  finish?: Finish;
  /** The sequence that was hit, for `finish: "stop_sequence"`. */
  stopSequence?: string;
  /** Token counts; left out: counted from the request and the steps. */
  usage?: UsageScript;
  /** Code points per streamed delta; left out: word by word, as wide as the family does it. */
  chunkSize?: number;
  /** Cuts the wire into pieces of this many bytes, so that events and code points are split anywhere. */
  wireChunk?: number;
  /** Milliseconds before the first byte and between two events. */
  pace?: { firstMs?: number; everyMs?: number };
  /**
   * Where Chat Completions shows reasoning text: OpenAI hides it (the default), compatible servers put it
   * into one of these two fields.
   */
  chatReasoning?: "hidden" | "reasoning_content" | "reasoning";
  /** What goes wrong on the way. */
  fault?: Fault;
}

/** One piece of an answer. Several `tool-call` steps in a row are parallel calls. */
export type Step =
  | { kind: "text"; text: string; citations?: Citation[] }
  /** `hidden`: thought, counted and proven, but its text is not shown. */
  | { kind: "reasoning"; text: string; hidden?: boolean }
  | { kind: "redacted-reasoning" }
  /** `namespace`: of a tool that stands in one; `search`: the search of tools that the caller runs (Responses alone has both). */
  | {
      kind: "tool-call";
      name: string;
      arguments: JsonObject | string;
      custom?: boolean;
      id?: string;
      namespace?: string;
      search?: boolean;
    }
  | { kind: "refusal"; text: string }
  /** Shown where the protocol has generated images (Responses, generateContent), left out elsewhere. */
  | { kind: "image"; mimeType: string; data: string };

/** A web source of a span of the text; `start` and `end` are UTF-16 offsets into it. */
export interface Citation {
  url: string;
  title: string;
  start: number;
  end: number;
}

/** Why an answer ends. */
export type Finish = "stop" | "length" | "tool" | "filter" | "refusal" | "stop_sequence";

/** Token counts. `input` includes both cache counters, `output` includes `reasoning`. */
export interface Usage {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

/** Exact counts, or one of the ways in which upstreams report usage badly. */
export type UsageScript = Partial<Usage> | "none" | "twice" | "negative" | "huge" | "not-a-number";

/** What goes wrong with an answer. An "event" is one SSE event, or one element of a streamed JSON array. */
export type Fault =
  /** An HTTP error instead of an answer: with this body, or in the family's own form. */
  | {
      kind: "http-error";
      status: number;
      error?: FailureKind;
      message?: string;
      code?: string;
      headers?: Record<string, string>;
      body?: string;
      contentType?: string;
    }
  /** No byte at all; with `ms` the answer comes after that time. */
  | { kind: "stall-before-headers"; ms?: number }
  /** Silence after n events; with `ms` the answer goes on after that time. */
  | { kind: "stall"; afterEvents: number; ms?: number }
  /** The whole answer in tiny pieces with a pause before each. */
  | { kind: "trickle"; bytes?: number; everyMs: number }
  /** The socket is destroyed after n events, or after n bytes of the body. */
  | { kind: "cut"; afterEvents: number }
  | { kind: "cut"; afterBytes: number }
  /** The sending side of the socket is closed without the end of the HTTP body. */
  | { kind: "half-close"; afterEvents: number }
  /** The HTTP body ends properly after n events. */
  | { kind: "end"; afterEvents: number }
  /** Everything but the protocol's own end of the answer (finish reason, final event, `[DONE]`). */
  | { kind: "no-terminal" }
  /** Bytes of no meaning between two events. */
  | { kind: "garbage"; afterEvents: number }
  /** An event whose text holds bytes that are no UTF-8. */
  | { kind: "broken-utf8"; afterEvents: number }
  /** An event whose data is no JSON. */
  | { kind: "broken-json"; afterEvents: number }
  /** An event that is larger than any reader should take; default 9 MiB. */
  | { kind: "huge-event"; afterEvents: number; bytes?: number }
  /** An error inside a running answer, in the family's form. */
  | { kind: "error-event"; afterEvents: number; error?: FailureKind; message?: string }
  /** Keep-alive comments between all events (no effect on JSON). */
  | { kind: "comments" }
  /** An HTML page with status 200. */
  | { kind: "html" }
  | { kind: "redirect"; status?: 301 | 302 | 303 | 307 | 308; location: string }
  /** Status 200, the right content type and no body. */
  | { kind: "empty-body" }
  /** A body that never ends. */
  | { kind: "endless" }
  /** A small body that unpacks to this many bytes; default 64 MiB. */
  | { kind: "gzip-bomb"; bytes?: number }
  /** Two content codings at once. */
  | { kind: "two-codings" }
  /** Bytes after the end of the HTTP answer, on the same connection. */
  | { kind: "surplus" }
  | Replay;

/** Bytes that are served as they are; the request is not judged. Prepared buffers make it the cheap path. */
export interface Replay {
  kind: "replay";
  /** Default 200. */
  status?: number;
  contentType: string;
  headers?: Record<string, string>;
  /** One body, or the body's network pieces, each written by itself. */
  body: Uint8Array | string | readonly Uint8Array[];
  /** Sizes of the network pieces in bytes; the last one repeats. Not used when `body` is already cut. */
  chunkSizes?: readonly number[];
}
