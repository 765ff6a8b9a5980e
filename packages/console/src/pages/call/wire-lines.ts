/* What a body that went over the wire looks like on the screen: lines of a document, or events of a stream. */

export interface WireLine {
  /** From 1 on. */
  number: number;
  /** The event's name, in a stream. */
  label?: string;
  text: string;
}

export interface WireBody {
  kind: "json" | "events" | "text";
  lines: readonly WireLine[];
}

/** The body as its reader wants it: JSON with indents, a stream as its events; else the text as it is. */
export function wireBody(text: string): WireBody {
  const value = jsonOf(text);
  if (value !== undefined) return { kind: "json", lines: linesOf(JSON.stringify(value, null, 2)) };
  if (/^(?:event|data|id|retry)?:/m.test(text.slice(0, 4096))) {
    const events = eventsOf(text);
    if (events.length > 0) return { kind: "events", lines: events };
  }
  return { kind: "text", lines: linesOf(text) };
}

/** The text as it is, line by line. */
export function linesOf(text: string): WireLine[] {
  return text.split("\n").map((line, index) => ({ number: index + 1, text: line }));
}

/** The parsed document; undefined for what is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A stream, or a document that was cut: it is shown as text.
    return undefined;
  }
}

function eventsOf(text: string): WireLine[] {
  const events: WireLine[] = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    let label: string | undefined;
    const data: string[] = [];
    for (const line of block.split(/\r?\n/)) {
      if (line.startsWith("event:")) label = line.slice(6).trim();
      else if (line.startsWith("data:")) data.push(line.slice(line.charAt(5) === " " ? 6 : 5));
      else if (line.startsWith(":")) data.push(line);
    }
    if (data.length === 0 && label === undefined) continue;
    events.push({ number: events.length + 1, text: data.join("\n"), ...(label === undefined ? {} : { label }) });
  }
  return events;
}

export interface Piece {
  kind: "key" | "string" | "number" | "word" | "plain";
  text: string;
  /** What was searched for. */
  found: boolean;
}

/** Longer lines are shown by their begin: an image in base64 is no reading matter. */
const shownOfLine = 4000;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** A line in pieces of one colour, cut where what is searched for begins and ends. */
export function piecesOf(line: string, search: string): Piece[] {
  const text = line.length > shownOfLine ? `${line.slice(0, shownOfLine)} …` : line;
  const pieces: Omit<Piece, "found">[] = [];
  let done = 0;
  for (const match of text.matchAll(tokens)) {
    if (match.index > done) pieces.push({ kind: "plain", text: text.slice(done, match.index) });
    const [whole, string, colon] = match;
    if (string !== undefined) {
      pieces.push({ kind: colon === undefined ? "string" : "key", text: string });
      if (colon !== undefined) pieces.push({ kind: "plain", text: colon });
    } else {
      pieces.push({ kind: /^[tfn]/.test(whole) ? "word" : "number", text: whole });
    }
    done = match.index + whole.length;
  }
  if (done < text.length) pieces.push({ kind: "plain", text: text.slice(done) });
  return cutAt(pieces, rangesOf(text, search));
}

/** How often the lines hold what is searched for. */
export function countMatches(lines: readonly WireLine[], search: string): number {
  return lines.reduce((sum, { text }) => sum + rangesOf(text.slice(0, shownOfLine), search).length, 0);
}

function rangesOf(text: string, search: string): [number, number][] {
  if (search === "") return [];
  const ranges: [number, number][] = [];
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length)) {
    ranges.push([at, at + wanted.length]);
  }
  return ranges;
}

function cutAt(pieces: readonly Omit<Piece, "found">[], ranges: readonly [number, number][]): Piece[] {
  if (ranges.length === 0) return pieces.map((piece) => ({ ...piece, found: false }));
  const cut: Piece[] = [];
  let at = 0;
  for (const { kind, text } of pieces) {
    const end = at + text.length;
    let done = at;
    for (const [from, to] of ranges) {
      if (to <= done || from >= end) continue;
      if (from > done) cut.push({ kind, text: text.slice(done - at, from - at), found: false });
      const begin = Math.max(from, done);
      const stop = Math.min(to, end);
      cut.push({ kind, text: text.slice(begin - at, stop - at), found: true });
      done = stop;
    }
    if (done < end) cut.push({ kind, text: text.slice(done - at), found: false });
    at = end;
  }
  return cut;
}
