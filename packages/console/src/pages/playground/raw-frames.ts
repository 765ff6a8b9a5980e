/** One event of a stream as it came over the wire. */
export interface RawFrame {
  /** Milliseconds from the request on. */
  at: number;
  /** The name of the event, where it has one. */
  event: string | undefined;
  data: string;
}

/** Cuts the text of a stream into its events. Pieces may be cut anywhere; what is no event yet waits. */
export function rawFrames(): { push(text: string, at: number): RawFrame[]; close(at: number): RawFrame[] } {
  let waiting = "";
  const cut = (at: number, all: boolean): RawFrame[] => {
    const pieces = waiting.replaceAll("\r\n", "\n").split("\n\n");
    waiting = all ? "" : (pieces.pop() ?? "");
    return pieces.flatMap((piece) => frameOf(piece, at));
  };
  return {
    push(text, at) {
      waiting += text;
      // A carriage return at the end may be half of a line's end.
      return waiting.endsWith("\r") ? [] : cut(at, false);
    },
    close: (at) => cut(at, true),
  };
}

function frameOf(piece: string, at: number): RawFrame[] {
  if (piece.trim() === "") return [];
  const lines = piece.split("\n");
  const field = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, "")] : []));
  const data = field("data");
  return [{ at, event: field("event")[0], data: data.length > 0 ? data.join("\n") : piece }];
}
