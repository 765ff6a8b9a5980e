import type { JsonObject } from "./json.ts";
import type { OutputFormat, ReasoningControl, Sampling } from "./output-control.ts";
import type { Extras } from "./protocol.ts";
import type { Tool, ToolChoice } from "./tool.ts";
import type { Turn } from "./turn.ts";

/**
 * A generation request in the one form between the four protocols: a superset of meaning, not a fifth dialect.
 * An absent field means that the caller did not say (or said the default).
 */
export interface CanonicalRequest {
  /** The model as the caller named it. */
  model: string;
  stream: boolean;
  /** System and developer turns stand in place, wherever the protocol writes them. */
  turns: Turn[];
  /** The caller's order, kept byte-stable for prompt caches. */
  tools: Tool[];
  toolChoice?: ToolChoice;
  /** `false`: at most one call a turn. */
  parallelToolCalls?: boolean;
  maxToolCalls?: number;
  /** Visible and reasoning tokens together. */
  maxOutputTokens?: number;
  sampling: Sampling;
  stopSequences: string[];
  format?: OutputFormat;
  verbosity?: "low" | "medium" | "high";
  reasoning?: ReasoningControl;
  /** How many answers (`n`, `candidateCount`). Absent: one. */
  candidates?: number;
  /** Absent: text only. */
  modalities?: ("text" | "audio" | "image" | "video")[];
  audioOutput?: JsonObject;
  /** Responses: stored state. */
  state?: {
    store?: boolean;
    previousResponseId?: string;
    conversation?: string | JsonObject;
    background?: boolean;
    truncation?: "auto" | "disabled";
  };
  cache?: { key?: string; retention?: string; options?: JsonObject; contentHandle?: string };
  caller?: { userId?: string; metadata?: Record<string, string> };
  serviceTier?: string;
  /** Chat completions: the caller wants the usage chunk of a stream. The other protocols always tell usage. */
  includeUsage?: boolean;
  /** Responses: the caller asked for encrypted reasoning. */
  includeEncryptedReasoning?: boolean;
  extras?: Extras;
}
