import { badUpstream, canonicalError, ProtocolError } from "../canonical/index.ts";

/** A whole answer may carry images; a longer one is no real answer (conversion.md 3.1). */
const maximumLength = 16 * 1024 * 1024;

/**
 * Cuts the JSON objects out of a stream of bytes: one after another with white space between them, or the elements of one
 * array. Linear in the bytes. Throws `ProtocolError` for anything between the objects and for one that is too long.
 */
export class JsonObjectReader {
  readonly #decoder = new TextDecoder("utf-8");
  #pieces: string[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #array: "none" | "open" | "closed" = "none";
  #sawObject = false;

  /** The objects stand in an array. */
  get isArray(): boolean {
    return this.#array !== "none";
  }

  /** The bytes ended inside an object. An array that was not closed has only lost its bracket. */
  get isInside(): boolean {
    return this.#depth > 0;
  }

  /** The texts of the objects that are complete with these bytes. */
  push(bytes: Uint8Array): string[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    const objects: string[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#depth === 0) {
        if (code !== 123) {
          this.#between(code);
          continue;
        }
        start = at;
        this.#depth = 1;
        this.#sawObject = true;
        continue;
      }
      if (!this.#inside(code)) continue;
      this.#pieces.push(text.slice(start, at + 1));
      objects.push(this.#pieces.length === 1 ? (this.#pieces[0] ?? "") : this.#pieces.join(""));
      this.#pieces = [];
      this.#length = 0;
    }
    if (this.#depth > 0) this.#keep(text.slice(start));
    return objects;
  }

  /** True when this unit closes the object. */
  #inside(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === 92) this.#escaped = true;
      else if (code === 34) this.#inString = false;
      return false;
    }
    if (code === 34) this.#inString = true;
    else if (code === 123 || code === 91) this.#depth += 1;
    else if (code === 125 || code === 93) this.#depth -= 1;
    return this.#depth === 0;
  }

  #between(code: number): void {
    if (code === 32 || code === 10 || code === 13 || code === 9) return;
    if (code === 91 && this.#array === "none" && !this.#sawObject) this.#array = "open";
    else if (code === 93 && this.#array === "open") this.#array = "closed";
    else if (code !== 44 || this.#array !== "open") badUpstream("The upstream's answer is not JSON.");
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > maximumLength) {
      throw new ProtocolError(
        canonicalError("upstream_bad", "The upstream's answer is too large.", { code: "upstream_response_too_large" }),
      );
    }
  }
}
