import { createServer } from "node:http";
import { createUpstreamSimHandler, type ScriptSource, type UpstreamSimOptions } from "./handler.ts";
import type { SimRequest } from "./request.ts";

/** What a running simulated provider is built from. */
export interface UpstreamSimServerOptions extends UpstreamSimOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** How many requests are kept in `requests`; the oldest go first. Default 10,000; 0 keeps none. */
  keepRequests?: number;
}

/** A running simulated provider. */
export interface UpstreamSim {
  /** `http://host:port`, without a path. */
  url: string;
  port: number;
  /** The received requests in order. */
  requests: SimRequest[];
  /** Replaces the script for requests from now on. */
  setScript(script: ScriptSource): void;
  /** Stops listening and breaks off every open connection. */
  close(): Promise<void>;
}

/**
 * Starts a simulated provider of all four protocols.
 * @example
 * const sim = await startUpstreamSim({ clock: Date.now, ids: () => crypto.randomUUID() });
 * // base URLs: `${sim.url}/v1` for OpenAI clients, `sim.url` for the others
 * await sim.close();
 */
export async function startUpstreamSim(options: UpstreamSimServerOptions): Promise<UpstreamSim> {
  const requests: SimRequest[] = [];
  const limit = options.keepRequests ?? 10_000;
  let script = options.script;
  const handler = createUpstreamSimHandler({
    ...options,
    // A replay script stays a plain value here, so that its request is never parsed.
    script: (request) => (typeof script === "function" ? script(request) : script),
    onRequest: (request) => {
      if (limit > 0) requests.push(request);
      if (requests.length > limit) requests.shift();
      options.onRequest?.(request);
    },
  });
  const server = createServer({ keepAliveTimeout: 60_000 }, handler);
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const address = server.address();
  // A server that listens on a port has an address object; text is for pipes only.
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    requests,
    setScript: (next) => {
      script = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
