import type { JsonValue } from "../canonical/index.ts";
import { stripFence } from "./custom-tools.ts";
import { isObject } from "./read.ts";

/**
 * Reads the free text of a custom tool out of the arguments of the function that stands for it (conversion.md T5, S13),
 * as they come in, cut anywhere. One per call.
 *
 * An object that begins with a text `input` is that text, given on as it comes; so is what is no JSON at all. Anything
 * else is known at its end only: the one text under a usual name, a bare JSON string, else the arguments as they are. A
 * text in a Markdown fence waits for its end, too, and loses the fence. A text that was cut off is given as far as it came.
 */
export class CustomInputReader {
  readonly #arguments = new ArgumentsReader();
  readonly #fence = new FenceFilter();
  readonly #joiner = new SurrogateJoiner();

  /** The model wrote more keys behind the text, which are left out. */
  get hasMore(): boolean {
    return this.#arguments.hasMore;
  }

  /** The text that is certain with this piece of the arguments. Well-formed: half a surrogate pair waits for the other. */
  push(piece: string): string {
    return this.#joiner.push(this.#fence.push(this.#arguments.push(piece)));
  }

  /** What is left at the end. */
  end(): string {
    const text = this.#fence.push(this.#arguments.end()) + this.#fence.end();
    return this.#joiner.push(text) + this.#joiner.end();
  }
}

/** The text of whole arguments. */
export function unwrapCustomInput(argumentsText: string): string {
  const reader = new CustomInputReader();
  return reader.push(argumentsText) + reader.end();
}

/** Arguments that hold the text where it belongs, up to its first character; and every beginning of that. */
const opening = /^\s*\{\s*"input"\s*:\s*"/;
const openingBegun = /^\s*(\{\s*("(i(n(p(u(t("\s*(:\s*)?)?)?)?)?)?)?)?)?$/;

/** A quotation mark that may end the text; one that more keys follow; any other was meant as a character of the text. */
const closingBegun = /^"\s*([},]\s*)?$/;
const moreKeys = /^"\s*,\s*"/;

const special = /["\\]/g;
const escapes = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** The JSON around the text. */
class ArgumentsReader {
  hasMore = false;
  #state: "opening" | "text" | "closed" | "raw" | "whole" = "opening";
  /** Not judged yet, or half an escape. */
  #held = "";
  /** Arguments of which only the end tells what they are. */
  #pieces: string[] = [];

  push(piece: string): string {
    if (this.#state === "raw") return piece;
    if (this.#state === "whole") this.#pieces.push(piece);
    if (this.#state === "whole" || this.#state === "closed") return "";
    this.#held += piece;
    if (this.#state === "opening") return this.#open();
    return this.#unescape();
  }

  end(): string {
    return this.#state === "opening" || this.#state === "whole" ? wholeInput(this.#pieces.join("") + this.#held) : "";
  }

  #open(): string {
    const held = this.#held;
    const opened = opening.exec(held)?.[0];
    if (opened !== undefined) {
      this.#state = "text";
      this.#held = held.slice(opened.length);
      return this.#unescape();
    }
    if (openingBegun.test(held)) return "";
    this.#held = "";
    if (!/^\s*["{]/.test(held)) {
      this.#state = "raw";
      return held;
    }
    this.#state = "whole";
    this.#pieces.push(held);
    return "";
  }

  #unescape(): string {
    const held = this.#held;
    const text: string[] = [];
    let at = 0;
    for (;;) {
      special.lastIndex = at;
      const next = special.exec(held)?.index ?? held.length;
      text.push(held.slice(at, next));
      at = next;
      if (at === held.length) break;
      const step = held[at] === "\\" ? escapeAt(held, at) : this.#quoteAt(held, at);
      if (!step) break;
      text.push(step.text);
      at += step.length;
    }
    this.#held = held.slice(at);
    return text.join("");
  }

  /** Undefined: it ends the text, as far as is known. */
  #quoteAt(held: string, at: number): { text: string; length: number } | undefined {
    const rest = held.slice(at);
    if (closingBegun.test(rest)) return undefined;
    if (!moreKeys.test(rest)) return { text: '"', length: 1 };
    this.hasMore = true;
    this.#state = "closed";
    return undefined;
  }
}

/** Undefined: the rest of the escape has not come yet. What is no escape in JSON is meant as it stands. */
function escapeAt(held: string, at: number): { text: string; length: number } | undefined {
  const mark = held[at + 1];
  if (mark === undefined) return undefined;
  const plain = escapes.get(mark);
  if (plain !== undefined) return { text: plain, length: 2 };
  const hex = mark === "u" ? (/^[0-9a-fA-F]{0,4}/.exec(held.slice(at + 2, at + 6))?.[0] ?? "") : undefined;
  if (hex === undefined) return { text: `\\${mark}`, length: 2 };
  if (hex.length === 4) return { text: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 };
  return held.length === at + 2 + hex.length ? undefined : { text: "\\u", length: 2 };
}

/** Arguments that are no object with a text `input` first. No arguments at all are no input; `{}` is written for them. */
function wholeInput(argumentsText: string): string {
  const trimmed = argumentsText.trim();
  if (trimmed === "" || trimmed === "{}") return "";
  return loneText(trimmed) ?? argumentsText;
}

/** Under which keys models put the text when they forget the name `input`. */
const textKeys = ["input", "patch", "content", "code", "command"];

function loneText(argumentsText: string): string | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(argumentsText);
  } catch {
    // Not JSON: the model wrote the raw text itself.
    return undefined;
  }
  if (!isObject(value)) return typeof value === "string" ? value : undefined;
  const keys = Object.keys(value);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !textKeys.includes(key)) return undefined;
  const text = value[key];
  return typeof text === "string" ? text : undefined;
}

/** Passes a text on, unless a Markdown fence begins it: then it is kept to its end and loses the fence. */
class FenceFilter {
  #state: "blank" | "open" | "fenced" = "blank";
  #pieces: string[] = [];

  push(text: string): string {
    if (this.#state === "open") return text;
    this.#pieces.push(text);
    if (this.#state === "fenced") return "";
    const begun = this.#pieces.join("");
    if (/^\s*`{0,2}$/.test(begun)) return "";
    this.#state = /^\s*```/.test(begun) ? "fenced" : "open";
    if (this.#state === "fenced") return "";
    this.#pieces = [];
    return begun;
  }

  end(): string {
    return this.#state === "open" ? "" : stripFence(this.#pieces.join(""));
  }
}

/** Keeps the two halves of a character together, which strict readers of JSON demand; a half alone becomes U+FFFD. */
class SurrogateJoiner {
  #half = "";

  push(text: string): string {
    const joined = this.#half + text;
    const last = joined.charCodeAt(joined.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? joined.slice(-1) : "";
    return joined.slice(0, joined.length - this.#half.length).toWellFormed();
  }

  end(): string {
    return this.#half.toWellFormed();
  }
}
