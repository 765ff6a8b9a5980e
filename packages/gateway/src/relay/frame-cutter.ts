const lineFeed = 10;
const carriageReturn = 13;

/**
 * Cuts a stream of server-sent events behind its last blank line, so that only whole frames are handed on: what is written
 * between two of them (a keep-alive, an error) never lands inside one. Linear: a large frame is joined once.
 */
export class FrameCutter {
  #pending: Buffer[] = [];
  #length = 0;
  readonly #maximum: number;

  /** `maximum`: longest frame in bytes. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** All frames that are whole with these bytes, as one piece; undefined where there is none yet. */
  push(chunk: Buffer): Buffer | "too-large" | undefined {
    const end = this.#lastBoundary(chunk);
    if (end === 0) {
      this.#pending.push(chunk);
      this.#length += chunk.length;
      return this.#length > this.#maximum ? "too-large" : undefined;
    }
    const ready = end === chunk.length ? chunk : chunk.subarray(0, end);
    const whole = this.#pending.length === 0 ? ready : Buffer.concat([...this.#pending, ready]);
    this.#pending = end === chunk.length ? [] : [chunk.subarray(end)];
    this.#length = chunk.length - end;
    return whole;
  }

  /** What stands behind the last blank line. */
  rest(): Buffer {
    return Buffer.concat(this.#pending);
  }

  #lastBoundary(chunk: Buffer): number {
    for (let at = chunk.length - 1; at >= 0; at--) {
      const byte = chunk[at];
      if (byte !== lineFeed && byte !== carriageReturn) continue;
      const before = this.#at(chunk, at - 1);
      if (before === byte) return at + 1;
      if (byte === lineFeed && before === carriageReturn && this.#at(chunk, at - 2) === lineFeed) return at + 1;
    }
    return 0;
  }

  #at(chunk: Buffer, index: number): number | undefined {
    if (index >= 0) return chunk[index];
    let back = index;
    for (let piece = this.#pending.length - 1; piece >= 0; piece--) {
      const bytes = this.#pending[piece];
      if (!bytes) return undefined;
      if (-back <= bytes.length) return bytes[bytes.length + back];
      back += bytes.length;
    }
    return undefined;
  }
}
