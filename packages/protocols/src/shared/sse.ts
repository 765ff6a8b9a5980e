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
  #pending = "";
  #scanned = 0;
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
    if (this.#pending !== "") this.#line(this.#pending);
    this.#pending = "";
    const last = this.#dispatch();
    if (last) events.push(last);
    return events;
  }

  #lines(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let rest = this.#pending + text;
    if (this.#skipLineFeed && rest !== "") {
      if (rest.charCodeAt(0) === 10) rest = rest.slice(1);
      this.#skipLineFeed = false;
      this.#scanned = 0;
    }
    let start = 0;
    let at = this.#scanned;
    let carriageReturn = rest.indexOf("\r", at);
    let lineFeed = rest.indexOf("\n", at);
    for (;;) {
      if (carriageReturn !== -1 && carriageReturn < at) carriageReturn = rest.indexOf("\r", at);
      if (lineFeed !== -1 && lineFeed < at) lineFeed = rest.indexOf("\n", at);
      const end =
        lineFeed === -1 ? carriageReturn : carriageReturn === -1 ? lineFeed : Math.min(lineFeed, carriageReturn);
      if (end === -1) break;
      if (end === start) {
        const event = this.#dispatch();
        if (event) events.push(event);
      } else {
        this.#line(rest.slice(start, end));
      }
      start = end + 1;
      if (end === carriageReturn) {
        if (start === rest.length) this.#skipLineFeed = true;
        else if (rest.charCodeAt(start) === 10) start += 1;
      }
      at = start;
    }
    this.#pending = start === 0 ? rest : rest.slice(start);
    this.#scanned = this.#pending.length;
    if (this.#pending.length + this.#dataLength > maximumEventLength) throw new SseOverflow();
    return events;
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
