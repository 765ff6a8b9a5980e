import type { CanonicalError } from "./error.ts";
import type { Finish } from "./finish.ts";
import type {
  Citation,
  Part,
  Proof,
  ReasoningPart,
  RefusalPart,
  TextPart,
  TokenLogprob,
  ToolCallPart,
} from "./part.ts";
import type { Usage } from "./usage.ts";

/** What is known of a part when it opens. Its content follows as deltas. */
export type PartHead =
  | Pick<TextPart, "type" | "proof" | "phase">
  | Pick<RefusalPart, "type" | "phase">
  /** `name` is known: a decoder holds the head back until it is. `proof`: Gemini signs calls. */
  | Pick<ToolCallPart, "type" | "callId" | "name" | "toolKind" | "proof">
  | Pick<ReasoningPart, "type">;

/** A piece of an open part. */
export type PartDelta =
  /** Text of a text or refusal part. */
  | { type: "text"; text: string }
  /** Raw argument text of a tool call. */
  | { type: "arguments"; text: string }
  /** Reasoning text (`ReasoningPart.text`). */
  | { type: "reasoning"; text: string }
  /** Text of the summary paragraph with this index (`ReasoningPart.summary[index]`); indexes rise from 0. */
  | { type: "summary"; index: number; text: string }
  /** The proof of the part, whole. */
  | { type: "proof"; proof: Proof }
  | { type: "citation"; citation: Citation }
  | { type: "logprobs"; logprobs: TokenLogprob[] };

/**
 * Events of an answer as it comes in.
 *
 * What a decoder may emit: `start` once; parts of a candidate, which may interleave; `usage` any number of times
 * (cumulative); `finish` for each candidate; `end` only after the upstream's own terminal mark; or `error`, after which
 * nothing counts. `key` is unique within its candidate.
 *
 * What an encoder gets (after the event gate): `start`; parts one after another, never interleaved within a candidate;
 * at most one `usage`; one `finish` for each candidate; `end`. Or `error` at any moment, also before `start`.
 */
export type StreamEvent =
  | { type: "start"; id?: string; model?: string; createdAt?: number; usage?: Usage; serviceTier?: string }
  | { type: "part-start"; candidate: number; key: string; part: PartHead }
  | { type: "part-delta"; candidate: number; key: string; delta: PartDelta }
  | { type: "part-stop"; candidate: number; key: string }
  /** A part that comes whole: media, provider-run tools, opaque parts. */
  | { type: "part"; candidate: number; part: Part }
  | { type: "usage"; usage: Usage; serviceTier?: string }
  | { type: "finish"; candidate: number; finish: Finish }
  | { type: "end" }
  | { type: "error"; error: CanonicalError };
