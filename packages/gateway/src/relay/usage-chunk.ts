import { frameAround, frameData, lastFramesStart } from "./end-mark.ts";

/** How the chunk's empty list of choices is spelt: compact, and as Python's default writes it. */
const emptyChoices = ['"choices":[]', '"choices": []'];

/**
 * A piece of whole chat-completions frames without the extra chunk that tells the usage (no choices in it), which is the
 * last before the end mark. Chunks that tell usage beside content stay: they are the answer.
 */
export function withoutUsageChunk(piece: Buffer): Buffer {
  const start = lastFramesStart(piece);
  for (const spelling of emptyChoices) {
    for (let at = piece.indexOf(spelling, start); at !== -1; at = piece.indexOf(spelling, at + 1)) {
      const place = frameAround(piece, at);
      if (!isUsageChunk(frameData(piece.toString("utf8", place.start, place.end)))) continue;
      return Buffer.concat([piece.subarray(0, place.start), piece.subarray(place.end)]);
    }
  }
  return piece;
}

function isUsageChunk(data: string): boolean {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value !== "object" || value === null || !("choices" in value) || !("usage" in value)) return false;
    return Array.isArray(value.choices) && value.choices.length === 0 && value.usage !== null;
  } catch {
    // Not JSON, so not the chunk that was asked for: it is the caller's to see.
    return false;
  }
}
