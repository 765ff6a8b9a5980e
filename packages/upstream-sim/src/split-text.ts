/** How an answer's text is cut into deltas: words per delta, or code points where the script says so. */
export interface Grain {
  words: number;
  codePoints?: number | undefined;
}

/** Cuts a text into deltas; joined they are the text again. An empty text has no delta. */
export function splitText(text: string, grain: Grain): string[] {
  if (grain.codePoints !== undefined) return splitCodePoints(text, grain.codePoints);
  const words = text.match(/\s*\S+|\s+/gu) ?? [];
  const pieces: string[] = [];
  for (let i = 0; i < words.length; i += grain.words) pieces.push(words.slice(i, i + grain.words).join(""));
  return pieces;
}

/** Cuts a text into pieces of n code points, so that no delta holds half a character. */
export function splitCodePoints(text: string, size: number): string[] {
  const points = Array.from(text);
  const step = Math.max(1, Math.floor(size));
  const pieces: string[] = [];
  for (let i = 0; i < points.length; i += step) pieces.push(points.slice(i, i + step).join(""));
  return pieces;
}
