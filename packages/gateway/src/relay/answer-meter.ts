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

/** Where the strings begin that hold what a model wrote: behind their keys on the wire. */
const contentStarts: Readonly<Record<ProtocolName, RegExp>> = {
  "chat-completions": /"(?:content|reasoning|reasoning_content|arguments|refusal)": ?"/g,
  responses: /"delta": ?"/g,
  messages: /"(?:text|thinking|partial_json)": ?"/g,
  "generate-content": /"text": ?"/g,
};

export function createAnswerMeter(protocol: ProtocolName): AnswerMeter {
  const starts = contentStarts[protocol];
  /** What came after the last line break: a string may go on in the next read. */
  let pending: Buffer[] = [];
  let pendingLength = 0;
  /** UTF-8 bytes as Latin-1, JSON escapes and all: the cheapest text to look through and to keep. */
  let text = "";
  let bytes = 0;

  const take = (piece: Buffer) => {
    const line = piece.toString("latin1");
    starts.lastIndex = 0;
    while (starts.test(line)) {
      const start = starts.lastIndex;
      const end = stringEnd(line, start);
      bytes += end - start;
      if (text.length < keptText) text += line.slice(start, end);
      starts.lastIndex = end;
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
      const counted = countTokens(unescaped(Buffer.from(text, "latin1").toString("utf8")), { allowedSpecial: "all" });
      // Escapes make the kept text longer than what it stands for, never shorter than its share of the bytes.
      const rest = Math.max(0, bytes - text.length);
      return counted + Math.ceil(rest / bytesPerToken);
    },
  };
}

const lineBreak = 0x0a;

/** The place of the quote that ends a JSON string, or the end of the text. */
function stringEnd(line: string, start: number): number {
  for (let at = line.indexOf('"', start); at !== -1; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (line[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at;
  }
  return line.length;
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
