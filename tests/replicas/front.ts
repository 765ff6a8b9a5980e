import { createConnection, createServer, type Socket } from "node:net";

/** A balancer in front of several servers: each new connection goes to the next one that takes it. */
export interface Front {
  /** Base address. */
  address: string;
  close(): Promise<void>;
}

/** `members`: the base addresses at the moment; undefined in the place of one that is away. */
export async function startFront(members: () => readonly (string | undefined)[]): Promise<Front> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const connect = (near: Socket, left: number) => {
    if (left === 0 || near.destroyed) {
      near.destroy();
      return;
    }
    const all = members();
    const address = all[turn++ % all.length];
    if (address === undefined) {
      connect(near, left - 1);
      return;
    }
    const far = createConnection({ host: "127.0.0.1", port: Number(new URL(address).port) });
    const next = () => connect(near, left - 1);
    far.once("error", next);
    far.once("connect", () => {
      far.off("error", next);
      keep(far);
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroySoon());
      near.pipe(far, { end: false });
      far.pipe(near, { end: false });
    });
  };
  const server = createServer((near) => {
    keep(near);
    connect(near, members().length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1024, resolve));
  const place = server.address();
  return {
    address: `http://127.0.0.1:${typeof place === "object" && place !== null ? place.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
