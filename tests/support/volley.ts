import { connect, type Socket } from "node:net";
import type { MarkedRequest } from "./marked-request.ts";

/**
 * Sends requests at one moment: every connection is open and every request written but for its last byte before the
 * first last byte goes out. Resolves to the status of each answer, 0 where none came.
 */
export async function volley(requests: readonly (MarkedRequest & { address: string })[]): Promise<readonly number[]> {
  const sockets = await Promise.all(requests.map(prepare));
  const answers = sockets.map(statusOf);
  for (const socket of sockets) socket.write("}");
  return Promise.all(answers);
}

/** A connection on which all of a request but its last byte, a closing brace, has been handed to the machine. */
async function prepare({ address, path, headers, body }: MarkedRequest & { address: string }): Promise<Socket> {
  if (!body.endsWith("}")) throw new Error("The request's body is no JSON object.");
  const { hostname, port, host } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const fields = { ...headers, host, connection: "close", "content-length": String(Buffer.byteLength(body)) };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `POST ${path} HTTP/1.1\r\n${head.join("")}\r\n${body.slice(0, -1)}`;
  await new Promise<void>((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())));
  return socket;
}

function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (piece: string) => {
      text += piece;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
  });
}
