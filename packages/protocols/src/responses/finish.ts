import type { Finish, FinishReason, JsonObject, Notice } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/**
 * Wire status -> finish (conversion.md 1.5.7). `refused`: a refusal part was seen. Calls are settled by `settleFinish`.
 * `failed` and `cancelled` never come here: they are errors.
 */
export function decodeFinish(response: JsonObject, refused: boolean): Finish {
  const status = typeof response.status === "string" ? response.status : "completed";
  if (status === "incomplete") return decodeIncomplete(response);
  // Still at work in the background: what is there must not be taken for the whole answer.
  if (status === "queued" || status === "in_progress") return { reason: "paused", native: status };
  if (status !== "completed") return { reason: "other", native: status };
  return { reason: refused ? "refusal" : "stop" };
}

function decodeIncomplete(response: JsonObject): Finish {
  const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
  const reason = typeof details.reason === "string" ? details.reason : "";
  if (reason === "max_output_tokens" || reason === "") return { reason: "length" };
  if (reason === "content_filter") return { reason: "filter" };
  return { reason: "other", native: reason };
}

/** How an answer ends on the wire. `failed`: the answer cannot be used. */
export type WireEnd =
  | { status: "completed" }
  | { status: "incomplete"; reason: "max_output_tokens" | "content_filter" }
  | { status: "failed" };

interface EndRow {
  end: WireEnd;
  /** Told to the caller where the word on the wire says less than the upstream did. */
  notice?: string;
}

const completed: WireEnd = { status: "completed" };
const cut: WireEnd = { status: "incomplete", reason: "max_output_tokens" };
const filtered: WireEnd = { status: "incomplete", reason: "content_filter" };

const table: Readonly<Record<FinishReason, EndRow>> = {
  stop: { end: completed },
  stop_sequence: { end: completed },
  tool: { end: completed },
  refusal: { end: completed },
  length: { end: cut },
  context: { end: cut, notice: "The context window was full; the protocol only says max_output_tokens." },
  paused: { end: cut, notice: "The model paused its turn; send the conversation again to let it go on." },
  filter: { end: filtered },
  recitation: { end: filtered },
  malformed_tool: { end: { status: "failed" } },
  error: { end: { status: "failed" } },
  other: { end: completed, notice: "The upstream ended the answer for a reason this protocol has no word for." },
};

/** Finish -> wire end. Total; says by a notice where the meaning shrinks. */
export function encodeFinish(finish: Finish, notice: (notice: Notice) => void): WireEnd {
  const row = table[finish.reason];
  if (row.notice) {
    const native = finish.native ? ` (${finish.native})` : "";
    notice({ field: "status", verdict: "approximated", detail: row.notice + native });
  }
  return row.end;
}
