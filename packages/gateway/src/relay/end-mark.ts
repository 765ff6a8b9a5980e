import type { ProtocolName } from "@interlingua/protocols";

/** How a protocol's stream says that its answer is whole. */
export interface EndMarkRule {
  /** Every marking frame holds one of these. */
  words: readonly string[];
  /** Judges the frame's data. */
  isMark(data: string): boolean;
  /** The mark is not the end itself: frames may follow until the upstream closes (generateContent). */
  untilClose: boolean;
  /** Whether frames before the mark say why an answer ended. */
  tellsFinish?: true;
}

/**
 * What every frame that names the reason of an end holds (`finish_reason`, `stop_reason`), compact and as Python's default
 * writes it. Short, because every read is searched for it: longer words are looked for by a slower way.
 */
const finishWords = [Buffer.from('son":"'), Buffer.from('son": "')];
/** Next to nothing follows a finish: it is looked for in so many last bytes of a read. */
const finishReach = 2_048;

export const endMarks: Readonly<Record<ProtocolName, EndMarkRule>> = {
  "chat-completions": {
    words: ["[DONE]"],
    isMark: (data) => data.trim() === "[DONE]",
    untilClose: false,
    tellsFinish: true,
  },
  messages: {
    words: ["message_stop"],
    isMark: (data) => typeOf(data) === "message_stop",
    untilClose: false,
    tellsFinish: true,
  },
  responses: {
    words: ["response.completed", "response.incomplete", "response.failed"],
    isMark: (data) => /^response\.(?:completed|incomplete|failed)$/.test(typeOf(data) ?? ""),
    untilClose: false,
  },
  "generate-content": { words: ['"finishReason"'], isMark: hasFinish, untilClose: true },
};

/** A frame's place within a piece of whole frames. */
export interface FramePlace {
  start: number;
  end: number;
}

/** The first marking frame near the end of a piece, or undefined. Only frames that hold one of the words are read. */
export function findEndMark(rule: EndMarkRule, piece: Buffer): FramePlace | undefined {
  const from = lastFramesStart(piece);
  let first: FramePlace | undefined;
  for (const word of rule.words) {
    let at = piece.indexOf(word, from);
    while (at !== -1 && (!first || at < first.start)) {
      const place = frameAround(piece, at);
      if (rule.isMark(frameData(piece.toString("utf8", place.start, place.end)))) {
        first = place;
        break;
      }
      at = piece.indexOf(word, place.end);
    }
  }
  return first;
}

/** The frames near the end of a piece that may name the reason of an end. */
export function finishFrames(piece: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (const word of finishWords) {
    for (let at = piece.indexOf(word, Math.max(0, piece.length - finishReach)); at !== -1; ) {
      const place = frameAround(piece, at);
      frames.push(piece.subarray(place.start, place.end));
      at = piece.indexOf(word, place.end);
    }
  }
  return frames;
}

const colon = 0x3a;

/**
 * Where the last few frames of a piece begin. What ends an answer stands there and nowhere else, since next to nothing
 * follows it: a burst of hundreds of frames need not be searched.
 */
export function lastFramesStart(piece: Buffer): number {
  const blankLine = piece.at(-2) === 10 ? "\n\n" : piece.at(-2) === 13 && piece.at(-1) === 10 ? "\r\n\r\n" : "\r\r";
  let at = piece.length - blankLine.length;
  for (let frames = 0; frames < 8; ) {
    if (at <= 0) return 0;
    const before = piece.lastIndexOf(blankLine, at - 1);
    if (before === -1) return 0;
    const start = before + blankLine.length;
    // Blank lines in a row hold no frame, and comments nothing that counts.
    if (start < at && piece[start] !== colon) frames++;
    at = before;
  }
  return at + blankLine.length;
}

/** The frame that holds the byte at `at`, its blank line included. */
export function frameAround(piece: Buffer, at: number): FramePlace {
  const start = behind(piece.lastIndexOf("\n\n", at), 2);
  const end = behind(piece.indexOf("\n\n", at), 2) || piece.length;
  // The other spellings of a blank line count only within: searching the whole piece for them would cost more than all else.
  return frameWithin(piece, frameWithin(piece, { start, end }, at, "\n\r\n"), at, "\r\r");
}

function frameWithin(piece: Buffer, { start, end }: FramePlace, at: number, blankLine: string): FramePlace {
  const inner = piece.subarray(start, end);
  const innerStart = behind(inner.lastIndexOf(blankLine, at - start), blankLine.length);
  const innerEnd = behind(inner.indexOf(blankLine, at - start), blankLine.length);
  return { start: start + innerStart, end: innerEnd === 0 ? end : start + innerEnd };
}

/** The data lines of a frame joined. */
export function frameData(frame: string): string {
  const lines: string[] = [];
  for (const line of frame.split(/\r\n|\n|\r/)) {
    if (line.startsWith("data:")) lines.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
  }
  return lines.join("\n");
}

function behind(index: number, length: number): number {
  return index === -1 ? 0 : index + length;
}

function parsed(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // A frame that is no JSON is no mark; the protocol's own decoder judges it at the end.
    return undefined;
  }
}

function typeOf(data: string): string | undefined {
  const value = parsed(data);
  return value && "type" in value && typeof value.type === "string" ? value.type : undefined;
}

function hasFinish(data: string): boolean {
  const value = parsed(data);
  if (!value || !("candidates" in value) || !Array.isArray(value.candidates)) return false;
  return value.candidates.some((candidate: unknown) => {
    return typeof candidate === "object" && candidate !== null && "finishReason" in candidate && candidate.finishReason;
  });
}
