import { createConnection, createServer, type Socket } from "node:net";

/**
 * A way to a server on this machine that can lose answers: what a client sends arrives and is done, what the server says
 * to it never comes back, and the connection ends.
 */
export interface AnswerEater extends AsyncDisposable {
  port: number;
  /** The next answer on any connection is eaten, and its connection with it. */
  eat(): void;
  /** Answers eaten so far. */
  readonly eaten: number;
}

/** `about`: eats only the answer to a piece that holds this text. */
export async function startAnswerEater(target: number, about: string): Promise<AnswerEater> {
  const sockets = new Set<Socket>();
  let hungry = 0;
  let eaten = 0;
  const server = createServer((near) => {
    const far = createConnection({ host: "127.0.0.1", port: target });
    let asked = false;
    near.on("data", (piece) => {
      asked = piece.includes(about);
      far.write(piece);
    });
    far.on("data", (piece) => {
      if (hungry > 0 && asked) {
        hungry -= 1;
        eaten += 1;
        near.destroy();
        // The server is left to do what it was asked for.
        setTimeout(() => far.destroy(), 50);
      } else {
        near.write(piece);
      }
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    near.on("close", () => far.end());
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    eat() {
      hungry += 1;
    },
    get eaten() {
      return eaten;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
