/** One server-sent event: its name (the `event:` line) and its data lines joined by LF. */
export interface SseEvent {
  event: string | undefined;
  data: string;
}

const maximumEventLength = 8 * 1024 * 1024;

/** Thrown when one event is longer than any real event (reliability.md R9). */
export class SseOverflow extends Error {
  constructor() {
    super("A server-sent event is longer than 8 MiB.");
    this.name = "SseOverflow";
  }
}

/**
 * Incremental reader of server-sent events, tolerant as conversion.md 3.1 asks: LF, CRLF or CR line ends that may be
 * split between chunks, one BOM at the start, comments, a missing space behind the colon, several data lines, a last
 * event without its blank line. Linear in the bytes.
 */
export class SseReader {
  readonly #decoder = new TextDecoder("utf-8");
  /** Pieces of the line that has no end yet: joined once, so that a long line in small chunks stays linear. */
  #pending: string[] = [];
  #pendingLength = 0;
  #skipLineFeed = false;
  #event: string | undefined;
  #data: string[] = [];
  #dataLength = 0;

  /** Events that are complete with these bytes. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#lines(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The end of the stream: an event without its blank line still counts. */
  close(): SseEvent[] {
    const events = this.#lines(this.#decoder.decode());
    const rest = this.#complete("");
    if (rest !== "") this.#line(rest);
    const last = this.#dispatch();
    if (last) events.push(last);
    return events;
  }

  #lines(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    if (text === "") return events;
    let start = 0;
    if (this.#skipLineFeed && text.charCodeAt(0) === 10) start = 1;
    this.#skipLineFeed = false;
    let carriageReturn = text.indexOf("\r", start);
    let lineFeed = text.indexOf("\n", start);
    for (;;) {
      if (carriageReturn !== -1 && carriageReturn < start) carriageReturn = text.indexOf("\r", start);
      if (lineFeed !== -1 && lineFeed < start) lineFeed = text.indexOf("\n", start);
      const end =
        lineFeed === -1 ? carriageReturn : carriageReturn === -1 ? lineFeed : Math.min(lineFeed, carriageReturn);
      if (end === -1) break;
      const line = this.#complete(text.slice(start, end));
      if (line === "") {
        const event = this.#dispatch();
        if (event) events.push(event);
      } else {
        this.#line(line);
      }
      start = end + 1;
      if (end === carriageReturn) {
        if (start === text.length) this.#skipLineFeed = true;
        else if (text.charCodeAt(start) === 10) start += 1;
      }
    }
    if (start < text.length) {
      this.#pending.push(text.slice(start));
      this.#pendingLength += text.length - start;
      if (this.#pendingLength + this.#dataLength > maximumEventLength) throw new SseOverflow();
    }
    return events;
  }

  /** The pending line with its last piece. */
  #complete(tail: string): string {
    if (this.#pending.length === 0) return tail;
    this.#pending.push(tail);
    const line = this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
    return line;
  }

  #line(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const from = colon === -1 ? line.length : line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1;
    if (field === "data") {
      const value = line.slice(from);
      this.#data.push(value);
      this.#dataLength += value.length;
      if (this.#dataLength > maximumEventLength) throw new SseOverflow();
    } else if (field === "event") {
      this.#event = line.slice(from);
    }
  }

  #dispatch(): SseEvent | undefined {
    const event = this.#event;
    this.#event = undefined;
    if (this.#data.length === 0) return undefined;
    const data = this.#data.length === 1 ? (this.#data[0] ?? "") : this.#data.join("\n");
    this.#data = [];
    this.#dataLength = 0;
    return { event, data };
  }
}

/** One frame with a name line, as messages and responses write it. `json` is JSON on one line. */
export function namedFrame(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}

/** One frame without a name, as chat completions and generateContent write it. */
export function dataFrame(json: string): string {
  return `data: ${json}\n\n`;
}

/** A comment frame: a keep-alive that no parser takes for data. */
export const commentFrame = ": keep-alive\n\n";
