import { canonicalError, type JsonObject, type JsonValue, ProtocolError } from "../canonical/index.ts";

/** A block that is open upstream. */
export interface OpenBlock {
  key: string;
  kind: "text" | "thinking" | "tool-call" | "whole";
  /** The block as it opened; for `whole` it grows until it stops. */
  block: JsonObject;
  /** Whether its part was announced: a text block is only when it holds text (S8). */
  announced: boolean;
  /** Whether arguments came as deltas. */
  hasDeltas: boolean;
  /** Argument text of a provider-run call. */
  input: string[];
}

export function indexOf(body: JsonObject): number {
  const index = body.index;
  if (typeof index !== "number") throw unreadable("an event without an index");
  return index;
}

/** The block of a provider-run call with its arguments. Arguments that do not parse are kept as text. */
export function wholeBlock(open: OpenBlock): JsonObject {
  if (open.input.length === 0) return open.block;
  const text = open.input.join("");
  return { ...open.block, input: parsed(text) ?? { _raw: text } };
}

export function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // What that means is the caller's to say.
    return undefined;
  }
}

/** Deltas of blocks that only this protocol knows (compaction): texts grow, other fields are set. */
export function grow(open: OpenBlock, delta: JsonObject): void {
  const block: JsonObject = { ...open.block };
  for (const [key, value] of Object.entries(delta)) {
    if (key === "type") continue;
    const before = block[key];
    block[key] = key === "content" && typeof value === "string" && typeof before === "string" ? before + value : value;
  }
  open.block = block;
}

export function unreadable(what: string): ProtocolError {
  return new ProtocolError(
    canonicalError("upstream_bad", `The upstream's stream holds ${what}.`, { code: "upstream_bad_response" }),
  );
}
