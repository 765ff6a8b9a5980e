import { createConnection, createServer, type Socket } from "node:net";

/** A way to a server that can fall silent, as a network does that loses everything, without ending any connection. */
export interface StallingProxy extends AsyncDisposable {
  port: number;
  stall(): void;
  resume(): void;
}

/** Starts a proxy on a free port of this machine, to a server on it. */
export async function startStallingProxy(target: number): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let stalled = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = createConnection({ host: "127.0.0.1", port: target });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("close", () => to.destroy());
      if (stalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
