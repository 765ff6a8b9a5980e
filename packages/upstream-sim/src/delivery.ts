import type { ServerResponse } from "node:http";

/** One thing that the server does with a connection. An answer is a list of them. */
export type Action =
  | { kind: "head"; status: number; headers: Record<string, string> }
  | { kind: "write"; data: string | Uint8Array }
  | { kind: "wait"; ms: number }
  /** Nothing more until the client leaves. */
  | { kind: "stall" }
  | { kind: "end"; data?: string | Uint8Array }
  | { kind: "destroy" }
  | { kind: "half-close" }
  /** The same bytes until the client leaves. */
  | { kind: "endless"; data: string | Uint8Array }
  /** Raw bytes on the connection after the answer's end. */
  | { kind: "surplus"; data: string };

/** What was really handed to the connection. */
export interface Delivered {
  /** Bytes of the HTTP body. */
  bytes: number;
  /** The answer came to its end: neither broken off by its script nor left by the client. */
  complete: boolean;
}

/** Carries out an answer. Ends early, without an error, when the client leaves. */
export async function deliver(
  actions: readonly Action[],
  response: ServerResponse,
  delay: (ms: number) => Promise<void>,
): Promise<Delivered> {
  const delivered: Delivered = { bytes: 0, complete: false };
  const gone = new Promise<void>((resolve) => response.once("close", resolve));
  for (const [index, action] of actions.entries()) {
    if (response.destroyed || response.socket?.destroyed) return delivered;
    switch (action.kind) {
      case "head":
        response.writeHead(action.status, action.headers);
        // With bytes right behind it the head shares their packet.
        if (!carriesBytes(actions[index + 1])) response.flushHeaders();
        break;
      case "write":
        delivered.bytes += Buffer.byteLength(action.data);
        if (!response.write(action.data)) await Promise.race([drained(response), gone]);
        break;
      case "wait":
        await Promise.race([delay(action.ms), gone]);
        break;
      case "stall":
        await gone;
        return delivered;
      case "end":
        delivered.bytes += Buffer.byteLength(action.data ?? "");
        delivered.complete = true;
        response.end(action.data);
        break;
      case "destroy":
        await flushed(response);
        response.socket?.destroy();
        return delivered;
      case "half-close":
        await flushed(response);
        response.socket?.end();
        return delivered;
      case "endless":
        delivered.bytes += await repeat(action.data, response, gone);
        return delivered;
      case "surplus":
        response.socket?.write(action.data);
        break;
    }
  }
  return delivered;
}

function carriesBytes(action: Action | undefined): boolean {
  return action?.kind === "write" || action?.kind === "end";
}

async function repeat(data: string | Uint8Array, response: ServerResponse, gone: Promise<void>): Promise<number> {
  let bytes = 0;
  while (!response.destroyed && !response.socket?.destroyed) {
    bytes += Buffer.byteLength(data);
    if (!response.write(data)) await Promise.race([drained(response), gone]);
    else await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return bytes;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("drain", resolve));
}

/** What was written is on its way before the connection is broken off. */
function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (!response.headersSent || response.socket === null) resolve();
    else response.socket.write("", () => setImmediate(resolve));
  });
}
