/** What the guard allows. */
export interface JsonLimits {
  jsonDepth: number;
  jsonValues: number;
}

export type GuardVerdict =
  | {
      ok: true;
      /** Where the top-level `model` string stands, quotes included, in UTF-16 units of the text. */
      model?: { start: number; end: number };
    }
  | { ok: false; message: string; field?: string };

const quote = 34;
const backslash = 92;

/**
 * One pass over a document before it is parsed (C7, S4): refuses what is too deep or has too many values, and keys that
 * stand twice in one object, which two parsers may read in two ways. Whether the text is JSON at all is left to the
 * parser. Linear: strings are skipped by the engine's own search.
 */
export function guardJson(text: string, limits: JsonLimits): GuardVerdict {
  // Keys of each open object; null for an array.
  const open: (Set<string> | null)[] = [];
  let values = 0;
  let expectKey = false;
  let topKey: string | undefined;
  let model: { start: number; end: number } | undefined;

  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (end === -1) return { ok: true };
        const keys = open.at(-1);
        if (expectKey && keys) {
          const key = keyOf(text, at, end);
          if (keys.has(key)) return duplicate(key, at);
          keys.add(key);
          expectKey = false;
          if (open.length === 1) topKey = key;
        } else if (open.length === 1 && topKey === "model") {
          model = { start: at, end: end + 1 };
          topKey = undefined;
        }
        at = end;
        break;
      }
      case 123: // {
      case 91: // [
        if (open.length >= limits.jsonDepth) {
          return {
            ok: false,
            message: `The body is nested deeper than ${limits.jsonDepth} levels, at character ${at}.`,
          };
        }
        expectKey = text.charCodeAt(at) === 123;
        open.push(expectKey ? new Set() : null);
        if (open.length === 2) topKey = undefined;
        values++;
        break;
      case 125: // }
      case 93: // ]
        open.pop();
        expectKey = false;
        break;
      case 44: // ,
        expectKey = open.at(-1) instanceof Set;
        if (open.length === 1) topKey = undefined;
        values++;
        break;
    }
    if (values > limits.jsonValues)
      return { ok: false, message: `The body holds more than ${limits.jsonValues} values.` };
  }
  return model ? { ok: true, model } : { ok: true };
}

/** Index of the quote that closes the string opened at `start`, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    // Not a JSON string: the parser refuses the document; here it only must not be taken for a duplicate.
    return raw;
  }
}

function duplicate(key: string, at: number): GuardVerdict {
  const field = key.slice(0, 64);
  return { ok: false, field, message: `The key '${field}' stands twice in one object, at character ${at}.` };
}
