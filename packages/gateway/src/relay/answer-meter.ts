import type { ProtocolName } from "@interlingua/protocols";

/** Text of most languages comes to about this many bytes a token. */
const bytesPerToken = 4;
/** Kept to be counted exactly; of what is longer the rest is reckoned by its bytes. */
const keptText = 1_048_576;
/** A line that grows beyond this is not waited for. */
const longestLine = 8 * 1_048_576;

/**
 * Reads what an upstream's stream has produced so far, in both lanes and without parsing it: for callers that leave early,
 * upstreams that tell no usage, and figures that cannot be true (M11, M12). Text that a family tells twice counts once.
 */
export interface AnswerMeter {
  /** Bytes of the upstream's answer, cut anywhere. */
  push(bytes: Buffer): void;
  /** Tokens so far, roughly, at no cost. */
  readonly roughTokens: number;
  /** Tokens so far, counted by a public tokenizer. */
  countTokens(): Promise<number>;
}

/** The strings that hold what a model wrote, by their keys on the wire. */
const contentKeys: Readonly<Record<ProtocolName, readonly string[]>> = {
  "chat-completions": ["content", "reasoning_content", "reasoning", "arguments", "refusal"],
  responses: ["delta"],
  messages: ["text", "thinking", "partial_json"],
  "generate-content": ["text"],
};

export function createAnswerMeter(protocol: ProtocolName): AnswerMeter {
  const needles = contentKeys[protocol].map((key) => Buffer.from(`"${key}":`));
  /** What came after the last line break: a string may go on in the next read. */
  let pending: Buffer[] = [];
  let pendingLength = 0;
  let text = "";
  let bytes = 0;

  const take = (piece: Buffer) => {
    for (const needle of needles) {
      for (let at = piece.indexOf(needle); at !== -1; at = piece.indexOf(needle, at)) {
        at += needle.length;
        while (piece[at] === space) at++;
        if (piece[at] !== quote) continue;
        const end = stringEnd(piece, at + 1);
        bytes += end - at - 1;
        if (text.length < keptText) text += piece.toString("utf8", at + 1, end);
        at = end;
      }
    }
  };

  const takePending = () => {
    if (pendingLength === 0) return;
    take(Buffer.concat(pending, pendingLength));
    pending = [];
    pendingLength = 0;
  };

  return {
    push(chunk) {
      const end = chunk.lastIndexOf(lineBreak) + 1;
      if (end > 0) {
        if (pendingLength === 0) take(chunk.subarray(0, end));
        else {
          pending.push(chunk.subarray(0, end));
          pendingLength += end;
          takePending();
        }
      }
      if (end === chunk.length) return;
      pending.push(chunk.subarray(end));
      pendingLength += chunk.length - end;
      if (pendingLength > longestLine) takePending();
    },
    get roughTokens() {
      return Math.ceil(bytes / bytesPerToken);
    },
    async countTokens() {
      takePending();
      if (bytes === 0) return 0;
      const { countTokens } = await import("gpt-tokenizer");
      const counted = countTokens(unescaped(text), { allowedSpecial: "all" });
      // Escapes make the kept text longer than what it stands for, never shorter than its share of the bytes.
      const rest = Math.max(0, bytes - Buffer.byteLength(text));
      return counted + Math.ceil(rest / bytesPerToken);
    },
  };
}

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const lineBreak = 0x0a;

/** The place of the quote that ends a JSON string, or the end of the bytes. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return bytes.length;
}

/** The inside of JSON strings as the text it stands for. */
function unescaped(inside: string): string {
  if (!inside.includes("\\")) return inside;
  try {
    const value: unknown = JSON.parse(`"${inside}"`);
    return typeof value === "string" ? value : inside;
  } catch {
    // A string that broke off inside an escape: counted as it is written, which is a few signs more.
    return inside;
  }
}
