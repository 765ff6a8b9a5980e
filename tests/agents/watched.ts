import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** One request of an agent and what it was answered. */
export interface WatchedCall {
  /** Method and path with its query. */
  line: string;
  status: number;
  /** What the gateway told beside the answer. */
  notices: string;
  /** The request's body. */
  body: string;
  /** The answer's body, as far as it has come. */
  readonly answer: string;
}

/** Stands before a server and hands everything on as it comes. */
export interface Watch {
  /** Where it is reached. */
  url: string;
  calls: WatchedCall[];
  close(): Promise<void>;
}

/** Starts a watch before the server at this address. */
export async function watch(target: string): Promise<Watch> {
  const calls: WatchedCall[] = [];
  const server = createServer((incoming, outgoing) => {
    const sent: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => sent.push(chunk));
    const { method, headers, url = "/" } = incoming;
    const onward = request(new URL(url, target), { method, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      const got: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => got.push(chunk));
      // Kept from its head on: an agent that has read all it wants may be gone before the answer has ended.
      calls.push({
        line: `${method} ${url}`,
        status,
        notices: String(answer.headers["x-interlingua-notices"] ?? ""),
        body: Buffer.concat(sent).toString(),
        get answer() {
          return Buffer.concat(got).toString();
        },
      });
      outgoing.writeHead(status, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server that listens on a port has an address object; text is for pipes only.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** What was refused, a line each. */
export function refusals({ calls }: Pick<Watch, "calls">): string[] {
  return calls
    .filter(({ status }) => status >= 400)
    .map(({ line, status, answer }) => `${line} was answered ${status}: ${answer.slice(0, 300)}`);
}
