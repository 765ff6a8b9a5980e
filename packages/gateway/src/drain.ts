import type { Server } from "node:http";
import type { Relay } from "./relay/relay.ts";
import type { TimerWheel } from "./timer-wheel.ts";

interface Drain {
  server: Server;
  relay: Relay;
  timers: TimerWheel;
  drainMs: number;
  commitMs: number;
}

/** Lets running calls end, cuts the rest, and waits until each is recorded (O3). `onHurry` gets the way to shorten it. */
export async function drain(options: Drain, onHurry: (cut: () => void) => void): Promise<void> {
  const { server, relay, timers, drainMs, commitMs } = options;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await new Promise<void>((resolve) => {
    const limit = timers.after(drainMs, resolve);
    onHurry(resolve);
    relay.idle().then(() => {
      limit.cancel();
      resolve();
    });
  });
  relay.cut();
  await new Promise<void>((resolve) => {
    const limit = timers.after(commitMs, resolve);
    relay.idle().then(() => {
      limit.cancel();
      resolve();
    });
  });
  // What was just written may still be on its way to the callers.
  await new Promise<void>((resolve) => {
    timers.after(lastBytesMs, resolve);
    closed.then(resolve);
  });
  server.closeAllConnections();
  await closed;
}

/** Time for the last frames of ended streams to leave the socket buffers. */
const lastBytesMs = 250;

/** Waits; `onHurry` gets the way to shorten it. */
export function pause(timers: TimerWheel, ms: number, onHurry: (cut: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    timers.after(ms, resolve);
    onHurry(resolve);
  });
}
