import type { Part } from "../canonical/index.ts";
import { upstreamSignature } from "./reasoning.ts";
import { absentSignature } from "./wire.ts";

/**
 * Which signature goes onto which part of one model turn, by the part's index (conversion.md 2.5).
 *
 * A signature that stands on a call, text or other part stays there. One that a client of another family brought back on
 * a reasoning part belongs to the next call, else to the next text, up to the next such reasoning part; else to the text
 * before it; else it stays on the reasoning part. Where a model demands signatures, a turn whose first call has none gets
 * the documented stand-in there: on the first call only, never over a real one. That holds in every turn, not in the
 * current one only, so that a turn's bytes never change when the conversation goes on (L7).
 */
export function placeSignatures(parts: readonly Part[], signedCalls: boolean): Map<number, string> {
  const placed = new Map<number, string>();
  parts.forEach((part, index) => {
    const signature = part.type === "reasoning" ? undefined : upstreamSignature(part.proof);
    if (signature !== undefined) placed.set(index, signature);
  });
  parts.forEach((part, index) => {
    const signature = part.type === "reasoning" ? upstreamSignature(part.proof) : undefined;
    if (signature !== undefined) placed.set(placeFor(parts, index, placed), signature);
  });
  const firstCall = parts.findIndex((part) => part.type === "tool-call");
  if (signedCalls && firstCall !== -1 && !placed.has(firstCall)) placed.set(firstCall, absentSignature);
  return placed;
}

function placeFor(parts: readonly Part[], from: number, placed: ReadonlyMap<number, string>): number {
  let text: number | undefined;
  for (let index = from + 1; index < parts.length; index += 1) {
    const part = parts[index];
    if (part?.type === "reasoning" && upstreamSignature(part.proof) !== undefined) break;
    if (part?.type === "tool-call") {
      if (!placed.has(index)) return index;
      break;
    }
    if (part?.type === "text" && text === undefined && !placed.has(index)) text = index;
  }
  if (text !== undefined) return text;
  for (let index = from - 1; index >= 0; index -= 1) {
    if (parts[index]?.type === "text") return placed.has(index) ? from : index;
  }
  return from;
}
