import type { IncomingMessage, ServerResponse } from "node:http";
import type { TimerWheel } from "../timer-wheel.ts";

/** An early answer still lets this much of the body pass, so that the connection can be used again (A4). */
const discardBytes = 65_536;
/** Time for the answer to reach a caller who is still sending, before the connection is cut. */
const lingerMs = 500;

/**
 * Prepares for an answer that comes before the body has been read: a small rest is read and thrown away; of a larger one
 * no more is read, and the connection ends shortly behind the answer. Closing at once would make the caller's machine
 * throw the answer away unread.
 */
export function discardBody(message: IncomingMessage, response: ServerResponse, timers: TimerWheel): void {
  if (message.complete || message.destroyed || message.listenerCount("data") > 0) return;
  if (message.headers["content-length"] === undefined && message.headers["transfer-encoding"] === undefined) return;
  let discarded = 0;
  message.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded <= discardBytes || message.isPaused()) return;
    message.pause();
    const cut = timers.after(lingerMs, () => message.destroy());
    response.once("close", () => cut.cancel());
  });
  message.resume();
}
