import type Anthropic from "@anthropic-ai/sdk";
import type { FinishReason } from "../canonical/index.ts";

/** Block types that a request may hold, by the vendor's types, with those that its beta namespace adds. */
type RequestBlockType = Anthropic.ContentBlockParam["type"] | "compaction" | "mcp_tool_use" | "mcp_tool_result";

/** Block types of an answer that clients and upstreams of today's version know. */
type AnswerBlockType = Anthropic.ContentBlock["type"];

/** Names of stream frames; `ping` and `error` stand outside the vendor's union. */
type FrameName = Anthropic.RawMessageStreamEvent["type"] | "ping" | "error";

/** Kinds of deltas inside a block; `compaction_delta` is a beta. */
type DeltaType = Anthropic.RawContentBlockDelta["type"] | "compaction_delta";

export type StopReason = Anthropic.StopReason | "compaction";

/** A model in a list. */
export type WireModel = Anthropic.ModelInfo;

/** The counters of an answer. Null where nothing is known. */
export type WireUsage = Anthropic.Usage;

/** Stable names of causes, in `details.error_code`. */
export type ErrorCode = Anthropic.ErrorDetails["error_code"];

export type ErrorType = Anthropic.ErrorType | "conflict_error" | "request_too_large";

/** What becomes of a block: a kind of part of its own, a provider-run tool's call or result, or kept as it is. */
type BlockKind =
  | "text"
  | "image"
  | "document"
  | "thinking"
  | "redacted-thinking"
  | "tool-call"
  | "tool-result"
  | "server-call"
  | "server-result"
  | "opaque";

const kinds: Record<RequestBlockType | AnswerBlockType, BlockKind> = {
  text: "text",
  image: "image",
  document: "document",
  search_result: "opaque",
  thinking: "thinking",
  redacted_thinking: "redacted-thinking",
  tool_use: "tool-call",
  tool_result: "tool-result",
  server_tool_use: "server-call",
  mcp_tool_use: "server-call",
  web_search_tool_result: "server-result",
  web_fetch_tool_result: "server-result",
  code_execution_tool_result: "server-result",
  bash_code_execution_tool_result: "server-result",
  text_editor_code_execution_tool_result: "server-result",
  tool_search_tool_result: "server-result",
  mcp_tool_result: "server-result",
  container_upload: "opaque",
  compaction: "opaque",
};

const kindByType: ReadonlyMap<string, BlockKind> = new Map(Object.entries(kinds));

/** The kind of a block by its type; a type that is not known yet goes by its ending, else it is kept as it is. */
export function blockKind(type: string): BlockKind {
  const known = kindByType.get(type);
  if (known) return known;
  if (type.endsWith("_tool_result")) return "server-result";
  if (type.endsWith("_tool_use")) return "server-call";
  return "opaque";
}

const frames: Record<FrameName, FrameName> = {
  message_start: "message_start",
  content_block_start: "content_block_start",
  content_block_delta: "content_block_delta",
  content_block_stop: "content_block_stop",
  message_delta: "message_delta",
  message_stop: "message_stop",
  ping: "ping",
  error: "error",
};
const deltas: Record<DeltaType, DeltaType> = {
  text_delta: "text_delta",
  input_json_delta: "input_json_delta",
  thinking_delta: "thinking_delta",
  signature_delta: "signature_delta",
  citations_delta: "citations_delta",
  compaction_delta: "compaction_delta",
};

/** Names of stream frames that mean something; all others are skipped. */
export const frameNames: ReadonlyMap<unknown, FrameName> = new Map(Object.entries(frames));

/** Kinds of deltas that mean something. */
export const deltaTypes: ReadonlyMap<unknown, DeltaType> = new Map(Object.entries(deltas));

const finishes: Record<StopReason, FinishReason> = {
  end_turn: "stop",
  stop_sequence: "stop_sequence",
  tool_use: "tool",
  max_tokens: "length",
  model_context_window_exceeded: "context",
  refusal: "refusal",
  pause_turn: "paused",
  compaction: "other",
};

/** Stop reasons and what they mean (conversion.md 1.5.7). */
export const finishByStopReason: ReadonlyMap<string, FinishReason> = new Map(Object.entries(finishes));

/** How the system block begins that current agents put first to say who calls (conversion.md 5.1). */
export const attributionHeader = "x-anthropic-billing-header";

/**
 * Where that block waits in the request's extras: only the vendor itself reads it, so it goes back to no one else. The
 * sign in front marks a key of our own, which is no field that another provider could miss.
 */
export const attributionKey = "$attribution";
