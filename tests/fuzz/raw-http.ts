import { connect } from "node:net";

/** One answer as it came over the socket, its body put together. */
export interface RawResponse {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

/** Longest that anything may take before it counts as hanging. */
const deadlineMs = 15_000;
/** Behind a whole answer nothing more is waited for after so long. */
const quietMs = 150;

/**
 * Writes the pieces, one after the other, and reads answers until so many have come, the server closes, or nothing more
 * comes. `ends`: our side is closed behind the last piece.
 */
export function exchange(
  url: string,
  pieces: readonly Uint8Array[],
  { answers, ends }: { answers: number; ends: boolean },
): Promise<{ responses: RawResponse[]; hangs: boolean }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    let hangs = false;
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
      if (ends) socket.end();
    });
    const deadline = setTimeout(() => {
      hangs = true;
      socket.destroy();
    }, deadlineMs);
    let quiet: NodeJS.Timeout | undefined;
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      clearTimeout(quiet);
      const { responses, rest } = responsesIn(received);
      if (responses.length >= answers) socket.destroy();
      else if (responses.length > 0 && rest === 0) quiet = setTimeout(() => socket.destroy(), quietMs);
    });
    // A server that refuses what it was sent may reset the connection; what it said before counts.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(deadline);
      clearTimeout(quiet);
      resolve({ responses: responsesIn(received).responses, hangs });
    });
  });
}

/** The answers that are whole, and how many bytes stand behind them. */
function responsesIn(received: Buffer): { responses: RawResponse[]; rest: number } {
  const responses: RawResponse[] = [];
  let at = 0;
  for (;;) {
    const headEnd = received.indexOf("\r\n\r\n", at);
    if (headEnd === -1) break;
    const [line = "", ...fields] = received.toString("latin1", at, headEnd).split("\r\n");
    const status = Number(line.split(" ")[1]);
    const headers = new Map(
      fields.map((field) => [field.split(":")[0]?.toLowerCase() ?? "", after(field, ":").trim()]),
    );
    const body = bodyAt(received, headEnd + 4, headers);
    if (!body) break;
    at = body.end;
    if (status >= 200) responses.push({ status, headers, body: body.bytes });
  }
  return { responses, rest: received.length - at };
}

function bodyAt(received: Buffer, start: number, headers: Map<string, string>) {
  if (headers.get("transfer-encoding") !== "chunked") {
    const end = start + Number(headers.get("content-length") ?? 0);
    return end <= received.length ? { bytes: received.subarray(start, end), end } : undefined;
  }
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = received.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(received.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (end + 2 > received.length) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), end: end + 2 };
    chunks.push(received.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

function after(text: string, mark: string): string {
  return text.slice(text.indexOf(mark) + 1);
}
