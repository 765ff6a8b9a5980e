import type { PartDelta, Proof, ReasoningPart } from "../canonical/index.ts";

/** The part of a candidate that is open. */
export type Open =
  | { type: "text"; key: string; base: number; text: string; proof: Proof | undefined; cited: boolean }
  | { type: "refusal"; key: string }
  | { type: "tool-call"; key: string; index: number; custom: boolean; empty: boolean }
  | { type: "reasoning"; key: string; part: ReasoningPart; paragraph: number };

export interface CandidateState {
  open: Open | undefined;
  /** UTF-16 units of content so far. */
  length: number;
  calls: number;
  details: number;
  /** Reasoning of an earlier part was shown: a blank line sets the next one off. */
  reasoned: boolean;
  refused: boolean;
  finished: boolean;
}

/** Nothing of a candidate has been written yet. */
export function newCandidate(): CandidateState {
  return { open: undefined, length: 0, calls: 0, details: 0, reasoned: false, refused: false, finished: false };
}

export function openPart(state: CandidateState, key: string): Open {
  if (state.open?.key !== key) throw new Error(`Part '${key}' is not open.`);
  return state.open;
}

export function headOfCall(name: string, custom: boolean): string {
  const quoted = JSON.stringify(name);
  return custom
    ? `"type":"custom","custom":{"name":${quoted},"input":""}`
    : `"type":"function","function":{"name":${quoted},"arguments":""}`;
}

export function callBody(text: string, custom: boolean): string {
  const quoted = JSON.stringify(text);
  return custom ? `"custom":{"input":${quoted}}` : `"function":{"arguments":${quoted}}`;
}

export function wrongDelta(open: Open, delta: PartDelta): never {
  throw new Error(`A '${delta.type}' delta does not belong to a '${open.type}' part.`);
}

/**
 * Adds a delta to an open reasoning part and gives the text to show. There is one slot for text and summary: what comes
 * first is shown, the other says the same in other words. A blank line sets paragraphs and parts off from each other.
 */
export function growReasoning(open: Extract<Open, { type: "reasoning" }>, delta: PartDelta, reasoned: boolean): string {
  const { part } = open;
  switch (delta.type) {
    case "reasoning": {
      if (part.summary) return "";
      const before = part.text === undefined && reasoned && delta.text !== "" ? "\n\n" : "";
      part.text = (part.text ?? "") + delta.text;
      return before + delta.text;
    }
    case "summary": {
      if (part.text !== undefined) return "";
      const first = !part.summary;
      const summary = part.summary ?? [];
      const before = (first && reasoned) || (!first && delta.index > open.paragraph) ? "\n\n" : "";
      open.paragraph = delta.index;
      while (summary.length <= delta.index) summary.push("");
      summary[delta.index] = (summary[delta.index] ?? "") + delta.text;
      part.summary = summary;
      return before + delta.text;
    }
    case "proof":
      part.proof = delta.proof;
      return "";
    default:
      return wrongDelta(open, delta);
  }
}
