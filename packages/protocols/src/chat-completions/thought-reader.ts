import type { TokenLogprob } from "../canonical/index.ts";

/** A piece of an answer's content: of what was thought, or of the answer itself. */
export interface ContentPiece {
  type: "reasoning" | "text";
  text: string;
}

const opening = "<think>";
const closing = "</think>";
/** What ends a thought, the line break before the tag included. */
const endings = [`\n${closing}`, closing];

/**
 * Takes the thoughts out of content that begins with them (chat-completions.md 12, rule 1): models write
 * `<think>…</think>` in front of their answer, and a server without a parser for it hands that on as text. Takes content
 * cut anywhere; what it gives, joined, does not depend on the cuts. Only blanks may stand before the first tag, blank lines
 * between thought and answer are left out, and a tag anywhere later is text. A thought that is never closed goes on to the
 * end. One per answer.
 */
export class ThoughtReader {
  readonly #isOpen: boolean;
  /** `before`: whether there is a thought is not known. `opened`, `closed`: behind a tag, and only blanks since. */
  #place: "before" | "opened" | "thought" | "closed" | "text" = "before";
  /** What could still be, or become, a tag or a blank line. */
  #held = "";
  #wasClosed = false;

  /** `open`: the prompt ended in the first tag, so that the answer begins in the thought. */
  constructor(kind: "tagged" | "open") {
    this.#isOpen = kind === "open";
  }

  /** Whether the content is the answer itself from here on. */
  get isBehind(): boolean {
    return this.#place === "text";
  }

  push(text: string): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    let rest: string | undefined = text;
    // A place gives back what the next one has to read.
    while (rest !== undefined && rest !== "") rest = this.#read(rest, pieces);
    return pieces;
  }

  /** Of the tokens of all content so far, those of the answer. */
  tokensBehind(tokens: TokenLogprob[]): TokenLogprob[] {
    if (!this.#wasClosed) return tokens;
    const end =
      tokens
        .map(({ token }) => token)
        .join("")
        .indexOf(closing) + closing.length;
    let length = 0;
    const first = tokens.findIndex(({ token }) => {
      length += token.length;
      return length > end && token.trim() !== "";
    });
    return first === -1 ? [] : tokens.slice(first);
  }

  /** Something other than content comes: a tag that has not begun to be one will not come any more. */
  interrupt(): ContentPiece[] {
    return this.#place === "before" && !this.#isOpen ? this.#flush("text") : [];
  }

  /** The content is over. */
  end(): ContentPiece[] {
    if (this.#place === "before") return this.#flush(this.#isOpen ? "thought" : "text");
    return this.#place === "thought" ? this.#flush("thought") : [];
  }

  #read(text: string, pieces: ContentPiece[]): string | undefined {
    switch (this.#place) {
      case "before":
        return this.#before(text);
      case "opened": {
        const thought = text.trimStart();
        if (thought !== "") this.#place = "thought";
        return thought;
      }
      case "thought":
        return this.#thought(text, pieces);
      case "closed":
        return this.#closed(text);
      case "text":
        give(pieces, "text", text);
        return undefined;
    }
  }

  #before(text: string): string | undefined {
    this.#held += text;
    if (!/\S/.test(text)) return undefined;
    const all = this.#held;
    const begin = all.trimStart();
    if (begin.length < opening.length && opening.startsWith(begin)) return undefined;
    this.#held = "";
    if (begin.startsWith(opening)) {
      this.#place = "opened";
      return begin.slice(opening.length);
    }
    this.#place = this.#isOpen ? "opened" : "text";
    return all;
  }

  #thought(text: string, pieces: ContentPiece[]): string | undefined {
    const all = this.#held + text;
    const at = all.indexOf(closing);
    if (at === -1) {
      this.#held = beginOfEnding(all);
      give(pieces, "reasoning", all.slice(0, all.length - this.#held.length));
      return undefined;
    }
    this.#held = "";
    this.#place = "closed";
    this.#wasClosed = true;
    give(pieces, "reasoning", all.slice(0, at > 0 && all[at - 1] === "\n" ? at - 1 : at));
    return all.slice(at + closing.length);
  }

  #closed(text: string): string | undefined {
    const first = text.search(/\S/);
    const line = text.lastIndexOf("\n", first === -1 ? undefined : first);
    // The first line of the answer keeps its indent.
    const kept = line === -1 ? this.#held + text : text.slice(line + 1);
    if (first === -1) {
      this.#held = kept;
      return undefined;
    }
    this.#held = "";
    this.#place = "text";
    return kept;
  }

  #flush(place: "thought" | "text"): ContentPiece[] {
    const pieces: ContentPiece[] = [];
    const held = place === "thought" && this.#place === "before" ? this.#held.trimStart() : this.#held;
    this.#held = "";
    this.#place = place;
    give(pieces, place === "thought" ? "reasoning" : "text", held);
    return pieces;
  }
}

/** The longest end of a text with which an ending may begin. */
function beginOfEnding(text: string): string {
  for (const ending of endings) {
    for (let length = ending.length - 1; length > 0; length -= 1) {
      if (text.endsWith(ending.slice(0, length))) return ending.slice(0, length);
    }
  }
  return "";
}

function give(pieces: ContentPiece[], type: ContentPiece["type"], text: string): void {
  if (text !== "") pieces.push({ type, text });
}
