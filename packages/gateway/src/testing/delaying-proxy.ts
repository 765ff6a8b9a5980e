import { createConnection, createServer, type Socket } from "node:net";

/** A way to a server that can be slow. */
export interface DelayingProxy extends AsyncDisposable {
  port: number;
  /** From now on every piece takes so many milliseconds more, each way. Their order is kept. */
  delay(ms: number): void;
}

/** Starts a proxy on a free port of this machine, to a server on it. */
export async function startDelayingProxy(target: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const carry = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("error", () => from.destroy());
    let last = Promise.resolve();
    from.on("data", (chunk) => {
      const arrived = delayMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, delayMs));
      last = last.then(async () => {
        await arrived;
        to.write(chunk);
      });
    });
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    const far = createConnection({ host: "127.0.0.1", port: target });
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    delay(ms) {
      delayMs = ms;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
